import { type Fields, fields } from "./fields.ts";
import { hasAtMost } from "./json-parts.ts";

const NEWLINE = 10;
const MOST_MIB = 16;
/** Bytes one event may have. Agents put whole files into events; nothing here needs that much of them. */
const MOST_BYTES = MOST_MIB << 20;
/** Objects, lists and members one event may have: half a second's work, and more than agents have use for. */
const MOST_PARTS = 500_000;

/** What people are told of an event that is left out. */
type TooMuch = `of more than ${string} was too long to be read`;
const TOO_LONG: TooMuch = `of more than ${MOST_MIB} MiB was too long to be read`;
const TOO_MANY: TooMuch = `of more than ${MOST_PARTS} objects and fields was too long to be read`;

/** Where the lines of a JSON stream go. */
export interface JsonSink {
  /** A line that is a JSON object. */
  event(event: Fields): void;
  /** A line that is none: a notice somebody printed, or half an event. */
  noise(line: string): void;
  /** A line that is too long and is lost: told when it is, for it may never end; or of too many parts. */
  oversized(what: TooMuch): void;
}

export interface JsonLines {
  /** Does not keep the chunk. */
  write(chunk: Uint8Array): void;
  /** Delivers what stood after the last newline. */
  end(): void;
}

/** Cuts a stream into lines of JSON, with memory for one event at most. Blank lines mean nothing. */
export function createJsonLines(sink: JsonSink, mostBytes: number = MOST_BYTES): JsonLines {
  let parts: Buffer[] = [];
  let held = 0;

  function keep(part: Uint8Array): void {
    const before = held;
    held += part.length;
    if (held <= mostBytes) {
      if (part.length > 0) parts.push(Buffer.from(part));
    } else if (before <= mostBytes) {
      parts = [];
      sink.oversized(TOO_LONG);
    }
  }

  function deliver(): void {
    const line = Buffer.concat(parts).toString("utf8").trim();
    parts = [];
    held = 0;
    if (line !== "") tell(line);
  }

  function tell(line: string): void {
    const isObject = line.startsWith("{");
    const isRead = isObject && hasAtMost(MOST_PARTS, line);
    const event = isRead ? parsed(line) : undefined;
    if (isObject && !isRead) sink.oversized(TOO_MANY);
    else if (event === undefined) sink.noise(line);
    else sink.event(event);
  }

  return {
    write(chunk) {
      let start = 0;
      for (;;) {
        const newline = chunk.indexOf(NEWLINE, start);
        if (newline < 0) break;
        keep(chunk.subarray(start, newline));
        deliver();
        start = newline + 1;
      }
      keep(chunk.subarray(start));
    },
    end: deliver,
  };
}

function parsed(line: string): Fields | undefined {
  try {
    return fields(JSON.parse(line));
  } catch {
    return undefined;
  }
}
