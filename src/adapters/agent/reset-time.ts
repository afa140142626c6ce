const UNITS: readonly (readonly [string, number])[] = [
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
];
/** A limit that lasts longer is a misreading. */
const LONGEST = 40 * 86_400_000;

/**
 * When a limit ends, read from what a service said about it: `…|1790000000`, `try again in 2 hours 5 minutes`,
 * `retry after 30s`, `retryDelay: "17s"`, `resets at 2026-11-20T10:00:00Z`, `try again at 8:14 PM`. Undefined when it
 * says nothing of the kind, or a time that has passed or lies beyond forty days.
 */
export function resetTime(said: string, now: number): number | undefined {
  const text = said.slice(0, 4_096);
  const found = stamped(text) ?? dated(text) ?? afterDelay(text, now) ?? atClock(text, now);
  return found !== undefined && found > now && found - now <= LONGEST ? found : undefined;
}

/** Seconds or milliseconds since 1970, standing alone. */
function stamped(text: string): number | undefined {
  const digits = /(?<![\d.])1\d{9}(?:\d{3})?(?!\d)/.exec(text)?.[0];
  if (digits === undefined) return undefined;
  return digits.length === 10 ? Number(digits) * 1_000 : Number(digits);
}

function dated(text: string): number | undefined {
  const date = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/.exec(text)?.[0];
  const time = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}

const DELAY_WORDS = ["in ", "after", "delay"];

/** The sum of the amounts that follow such a word: `in 1 day 2 hours`. */
function afterDelay(text: string, now: number): number | undefined {
  const lower = text.toLowerCase();
  for (const word of DELAY_WORDS) {
    for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
      const ms = amounts(lower.slice(at + word.length, at + word.length + 80));
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
  const exact = UNITS.find(([unit]) => unit === word);
  const first = UNITS.find(([unit]) => unit === word.charAt(0));
  return (word.startsWith("milli") ? 1 : (exact ?? first)?.[1]) ?? 0;
}

/** The next time a clock on the wall shows this. */
function atClock(text: string, now: number): number | undefined {
  const clock = /\b(?:at|resets) (\d{1,2})(?::(\d\d))? ?([ap]m)\b/i.exec(text);
  if (clock === null) return undefined;
  const hour = (Number(clock[1]) % 12) + (clock[3]?.toLowerCase() === "pm" ? 12 : 0);
  const time = new Date(now);
  if (/\(?UTC\)?/.test(text)) time.setUTCHours(hour, Number(clock[2] ?? 0), 0, 0);
  else time.setHours(hour, Number(clock[2] ?? 0), 0, 0);
  return time.getTime() > now ? time.getTime() : time.getTime() + 86_400_000;
}
