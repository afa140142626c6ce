import type { ByteMask } from "../../ports/index.ts";
import { createByteTail, createLineSplitter, type LineSplitter } from "../process/index.ts";
import type { EventQueue } from "./event-queue.ts";
import { plainComplaint } from "./plain-complaint.ts";
import type { OutputReader } from "./process-session.ts";
import { lastOwnLine, tellingLine } from "./telling-line.ts";

/** Bytes of the final message that are kept. */
const MESSAGE_BYTES = 1 << 16;
/** Bytes of stderr among which a reason is looked for. */
const COMPLAINT_BYTES = 1 << 13;

export interface TextReaderOptions {
  /** The agent's name, for messages. */
  readonly agent: string;
  readonly queue: EventQueue;
  readonly mask: (() => ByteMask) | undefined;
  /** Puts the last line of stderr at the end of the message of a process that failed: its exit code is all it reports. */
  readonly byExit: boolean;
  /** What the user's own agents say when a limit is reached. */
  readonly limits: readonly string[];
}

/**
 * Reads plain output: every line an event, stdout the final message, and in both of them what the program complains of. What
 * is kept is cut behind its mask.
 */
export function createTextReader({ agent, queue, mask, byExit, limits }: TextReaderOptions): OutputReader {
  const message = createByteTail(MESSAGE_BYTES, mask?.());
  const complaint = createByteTail(COMPLAINT_BYTES, mask?.());
  const splitters = { stdout: splitter(queue, "stdout"), stderr: splitter(queue, "stderr") };
  return {
    write(stream, chunk) {
      splitters[stream].write(chunk);
      if (stream === "stdout") message.push(chunk);
      else complaint.push(chunk);
    },
    end({ exitCode, cause }) {
      splitters.stdout.end();
      splitters.stderr.end();
      const said = message.text();
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
      return { ...told, finalMessage: `${said}${gap}${last}`.slice(-MESSAGE_BYTES) };
    },
  };
}

function splitter(queue: EventQueue, stream: "stdout" | "stderr"): LineSplitter {
  return createLineSplitter({
    open: () => queue.open(),
    line: text => queue.line(stream, text),
    skipped: bytes => queue.line(stream, `[espalier] … ${bytes} bytes of output are not shown here`),
  });
}
