/** A span of time as people read it: `4s`, `3m 20s`, `2h 05m`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (ms > 0 && ms < 1000) return `${Math.round(ms)}ms`;
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${String(seconds % 60).padStart(2, "0")}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}h ${String(minutes % 60).padStart(2, "0")}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** A span where minutes are enough, because it is guessed or long past. */
export function roughly(ms: number): string {
  return ms < 60_000 ? span(ms) : span(Math.round(ms / 60_000) * 60_000).replace(" 00s", "");
}

/** A number of tokens: `850`, `12.4k`, `1.25M`. */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  if (count < 1_000_000) return `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(2)}M`;
}

/** Money in US dollars. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(usd < 1 ? 3 : 2)}`;
}

/** A share as a percentage. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(share < 0.0995 && share > 0 ? 1 : 0)} %`;
}

const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const DAY = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short" });

/** The time of day. */
export function clock(at: number): string {
  return CLOCK.format(at);
}

/** Marks of the time axis in seconds as times of day: without seconds where all are whole minutes, each but once. */
export function timesOf(values: readonly number[]): string[] {
  const length = values.every(value => value % 60 === 0) ? 5 : 8;
  return values.map((value, at) => {
    const time = clock(value * 1000).slice(0, length);
    return at > 0 && time === clock(values[at - 1]! * 1000).slice(0, length) ? "" : time;
  });
}

/** Day and time. */
export function dayAndTime(at: number): string {
  return DAY.format(at);
}
