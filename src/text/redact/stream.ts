import { type Automaton, createAutomaton } from "./automaton.ts";
import { BLOCKS } from "./blocks.ts";
import type { Cover } from "./cover.ts";
import type { Mark } from "./finders.ts";
import { formsOf, spelled } from "./forms.ts";
import { literalMarks } from "./literals.ts";
import { createLookahead, mayFollow } from "./lookahead.ts";
import { ESCAPES, JOINTS, quietSteps } from "./quiet.ts";
import { TOKENS } from "./services.ts";
import { createShapes, mayBegin } from "./shapes.ts";
import { createSpans } from "./spans.ts";
import { createView } from "./view.ts";

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
  readonly marks: readonly Mark[];
  /** Bytes that need not be looked at. */
  readonly quiet: Int16Array;
}

const encoder = new TextEncoder();

/** Bytes before the newest that can be looked at again: a mark, each byte of it escaped, and what stands before it. */
const RECENT = 1024;

const NOTHING = new Uint8Array(0);

export function compile(secrets: readonly string[]): Sought {
  const forms = secrets.flatMap(formsOf);
  const marks = [...TOKENS, ...BLOCKS, ...literalMarks(secrets.flatMap(spelled))];
  const texts = marks.map(mark => encoder.encode(mark.text));
  const automaton = createAutomaton(forms, texts);
  return { automaton, marks, quiet: quietSteps(automaton) };
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

function createSearch({ automaton, marks, quiet }: Sought, cover: Cover): Search {
  const { step, open, secret, mark } = automaton;
  const { past } = createLookahead(automaton);
  /** The last bytes before the chunk that is read, and the first position of it. */
  const recent = new Uint8Array(RECENT);
  let now: Uint8Array = recent;
  let base = 0;
  let state = 0;
  /** Where the bytes read end. */
  let end = 0;
  const byteAt = (at: number): number => (at >= base ? now[at - base]! : (recent.at(at - base) ?? 0));
  const stands = (one: Mark, start: number, next: number): boolean =>
    mayBegin(one, distance => byteAt(start - distance)) &&
    (one.body === undefined || mayFollow(one.body, now, next - base));
  const shapes = createShapes(automaton, cover);
  const view = createView(automaton, marks, stands, cover);

  const found = (one: Mark): void => {
    const start = end - one.text.length;
    if (!stands(one, start, end)) return;
    if (one.isRaw !== undefined) shapes.begin(one, start, end, byteAt(start - 1));
    else view.begin(one, start, end);
  };
  const take = (byte: number, at: number): void => {
    if (shapes.isBusy) shapes.take(byte, at, at + 1);
    view.feed(byte, at);
    state = step(state, byte);
    end = at + 1;
    const length = secret[state]!;
    if (length > 0) cover(end - length, end);
    const index = mark[state]!;
    if (index > 0) found(marks[index - 1]!);
  };
  /** Reads what leads to nothing, neither as it stands nor as it is meant. Gives the index behind it. */
  const skim = (from: number): number => {
    const { length } = now;
    let index = from;
    let to = state;
    while (index < length) {
      const next = quiet[(to << 8) | now[index]!] ?? -1;
      if (next >= 0) {
        to = next;
        index += 1;
        continue;
      }
      const behind = ESCAPES[now[index]!] === 1 || JOINTS[now[index]!] === 1 ? past(now, index, to) : index;
      if (behind === index) break;
      for (; index < behind; index++) to = step(to, now[index]!);
    }
    if (index === from) return from;
    state = to;
    end = base + index;
    view.skip(state, end, index - from, now[index - 1]!);
    return index;
  };
  return {
    read(chunk, from) {
      now = chunk;
      base = from;
      for (let index = 0; index < chunk.length; index++) {
        if (view.follows(state, end) && !shapes.isBusy) index = skim(index);
        if (index < chunk.length) take(chunk[index]!, from + index);
      }
      if (chunk.length < RECENT) recent.copyWithin(0, chunk.length);
      recent.set(chunk.subarray(-RECENT), Math.max(0, RECENT - chunk.length));
    },
    begun() {
      const first = open[state] === 0 ? Infinity : end - open[state]!;
      return Math.min(first, view.begun(), shapes.begun());
    },
    reset() {
      state = 0;
      view.reset();
      shapes.reset();
      recent.fill(0);
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
