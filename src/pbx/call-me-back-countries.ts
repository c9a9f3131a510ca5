// Which country a number is of, by its country code (ITU-T E.164, list of assigned country codes). Data.

/** ISO 3166-1 codes by the digits that numbers begin with. Where countries share a code, all that do. */
const COUNTRIES: Readonly<Record<string, readonly string[]>> = {
  '1': ['US', 'CA'],
  '7': ['RU', 'KZ'],
  '20': ['EG'],
  '27': ['ZA'],
  '30': ['GR'],
  '31': ['NL'],
  '32': ['BE'],
  '33': ['FR'],
  '34': ['ES'],
  '36': ['HU'],
  '39': ['IT', 'VA'],
  '40': ['RO'],
  '41': ['CH'],
  '43': ['AT'],
  '44': ['GB', 'GG', 'IM', 'JE'],
  '45': ['DK'],
  '46': ['SE'],
  '47': ['NO', 'SJ'],
  '48': ['PL'],
  '49': ['DE'],
  '52': ['MX'],
  '54': ['AR'],
  '55': ['BR'],
  '61': ['AU'],
  '64': ['NZ'],
  '65': ['SG'],
  '81': ['JP'],
  '82': ['KR'],
  '86': ['CN'],
  '90': ['TR'],
  '91': ['IN'],
  '351': ['PT'],
  '352': ['LU'],
  '353': ['IE'],
  '354': ['IS'],
  '356': ['MT'],
  '357': ['CY'],
  '358': ['FI'],
  '359': ['BG'],
  '370': ['LT'],
  '371': ['LV'],
  '372': ['EE'],
  '380': ['UA'],
  '385': ['HR'],
  '386': ['SI'],
  '420': ['CZ'],
  '421': ['SK'],
  '971': ['AE'],
  '972': ['IL'],
};
const LONGEST_CODE = 3;

/** Countries that the number may be of; none when its code is not in the list. */
export function countriesOf(digits: string): readonly string[] {
  for (let length = LONGEST_CODE; length > 0; length -= 1) {
    const found = COUNTRIES[digits.slice(0, length)];
    if (found !== undefined) return found;
  }
  return [];
}
