import { cappedLog, type OutputLog } from "../ports/index.ts";
import type { Redactor } from "../text/index.ts";
import type { HeardWorld } from "./world.ts";

/** Raw output on its way to a log. */
interface MaskedLog {
  readonly write: OutputLog;
  /** Passes on what was held back. */
  end(): void;
}

/** Opens the raw log of an attempt with the mask in front of it; `note` is what is said at its end. */
export function openMaskedLog(
  { files, redact }: Pick<HeardWorld, "files" | "redact">,
  { task, number }: { readonly task: string; readonly number: number },
  limit: number,
): { readonly write: OutputLog; close(note?: string): void } {
  const log = files.attemptLog(task, number);
  const { write, end } = maskedLog((_stream, chunk) => log.write(chunk), limit, redact);
  return {
    write,
    close(note) {
      end();
      // It stands behind the limit as well: who reads the log has to know that it ends too soon.
      if (note !== undefined) log.write(Buffer.from(`\n[espalier] ${note}\n`));
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
