import type { ByteMask } from "../../ports/index.ts";
import { createByteTail, createLineSplitter } from "../process/index.ts";
import type { EventQueue } from "./event-queue.ts";
import { keptMessage, MESSAGE_BYTES } from "./kept-message.ts";

/** What an agent says in the course of a turn: lines for those who watch, the last message for the verdict. */
export interface Said {
  /** A piece of the current message, as it comes. */
  piece(text: string): void;
  /** The next piece begins on a line of its own. */
  line(): void;
  /** Something else happened: the next piece begins another message. */
  pause(): void;
  /** The agent's own word on what its last message was. */
  final(text: string): void;
  /** Delivers what stands behind the last newline. */
  end(): void;
  /** The last message that had any text. */
  message(): string;
}

/** A listener that turns messages into lines of stdout. The last message is cut behind its mask. */
export function createSaid(queue: EventQueue, mask?: () => ByteMask): Said {
  const splitter = createLineSplitter({
    open: () => queue.open(),
    line: text => queue.line("stdout", text),
    skipped: bytes => queue.line("stdout", `[espalier] … ${bytes} bytes of output are not shown here`),
  });
  let message = createByteTail(MESSAGE_BYTES, mask?.());
  let paused = false;
  let open = false;

  function pause(): void {
    paused = true;
    if (open) splitter.write(Buffer.from("\n"));
    open = false;
  }

  function piece(text: string): void {
    if (text === "") return;
    if (paused && text.trim() !== "") {
      paused = false;
      message = createByteTail(MESSAGE_BYTES, mask?.());
    }
    const bytes = Buffer.from(text);
    message.push(bytes);
    splitter.write(bytes);
    open = !text.endsWith("\n");
  }

  return {
    piece,
    line() {
      if (open) piece("\n");
    },
    pause,
    final(text) {
      message = createByteTail(MESSAGE_BYTES, mask?.());
      message.push(Buffer.from(text));
    },
    end: () => splitter.end(),
    message: () => keptMessage({ text: message.text(), left: message.left }),
  };
}
