import { duration } from "../../../text/index.ts";

/** A running time for people, in whole seconds so that it does not flicker: `7s`, `3m05s`, `2h10m`. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 60 ? `${seconds}s` : duration(seconds * 1000);
}
