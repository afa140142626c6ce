const SHAPE =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a text is an ISO-8601 date, or date and time, that exists. */
export function isIsoTime(text: string): boolean {
  if (text.length > 40) return false;
  const parts = SHAPE.exec(text);
  if (parts === null) return false;
  const [year, month, day, hour, minute, second] = parts.slice(1).map(part => Number(part ?? 0));
  if (month! < 1 || month! > 12 || day! < 1) return false;
  const leap = (year! % 4 === 0 && year! % 100 !== 0) || year! % 400 === 0;
  const days = month === 2 && leap ? 29 : DAYS[month! - 1]!;
  return day! <= days && hour! <= 23 && minute! <= 59 && second! <= 60;
}
