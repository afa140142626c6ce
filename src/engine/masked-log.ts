import { cappedLog, type OutputLog } from "../ports/index.ts";
import type { Redactor } from "../text/index.ts";
import type { HeardWorld } from "./world.ts";

/** Raw output on its way to a log. */
interface MaskedLog {
  readonly write: OutputLog;
  /** Passes on what was held back. */
  end(): void;
}

/** Opens the raw log of an attempt with the mask in front of it. */
export function openMaskedLog(
  { files, redact }: Pick<HeardWorld, "files" | "redact">,
  { task, number }: { readonly task: string; readonly number: number },
  limit: number,
): { readonly write: OutputLog; close(): void } {
  const log = files.attemptLog(task, number);
  const { write, end } = maskedLog((_stream, chunk) => log.write(chunk), limit, redact);
  return {
    write,
    close() {
      end();
      log.close();
    },
  };
}

/**
 * Masks raw output and lets `limit` bytes of it through. The limit stands behind the mask: a cut before it would leave the
 * beginning of a secret, which nobody knows for one.
 */
function maskedLog(log: OutputLog, limit: number, redact: Redactor): MaskedLog {
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
