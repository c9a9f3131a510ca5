// Numbers as people write them, against those that call records have. Knows no record.

/**
 * The forms in which call records may have a number that is written with spaces, brackets or dashes, internationally
 * (`+44 20`, `0044 20`, `44 20`), nationally (`020`) or as an extension. `countryCode`: of national numbers, without `+`.
 */
export function numberForms(written: string, countryCode: string): string[] {
  const plain = written.replace(/\(0\)/g, '').replace(/[\s()./-]/g, '');
  if (!/^\+?\d{1,20}$/.test(plain)) return [];
  const digits = plain.replace(/^(\+|00)/, '');
  const national = /^0[1-9]/.test(plain) && countryCode !== '' ? [countryCode + plain.slice(1)] : [];
  return [digits, ...national].flatMap((form) => [form, `+${form}`]);
}
