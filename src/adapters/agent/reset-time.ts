import { momentOf, type WallTime, wallTime, zoneIn } from "./wall-time.ts";

const UNITS: readonly (readonly [string, number])[] = [
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
  ["w", 604_800_000],
];
/** A limit that lasts longer is a misreading. */
const LONGEST = 40 * 86_400_000;

const DAY_MS = 86_400_000;

/**
 * When a limit ends, read from what a service said about it: `…|1790000000`, `try again in 2 hours 5 minutes`,
 * `Retry-After: 30`, `retryDelay: "17s"`, `resets at 2026-11-20T10:00:00Z`, `try again at Nov 24th, 2026 8:14 PM`,
 * `resets 3am (America/New_York)`, `resets Monday at 09:00 UTC`. A clock without a zone is this machine's. Undefined when it
 * says nothing of the kind, or a time that has passed or lies beyond forty days.
 */
export function resetTime(said: string, now: number): number | undefined {
  const text = said.slice(0, 4_096);
  const found = stamped(text) ?? dated(text) ?? afterDelay(text, now) ?? onWall(text, now);
  return found !== undefined && found > now && found - now <= LONGEST ? found : undefined;
}

/** Seconds or milliseconds since 1970, standing alone. */
function stamped(text: string): number | undefined {
  const digits = /(?<![\d.])1\d{9}(?:\d{3})?(?!\d)/.exec(text)?.[0];
  if (digits === undefined) return undefined;
  return digits.length === 10 ? Number(digits) * 1_000 : Number(digits);
}

/** A date by itself: as ISO 8601 has it, or as the header `Retry-After` does. */
function dated(text: string): number | undefined {
  const iso = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/.exec(text)?.[0];
  const date = iso ?? /[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/.exec(text)?.[0];
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}

const DELAY_WORDS = ["in ", "after", "delay", "reset-requests", "reset-tokens"];

/** The sum of the amounts that follow such a word: `in 1 day 2 hours`. */
function afterDelay(text: string, now: number): number | undefined {
  const lower = text.toLowerCase();
  for (const word of DELAY_WORDS) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
      const rest = lower.slice(at + word.length, at + word.length + 80);
      const ms = rest.startsWith("-ms") ? amounts(rest.slice(3)) / 1_000 : amounts(rest);
      if (ms > 0) return now + ms;
    }
  }
  return undefined;
}

/** The sum of the amounts with units that a text begins with; amounts without one count as seconds. */
function amounts(text: string): number {
  let sum = 0;
  let rest = text;
  for (let count = 0; count < 5; count++) {
    const amount = /^[\s:="',]{0,8}(?:and )?(\d{1,7}(?:\.\d{1,6})?)\s{0,2}([a-z]{0,12})/.exec(rest);
    if (amount === null) break;
    sum += Number(amount[1]) * unitOf(amount[2] ?? "");
    rest = rest.slice(amount[0].length);
  }
  return sum;
}

function unitOf(word: string): number {
  if (word === "") return 1_000;
  if (word.startsWith("mo")) return 30 * DAY_MS;
  const exact = UNITS.find(([unit]) => unit === word);
  const first = UNITS.find(([unit]) => unit === word.charAt(0));
  return (word.startsWith("milli") ? 1 : (exact ?? first)?.[1]) ?? 0;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The next time that a clock and a calendar on the wall show what stands behind `at`, `resets`, `until` or `on`. */
function onWall(text: string, now: number): number | undefined {
  for (const found of text.matchAll(/\b(?:at|resets?|until|on)\b/gi)) {
    const told = text.slice(found.index + found[0].length, found.index + 90);
    const at = readWall(told, now);
    if (at !== undefined) return at;
  }
  return undefined;
}

function readWall(told: string, now: number): number | undefined {
  const clock = clockIn(told);
  const isTomorrow = /\btomorrow\b/i.test(told);
  const date = dateIn(told);
  if (isTomorrow && date === undefined) {
    const zone = zoneIn(told);
    const { day, ...today } = wallTime(now, zone);
    return momentOf({ ...today, hour: 0, minute: 0, ...clock, day: day + 1 }, zone);
  }
  if (clock === undefined && date === undefined) return undefined;
  const zone = zoneIn(told);
  const today = wallTime(now, zone);
  const moment = (more: Partial<WallTime>) =>
    momentOf({ ...today, hour: 0, minute: 0, ...clock, ...more }, zone);
  if (date !== undefined) {
    const at = moment(date);
    return at > now || "year" in date ? at : moment({ ...date, year: today.year + 1 });
  }
  const weekday = WEEKDAYS.indexOf(
    /\b(sun|mon|tue|wed|thu|fri|sat)[a-z]{0,6}\b/i.exec(told)?.[1]?.toLowerCase() ?? "",
  );
  const first = weekday < 0 ? 0 : (weekday - weekdayOf(today) + 7) % 7;
  const at = moment({ day: today.day + first });
  return at > now ? at : moment({ day: today.day + first + (weekday < 0 ? 1 : 7) });
}

function weekdayOf({ year, month, day }: WallTime): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

/** `3pm`, `8:14 PM`, `20:14`. */
function clockIn(told: string): Pick<WallTime, "hour" | "minute"> | undefined {
  const half = /(?<![\d:])(\d{1,2})(?::([0-5]\d))?(?::[0-5]\d)?\s?([ap])\.?m\b/i.exec(told);
  if (half !== null) {
    const hour = (Number(half[1]) % 12) + (half[3]?.toLowerCase() === "p" ? 12 : 0);
    return { hour, minute: Number(half[2] ?? 0) };
  }
  const whole = /(?<![\d:+-])([01]?\d|2[0-3]):([0-5]\d)(?!\d)/.exec(told);
  return whole === null ? undefined : { hour: Number(whole[1]), minute: Number(whole[2]) };
}

type DateTold = Pick<WallTime, "month" | "day"> & Partial<Pick<WallTime, "year">>;

/** `Nov 24`, `November 24th, 2026`, `24 Nov 2026`, `2026-11-24`. */
function dateIn(told: string): DateTold | undefined {
  const plain = /(?<!\d)(20\d\d)-(\d\d)-(\d\d)(?!\d)/.exec(told);
  if (plain !== null) return dateOf(plain[1], Number(plain[2]), plain[3]);
  const named =
    /\b(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? (?<day>\d{1,2})(?:st|nd|rd|th)?\b(?:,? (?<year>20\d\d)\b)?/i.exec(
      told,
    ) ??
    /\b(?<day>\d{1,2})(?:st|nd|rd|th)? (?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\b(?:,? (?<year>20\d\d)\b)?/i.exec(
      told,
    );
  const { month = "", day, year } = named?.groups ?? {};
  return named === null ? undefined : dateOf(year, MONTHS.indexOf(month.toLowerCase()) + 1, day);
}

function dateOf(year: string | undefined, month: number, day: string | undefined): DateTold | undefined {
  const date = { month, day: Number(day) };
  if (month < 1 || month > 12 || date.day < 1 || date.day > 31) return undefined;
  return year === undefined ? date : { ...date, year: Number(year) };
}
