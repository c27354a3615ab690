/** RFC 3339 full-date: "2024-02-29". */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** RFC 3339 full-time: "08:30:06.283-01:00". A leap second ends a day in UTC: "01:29:60+01:30" but not "22:59:60Z". */
export function isTime(text: string): boolean {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text);
  if (match === null) return false;
  const [hour, minute, second] = match.slice(1, 4).map(Number) as [number, number, number];
  const [offsetHour, offsetMinute] = [Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (match[4] === "-" ? -1 : 1);
  const minuteInUtc = (hour * 60 + minute - offset + minutesPerDay) % minutesPerDay;
  return minuteInUtc === minutesPerDay - 1;
}

const minutesPerDay = 24 * 60;

/** RFC 3339 date-time: "1963-06-19T08:30:06Z". */
export function isDateTime(text: string): boolean {
  return (text[10] === "T" || text[10] === "t") && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

/** ISO 8601: "P3Y6M4DT12H30M5S", "P2W". At least one part, and one after a T. */
export function isDuration(text: string): boolean {
  if (text.endsWith("P") || text.endsWith("T")) return false;
  return /^P(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/.test(text);
}
