/** A moment as a clock on a wall shows it; `month` from 1. */
export interface WallTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** Where a clock hangs: minutes east of Greenwich, the name of a zone, or here. */
export type Zone = number | string | undefined;

/** Hours east of Greenwich of the abbreviations that services use. */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  PST: -8,
  PDT: -7,
  MST: -7,
  MDT: -6,
  CST: -6,
  CDT: -5,
  EST: -5,
  EDT: -4,
  BST: 1,
  CET: 1,
  CEST: 2,
  IST: 5.5,
  KST: 9,
  JST: 9,
};

/** Abbreviations that stand for summer and winter: they are names of zones of their own only there. */
const COASTS: Readonly<Record<string, string>> = {
  PT: "America/Los_Angeles",
  MT: "America/Denver",
  CT: "America/Chicago",
  ET: "America/New_York",
};

/** The zone that a text names: `(America/New_York)`, `UTC`, `GMT+9`, `+09:00`, `KST`, `PT`; undefined for none. */
export function zoneIn(text: string): Zone {
  const named = /\b(?:Africa|America|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[A-Za-z_+/-]{2,40}/.exec(
    text,
  );
  if (named !== null && isZone(named[0])) return named[0];
  const shifted = /(?:\b(?:UTC|GMT) ?|:[0-5]\d ?)([+-])(\d{1,2}):?([0-5]\d)?(?!\d)/.exec(text);
  if (shifted !== null) {
    const minutes = Number(shifted[2]) * 60 + Number(shifted[3] ?? 0);
    return shifted[1] === "-" ? -minutes : minutes;
  }
  const short = /\b(?:UTC|GMT|[PMCE][SD]T|BST|CES?T|IST|KST|JST)\b|\dZ\b/.exec(text)?.[0];
  if (short !== undefined) return (ABBREVIATIONS[short] ?? 0) * 60;
  return COASTS[/\b[PMCE]T\b/.exec(text)?.[0] ?? ""];
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** What a clock in a zone shows at a moment, epoch milliseconds. */
export function wallTime(at: number, zone: Zone): WallTime {
  if (zone === undefined) {
    const date = new Date(at);
    return {
      year: date.getFullYear(),
      month: date.getMonth() + 1,
      day: date.getDate(),
      hour: date.getHours(),
      minute: date.getMinutes(),
    };
  }
  const date = new Date(at + offsetAt(at, zone) * 60_000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
}

/** The moment at which a clock in a zone shows this, epoch milliseconds; days beyond the end of a month go on in the next. */
export function momentOf({ year, month, day, hour, minute }: WallTime, zone: Zone): number {
  if (zone === undefined) return new Date(year, month - 1, day, hour, minute).getTime();
  const there = Date.UTC(year, month - 1, day, hour, minute);
  const near = there - offsetAt(there, zone) * 60_000;
  return there - offsetAt(near, zone) * 60_000;
}

/** Minutes east of Greenwich at a moment. */
function offsetAt(at: number, zone: number | string): number {
  if (typeof zone === "number") return zone;
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  }).formatToParts(at);
  const part = (type: string) => Number(parts.find(one => one.type === type)?.value ?? 0);
  const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
  return Math.round((shown - at) / 60_000);
}
