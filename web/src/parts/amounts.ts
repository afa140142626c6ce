import type { Words } from "../words/words.ts";

type Locale = Words["locale"];

interface Units {
  readonly days: string;
  readonly hours: string;
  readonly minutes: string;
  readonly seconds: string;
  /** The smaller of two units. */
  readonly beside: (count: number, unit: string) => string;
}

const UNITS: Readonly<Record<Locale, Units>> = {
  en: {
    days: "d",
    hours: "h",
    minutes: "m",
    seconds: "s",
    beside: (count, unit) => ` ${String(count).padStart(2, "0")}${unit}`,
  },
  ko: {
    days: "일",
    hours: "시간",
    minutes: "분",
    seconds: "초",
    beside: (count, unit) => (count === 0 ? "" : ` ${count}${unit}`),
  },
};

/** A span of time as people read it: `450ms`, `4s`, `3m 20s`, `2h 05m`; in Korean `4초`, `3분 20초`, `2시간`. */
export function span(ms: number, locale: Locale): string {
  const { days, hours, minutes, seconds, beside } = UNITS[locale];
  if (ms > 0 && ms < 1000) return `${Math.round(ms)}ms`;
  const whole = Math.max(0, Math.floor(ms / 1000));
  if (whole < 60) return `${whole}${seconds}`;
  const ofMinutes = Math.floor(whole / 60);
  if (ofMinutes < 60) return `${ofMinutes}${minutes}${beside(whole % 60, seconds)}`;
  const ofHours = Math.floor(ofMinutes / 60);
  if (ofHours < 48) return `${ofHours}${hours}${beside(ofMinutes % 60, minutes)}`;
  return `${Math.floor(ofHours / 24)}${days} ${ofHours % 24}${hours}`;
}

/** A span where minutes are enough, because it is guessed or long past. */
export function roughly(ms: number, locale: Locale): string {
  if (ms < 60_000) return span(ms > 0 && ms < 1000 ? 1000 : Math.floor(ms / 1000) * 1000, locale);
  return span(Math.round(ms / 60_000) * 60_000, locale).replace(/ 00[sm]$/, "");
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

/** Stands before an amount of which a part is an estimate. */
export function about({ estimated }: { readonly estimated: number }): string {
  return estimated > 0 ? "≈ " : "";
}
