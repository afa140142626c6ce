import type { ByteMask } from "../../ports/index.ts";
import { createByteTail, createLineSplitter, type LineSplitter, lastLine } from "../process/index.ts";
import type { EventQueue } from "./event-queue.ts";
import type { OutputReader } from "./process-session.ts";

/** Bytes of the final message that are kept. */
const MESSAGE_BYTES = 1 << 16;
/** Bytes of stderr among which its last line is looked for. */
const COMPLAINT_BYTES = 1 << 13;

/**
 * Reads plain output: every line an event, stdout the final message. With `complain`, the last line of stderr is put
 * at the end of the message of a process that failed. What is kept is cut behind its mask.
 */
export function createTextReader(queue: EventQueue, complain: boolean, mask?: () => ByteMask): OutputReader {
  const message = createByteTail(MESSAGE_BYTES, mask?.());
  const complaint = createByteTail(COMPLAINT_BYTES, mask?.());
  const splitters = { stdout: splitter(queue, "stdout"), stderr: splitter(queue, "stderr") };
  return {
    write(stream, chunk) {
      splitters[stream].write(chunk);
      if (stream === "stdout") message.push(chunk);
      else if (complain) complaint.push(chunk);
    },
    end({ exitCode }) {
      splitters.stdout.end();
      splitters.stderr.end();
      const said = message.text();
      const last = exitCode === 0 ? "" : lastLine(complaint.wholeLines());
      if (last === "") return { finalMessage: said };
      const gap = said === "" || said.endsWith("\n") ? "" : "\n";
      return { finalMessage: `${said}${gap}${last}`.slice(-MESSAGE_BYTES) };
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
