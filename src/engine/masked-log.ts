import { cappedLog, type OutputLog } from "../ports/index.ts";
import type { Redactor } from "../text/index.ts";

/** Raw output on its way to a log. */
export interface MaskedLog {
  readonly write: OutputLog;
  /** Passes on what was held back. */
  end(): void;
}

/**
 * Masks raw output and lets `limit` bytes of it through. The limit stands behind the mask: a cut before it would leave the
 * beginning of a secret, which nobody knows for one.
 */
export function maskedLog(log: OutputLog, limit: number, redact: Redactor): MaskedLog {
  const streams = { stdout: redact.stream(), stderr: redact.stream() };
  const pass = cappedLog(log, limit);
  let isOpen = true;
  return {
    write(name, chunk) {
      if (isOpen) isOpen = pass(name, streams[name].push(chunk));
    },
    end() {
      for (const name of ["stdout", "stderr"] as const) pass(name, streams[name].end());
    },
  };
}
