import type { AgentUsage, ByteMask } from "../../ports/index.ts";
import { type ByteTail, createByteTail, createLineSplitter, type LineSplitter } from "../process/index.ts";
import type { EventQueue } from "./event-queue.ts";
import { jsonAnswer } from "./json-answer.ts";
import { keptMessage, MESSAGE_BYTES } from "./kept-message.ts";
import { plainComplaint } from "./plain-complaint.ts";
import type { OutputReader } from "./process-session.ts";
import { lastOwnLine, tellingLine } from "./telling-line.ts";

/** Bytes of stderr among which a reason is looked for. */
const COMPLAINT_BYTES = 1 << 13;
const SPACE = 0x20;
/** `{` and `[`. */
const OPENING = [0x7b, 0x5b];
/** Bytes of an output that is JSON; what is longer is read as plain text. */
const JSON_BYTES = 1 << 24;

export interface TextReaderOptions {
  /** The agent's name, for messages. */
  readonly agent: string;
  readonly queue: EventQueue;
  readonly mask: (() => ByteMask) | undefined;
  /** Puts the last line of stderr at the end of the message of a process that failed: its exit code is all it reports. */
  readonly byExit: boolean;
  /** What the user's own agents say when a limit is reached. */
  readonly limits: readonly string[];
  /** Hears what a turn used that its program tells in JSON; without it no JSON is looked for. */
  readonly counted?: (usage: AgentUsage) => void;
}

/**
 * Reads plain output: every line an event, stdout the final message, and in both of them what the program complains of. What
 * is kept is cut behind its mask.
 */
export function createTextReader(options: TextReaderOptions): OutputReader {
  const { agent, queue, mask, byExit, limits, counted } = options;
  const message = createByteTail(MESSAGE_BYTES, mask?.());
  const complaint = createByteTail(COMPLAINT_BYTES, mask?.());
  const json = counted === undefined ? undefined : createJsonKeeper();
  const splitters = { stdout: splitter(queue, "stdout"), stderr: splitter(queue, "stderr") };
  return {
    write(stream, chunk) {
      splitters[stream].write(chunk);
      if (stream === "stdout") {
        message.push(chunk);
        json?.keep(chunk);
      } else complaint.push(chunk);
    },
    end({ exitCode, cause }) {
      splitters.stdout.end();
      splitters.stderr.end();
      const answer = json?.answer();
      if (answer !== undefined) counted?.(answer.usage);
      const own = answer === undefined ? message : masked(answer.said, mask);
      const all = { text: own.text(), left: own.left };
      const said = keptMessage(all);
      const errors = complaint.wholeLines();
      const isAgent = !byExit;
      const found = plainComplaint({ agent, exitCode, cause, said, errors, limits, isAgent }, Date.now());
      const heard = { finalMessage: said, lastWords: tellingLine(errors) };
      // What it was ended in the middle of is what it waited for.
      if (cause !== "exit") return found === undefined ? heard : { ...heard, failure: found };
      const told = found === undefined ? heard : { ...heard, complaint: found };
      const last = byExit && exitCode !== 0 ? lastOwnLine(errors) : "";
      if (last === "") return told;
      const gap = said === "" || said.endsWith("\n") ? "" : "\n";
      return { ...told, finalMessage: keptMessage(all, `${gap}${last}`) };
    },
  };
}

/** What was said in JSON is masked anew: its escapes may have hidden a secret. */
function masked(said: string, mask: (() => ByteMask) | undefined): ByteTail {
  const message = createByteTail(MESSAGE_BYTES, mask?.());
  message.push(Buffer.from(said));
  return message;
}

/** Keeps an output as long as it may be JSON. */
function createJsonKeeper() {
  let chunks: Buffer[] | undefined = [];
  let bytes = 0;
  let mayBe: boolean | undefined;
  return {
    keep(chunk: Uint8Array): void {
      if (chunks === undefined) return;
      bytes += chunk.length;
      const first = mayBe === undefined ? chunk.find(byte => byte > SPACE) : undefined;
      if (first !== undefined) mayBe = OPENING.includes(first);
      if (mayBe === false || bytes > JSON_BYTES) chunks = undefined;
      else chunks.push(Buffer.from(chunk));
    },
    answer: () => (chunks === undefined ? undefined : jsonAnswer(Buffer.concat(chunks).toString("utf8"))),
  };
}

function splitter(queue: EventQueue, stream: "stdout" | "stderr"): LineSplitter {
  return createLineSplitter({
    open: () => queue.open(),
    line: text => queue.line(stream, text),
    skipped: bytes => queue.line(stream, `[espalier] … ${bytes} bytes of output are not shown here`),
  });
}
