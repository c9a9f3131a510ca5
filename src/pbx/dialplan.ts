// A user's dialplan: what people dial at home, in E.164; and the numbers that every telephone reaches. Pure.
import type { User } from '../contract/resources/customer.ts';

/** Emergency services: Europe and mobile networks, the United Kingdom, North America (CHOICE-EMERGENCY). */
const EMERGENCY: ReadonlySet<string> = new Set(['112', '911', '999']);

/** Of a number of the subscriber's own area, without its area code: ITU-T E.164 leaves 7 or 8 digits in large cities. */
const LOCAL_DIGITS = { fewest: 5, most: 8 };

export function isEmergency(number: string): boolean {
  return EMERGENCY.has(number);
}

/** What was dialled, with `+` and country code where the user's dialplan tells what it means; else as it is. */
export function inE164({ cc, area_code: area }: Pick<User, 'cc' | 'area_code'>, dialled: string): string {
  const country = cc.replace(/^\+/, '');
  const digits = dialled.replace(/[\s().-]/g, '');
  if (!/^\d+$/.test(digits) || !/^[1-9]\d{0,2}$/.test(country)) return dialled;
  return (country === '1' ? inNorthAmerica(area, digits) : elsewhere(country, area, digits)) ?? dialled;
}

/** 00 abroad, 0 and an area code, or a number of the own area. */
function elsewhere(country: string, area: string, digits: string): string | undefined {
  if (/^00[1-9]/.test(digits)) return `+${digits.slice(2)}`;
  if (/^0[1-9]/.test(digits)) return `+${country}${digits.slice(1)}`;
  const isLocal = digits.length >= LOCAL_DIGITS.fewest && digits.length <= LOCAL_DIGITS.most && !digits.startsWith('0');
  return isLocal && area !== '' ? `+${country}${area.replace(/^0/, '')}${digits}` : undefined;
}

// The North American Numbering Plan: 011 abroad, ten digits at home, seven in the own area.
function inNorthAmerica(area: string, digits: string): string | undefined {
  if (/^011[1-9]/.test(digits)) return `+${digits.slice(3)}`;
  if (/^[2-9]\d{9}$/.test(digits)) return `+1${digits}`;
  return /^[2-9]\d{6}$/.test(digits) && area !== '' ? `+1${area}${digits}` : undefined;
}
