import { duration } from "../../text/index.ts";

/** A running time for people, in whole seconds so that it does not flicker: `7s`, `3m05s`, `2h10m`. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds}s` : duration(seconds * 1000);
}

/** A moment as the wall clock of this machine shows it: `14:05:09`. */
export function timeOfDay(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** A moment that may be on another day: `2026-01-05 14:05`. */
export function dateAndTime(at: number): string {
  const date = new Date(at);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${timeOfDay(at).slice(0, 5)}`;
}
