import { createHash } from "node:crypto";
import { closeSync, writeSync } from "node:fs";
import { join, relative } from "node:path";
import { decodeUtf8 } from "../../delta/index.ts";
import type { AttemptName, StateFiles } from "../../engine/world.ts";
import { fail, ok, type Result } from "../../ports/index.ts";
import { slug } from "../../text/index.ts";
import {
  makeOwnedFolder,
  ownedFileCalls,
  readBounded,
  removeOwned,
  unsyncedOwnedCalls,
  writeAtomic,
} from "../file/index.ts";

/** Bytes of lessons that one attempt may leave. */
const MAX_LESSONS = 64 * 1024;

/** Bytes of a document that an attempt leaves in its file. */
const MAX_DOCUMENT = 4 * 1024 * 1024;

/** Bytes of all lessons within which one that is there already is found. */
const MAX_LEARNINGS = 8 * 1024 * 1024;

/** A file name for an attempt: readable, and different for different ids whatever they are made of. */
export function attemptName(task: string, attempt: AttemptName): string {
  return `${slug(task, "task")}-${createHash("sha256").update(task).digest("hex").slice(0, 6)}.${attempt}`;
}

/** Ids as most plans have them: short, and the same file on no file system as another. */
const PLAIN_ID = /^[A-Z]\d{1,6}(?:\.\d{1,6}){0,5}$/;

/** The file name of a prompt, which a lead reads for each of its tasks. */
function promptName(task: string, attempt: AttemptName): string {
  return `${PLAIN_ID.test(task) ? `${task}.${attempt}` : attemptName(task, attempt)}.md`;
}

/** The file of a prompt that asks for this signal; an attempt of the same number of an earlier run may have left another. */
export function promptFile(
  stateDir: string,
  task: string,
  attempt: AttemptName,
  signalId: string,
): string | undefined {
  const path = join(stateDir, "attempts", promptName(task, attempt));
  const bytes = readBounded(path, { maxBytes: MAX_DOCUMENT, calls: ownedFileCalls });
  return bytes.ok && Buffer.from(bytes.value).includes(signalId) ? path : undefined;
}

function openPlain(path: string): number {
  const fd = ownedFileCalls.open(path, "append", 0o600);
  if (ownedFileCalls.fstat(fd).kind === "file") return fd;
  closeSync(fd);
  throw new Error(`${path} is not a plain file`);
}

function append(path: string, text: string): void {
  const fd = openPlain(path);
  try {
    writeSync(fd, text);
  } finally {
    closeSync(fd);
  }
}

/** Lines of a lesson that are not there yet; headings and blank lines go with what they stand around. */
function unknownLessons(text: string, known: string): string {
  const lines = new Set(known.split("\n").map(line => line.trim()));
  const kept = text.split("\n").filter(line => {
    const said = line.trim();
    return said === "" || said.startsWith("#") || !lines.has(said);
  });
  return kept.some(line => line.trim() !== "" && !line.startsWith("#")) ? kept.join("\n").trim() : "";
}

function mergeLessons(
  { stateDir, redact }: Pick<StateFilesOptions, "stateDir" | "redact">,
  from: string,
  title: string,
): void {
  const bytes = readBounded(from, { maxBytes: MAX_LESSONS, calls: ownedFileCalls });
  const text = bytes.ok ? redact(Buffer.from(bytes.value).toString("utf8")).trim() : "";
  const into = join(stateDir, "memory", "learnings.md");
  const before = readBounded(into, { maxBytes: MAX_LEARNINGS, calls: ownedFileCalls });
  const known = before.ok ? Buffer.from(before.value).toString("utf8") : "";
  const fresh = unknownLessons(text, known);
  if (fresh !== "") append(into, `\n## ${title}\n\n${fresh}\n`);
  removeOwned(from);
}

/** Says something at the end of an attempt's log, once. Never throws: where it cannot be written, nobody is told. */
export function noteInLog(stateDir: string, task: string, attempt: AttemptName, note: string): void {
  const line = `[espalier] ${note}\n`;
  const folder = join(stateDir, "attempts");
  const path = join(folder, `${attemptName(task, attempt)}.log`);
  try {
    makeOwnedFolder(folder);
    const before = readBounded(path, { maxBytes: line.length * 4, calls: ownedFileCalls });
    if (before.ok && Buffer.from(before.value).toString("utf8") === line) return;
    append(path, !before.ok && before.failure.kind === "missing" ? line : `\n${line}`);
  } catch {
    // As above.
  }
}

export interface StateFilesOptions {
  readonly root: string;
  readonly stateDir: string;
  /** Masks what attempts leave for all who come later. */
  readonly redact: (text: string) => string;
  readonly backup: () => Promise<Result<void, string>>;
  /** Seals the thin state. */
  readonly seal?: ((json: string) => string) | undefined;
}

/** The files beside the database. Directories are made here, private to their owner. */
export function localStateFiles({ root, stateDir, redact, backup, seal }: StateFilesOptions): StateFiles {
  for (const folder of ["", "attempts", "memory", join("memory", "attempts")]) {
    makeOwnedFolder(join(stateDir, folder));
  }
  const lessons = (task: string, attempt: AttemptName) =>
    join(stateDir, "memory", "attempts", `${attemptName(task, attempt)}.md`);
  const prepared = (task: string, attempt: number) =>
    join(stateDir, "attempts", `${attemptName(task, attempt)}.document.md`);
  return {
    writeThin(json) {
      const text = seal?.(json) ?? json;
      const written = writeAtomic(join(stateDir, "orchestrate-state.json"), text, {
        backup: isJson,
        calls: ownedFileCalls,
      });
      return written.ok ? ok(undefined) : fail(written.failure.message);
    },
    log(line) {
      try {
        append(join(stateDir, "orchestrate.log"), `${line}\n`);
      } catch {
        // A full disk must not end a run for the sake of its log; the state itself says so loudly.
      }
    },
    attemptLog(task, attempt) {
      const path = join(stateDir, "attempts", `${attemptName(task, attempt)}.log`);
      let fd: number | undefined;
      return {
        path: relative(root, path),
        write(chunk) {
          try {
            fd ??= openPlain(path);
            writeSync(fd, chunk);
          } catch {
            // As above: the attempt goes on without its log.
          }
        },
        close() {
          if (fd !== undefined) closeSync(fd);
          fd = undefined;
        },
      };
    },
    packageFile(task, attempt, text) {
      const path = join(stateDir, "attempts", promptName(task, attempt));
      // The attempt that reads it does not outlive the machine.
      return writeAtomic(path, text, { mode: 0o600, calls: unsyncedOwnedCalls }).ok ? path : undefined;
    },
    openDocument(task, attempt) {
      const path = prepared(task, attempt);
      // An attempt of the same number of an earlier run may have left one.
      removeOwned(path);
      return relative(root, path);
    },
    documentLeft(task, attempt) {
      const path = prepared(task, attempt);
      const bytes = readBounded(path, { maxBytes: MAX_DOCUMENT, calls: ownedFileCalls });
      if (!bytes.ok) return bytes.failure.kind === "missing" ? ok(undefined) : fail(bytes.failure.message);
      const text = decodeUtf8(bytes.value);
      if (!text.ok) return fail(`${relative(root, path)} is no UTF-8 text (byte ${text.failure.offset})`);
      const clear = redact(text.value);
      // The file stays where it is.
      if (clear !== text.value) writeAtomic(path, clear, { calls: ownedFileCalls });
      return ok(clear.trim() === "" ? undefined : clear);
    },
    keepDocument(task, attempt, text) {
      writeAtomic(prepared(task, attempt), text, { calls: ownedFileCalls });
    },
    learningsPath: (task, attempt) => relative(root, lessons(task, attempt)),
    collectLearnings(task, attempt, agent) {
      try {
        mergeLessons({ stateDir, redact }, lessons(task, attempt), `${task} (attempt ${attempt}, ${agent})`);
      } catch {
        // What could not be merged stays where the agent put it.
      }
    },
    backup,
  };
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(bytes).toString("utf8"));
    return true;
  } catch {
    return false;
  }
}
