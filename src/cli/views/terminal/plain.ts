import type { StampedEvent } from "../../../ports/index.ts";
import type { Messages } from "../../../text/index.ts";

/** The run as log lines, for pipes and build servers. */
export interface PlainView {
  /** Writes at most one line. */
  event(event: StampedEvent): void;
}

export interface PlainOptions {
  /** Receives each line with its line break. */
  readonly write: (text: string) => void;
  readonly messages: Pick<Messages, "logLine">;
  /** Masks known secrets. */
  readonly redact: (text: string) => string;
}

/** The documents' log (004 section 8.1): one line for each event that is logged, nothing else. */
export function createPlainView({ write, messages, redact }: PlainOptions): PlainView {
  return {
    event({ event }) {
      const logged = messages.logLine(event);
      if (logged !== undefined) write(`${redact(logged)}\n`);
    },
  };
}
