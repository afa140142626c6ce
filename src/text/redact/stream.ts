import { type Alphabet, alphabet, WORD } from "./alphabet.ts";
import { type Automaton, createAutomaton } from "./automaton.ts";
import { BLOCKS } from "./blocks.ts";
import { backslashDecoder, chained, percentDecoder, referenceDecoder } from "./decoders.ts";
import { type Finder, TOKENS } from "./finders.ts";
import { formsOf } from "./forms.ts";
import { createSpans } from "./spans.ts";
import { type Cover, createTrack, createView, type ViewKind } from "./track.ts";

/** A stream of bytes in which secrets are masked, whatever pieces it comes in. */
export interface RedactionStream {
  /** What of the stream is clear by now. Holds back what may be the beginning of a secret: some kilobytes at most. */
  push(chunk: Uint8Array): Uint8Array;
  /** What was held back. The stream begins afresh after it. */
  end(): Uint8Array;
}

/** All that is looked for, compiled once. */
export interface Sought {
  readonly automaton: Automaton;
  readonly views: readonly ViewKind[];
  /** The bytes at which any of the views is entered. */
  readonly escapes: Alphabet;
  /** Whether something may begin with a byte and the one behind it, by `first << 8 | second`. */
  readonly starts: Uint8Array;
}

const MARKS = [...TOKENS, ...BLOCKS];
const SHAPES = [...new Map(MARKS.map(mark => [mark.shape, mark])).values()];
const encoder = new TextEncoder();

/** Bytes before the newest that can be looked at again. */
const RECENT = 64;

const NOTHING = new Uint8Array(0);

/** The encodings that are read through; secrets without spaces need not be looked for where a space is a plus. */
const VIEWS: readonly ViewKind[] = [
  { decoder: () => percentDecoder(false), escapes: "%" },
  { decoder: backslashDecoder, escapes: "\\" },
  { decoder: () => chained(backslashDecoder(), backslashDecoder()), escapes: "\\" },
  { decoder: referenceDecoder, escapes: "&" },
];
const FORM: ViewKind = { decoder: () => percentDecoder(true), escapes: "%+" };

function startsOf(patterns: readonly Uint8Array[], escapes: Alphabet): Uint8Array {
  const starts = new Uint8Array(65_536);
  for (const [first = 0, second = 0] of patterns) {
    starts[(first << 8) | second] = 1;
    // Behind an escape anything may stand.
    for (let byte = 0; byte < 256; byte++) if (escapes[byte] === 1) starts[(first << 8) | byte] = 1;
  }
  for (let byte = 0; byte < 256; byte++) if (escapes[byte] === 1) starts.fill(1, byte << 8, (byte + 1) << 8);
  return starts;
}

export function compile(secrets: readonly string[]): Sought {
  const forms = secrets.flatMap(formsOf);
  const marks = MARKS.map(mark => encoder.encode(mark.text));
  const withSpaces = secrets.some(secret => secret.includes(" ")) ? [...VIEWS, FORM] : VIEWS;
  const views = secrets.length === 0 ? [] : withSpaces;
  const escapes = alphabet(...views.map(view => view.escapes));
  const starts = startsOf([...forms, ...marks], escapes);
  return { automaton: createAutomaton(forms, marks), views, escapes, starts };
}

/** Reads a stream for what is sought. */
interface Search {
  /** Takes the next bytes, which stand at `from` in the stream. */
  read(chunk: Uint8Array, from: number): void;
  /** Where what is not clear yet began; infinite for nowhere. */
  begun(): number;
  /** The stream has ended. */
  reset(): void;
}

function createSearch({ automaton, views, escapes, starts }: Sought, cover: Cover): Search {
  const plain = createTrack(automaton, cover);
  const through = views.map(view => createView(automaton, plain, view, cover));
  const finders = new Map(SHAPES.map(({ shape, finder }) => [shape, finder(cover)]));
  const finderOf = MARKS.map(mark => finders.get(mark.shape)!);
  const { mark } = automaton;
  /** The last bytes before the chunk that is read, and the first position of it. */
  const recent = new Uint8Array(RECENT);
  let now: Uint8Array = recent;
  let base = 0;
  let busy: Finder[] = [];
  let open = 0;

  const found = (index: number, at: number): void => {
    const { text, anywhere } = MARKS[index]!;
    const start = at + 1 - text.length;
    const finder = finderOf[index]!;
    if (busy.includes(finder)) return;
    const before = start > base ? now[start - 1 - base]! : recent.at(start - 1 - base)!;
    if (anywhere !== true && WORD[before] === 1) return;
    // Line breaks may be read over, but not by a mark.
    if (plain.origin(plain.count - text.length) !== start) return;
    finder.begin(start, at + 1);
    busy.push(finder);
  };
  const take = (byte: number, at: number): void => {
    for (let index = busy.length - 1; index >= 0; index--)
      if (!busy[index]!.take(byte, at)) busy.splice(index, 1);
    const isRead = open > 0 || escapes[byte] === 1;
    if (isRead) for (const view of through) view.before(byte, at);
    plain.take(byte, at, at + 1);
    if (isRead) {
      open = 0;
      for (const view of through) if (view.after()) open += 1;
    }
    const index = mark[plain.state]!;
    if (index > 0) found(index - 1, at);
  };
  return {
    read(chunk, from) {
      now = chunk;
      base = from;
      const last = chunk.length - 1;
      let isIdle = plain.state === 0 && open === 0 && busy.length === 0;
      for (let index = 0; index <= last; index++) {
        // Where nothing has begun, only what something may begin with matters.
        if (isIdle) while (index < last && starts[(chunk[index]! << 8) | chunk[index + 1]!] === 0) index++;
        take(chunk[index]!, from + index);
        isIdle = plain.state === 0 && open === 0 && busy.length === 0;
      }
      if (chunk.length < RECENT) recent.copyWithin(0, chunk.length);
      recent.set(chunk.subarray(-RECENT), Math.max(0, RECENT - chunk.length));
    },
    begun() {
      let first = plain.begun ?? Infinity;
      for (const { begun } of through) first = Math.min(first, begun ?? Infinity);
      for (const { begun } of busy) first = Math.min(first, begun ?? Infinity);
      return first;
    },
    reset() {
      plain.reset();
      for (const view of through) view.leave();
      recent.fill(0);
      busy = [];
      open = 0;
    },
  };
}

/** A stream that masks what is sought. Its time is linear in what it is given, its memory bounded. */
export function createStream(sought: Sought, mask: Uint8Array): RedactionStream {
  const spans = createSpans(mask);
  const search = createSearch(sought, spans.cover);
  let at = 0;
  return {
    push(chunk) {
      search.read(chunk, at);
      at += chunk.length;
      return spans.pass(chunk, Math.min(at, search.begun()));
    },
    end() {
      search.reset();
      return spans.pass(NOTHING, at);
    },
  };
}
