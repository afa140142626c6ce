import { dirname } from "node:path";
import { fail, ok, type Result } from "../../ports/result.ts";
import { type FileCalls, type FileFacts, nodeFileCalls } from "./calls.ts";
import { notRegular, type WriteFailure } from "./failure.ts";
import { fillTemporary, plainOrFree } from "./fill.ts";
import { keepOld } from "./keep-old.ts";
import { type Published, publish } from "./publish.ts";
import { identityOf, removeQuietly, temporaryLinks } from "./temporaries.ts";

/** How a file is replaced. */
export interface WriteOptions {
  /** Permission bits of a new file; 0600 unless said, and never more than the umask allows. */
  readonly mode?: number;
  /** Keep the mode and, where permitted, the owner of a file that exists. */
  readonly keepMode?: boolean;
  /**
   * Keeps the old content as `<path>.bak` if this accepts it. Old content that it refuses is kept as
   * `<path>.corrupt-<hash>` instead and never takes the place of a good backup.
   */
  readonly backup?: (old: Uint8Array) => boolean;
  /**
   * The folder in which the new content is written before it takes its place, where that can be: on the same file system.
   * The file's own folder unless said.
   */
  readonly through?: string;
  readonly calls?: FileCalls;
}

/**
 * Replaces a file in one step: whoever reads it, now or after a crash or power cut, finds the old content or the new
 * one, whole. Success means the new content is on disk. Links, pipes, devices and directories are refused.
 */
export function writeAtomic(
  path: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): Result<Published, WriteFailure> {
  const written = writeThrough(path, content, options);
  if (written.ok || options.through === undefined || written.failure.applied === "unknown") return written;
  return writeThrough(path, content, { ...options, through: dirname(path) });
}

function writeThrough(
  path: string,
  content: string | Uint8Array,
  options: WriteOptions,
): Result<Published, WriteFailure> {
  const calls = options.calls ?? nodeFileCalls;
  const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
  const old = ownFile(path, calls);
  if (!old.ok) return old;

  const temporary = fillTemporary(
    options.through ?? dirname(path),
    bytes,
    {
      mode: options.mode ?? 0o600,
      reread: options.backup !== undefined,
      ...(options.keepMode === true && old.value !== undefined ? { like: old.value } : {}),
    },
    calls,
  );
  if (!temporary.ok) return temporary;

  if (options.backup !== undefined && old.value !== undefined) {
    const kept = keepOld(path, old.value, options.backup, calls);
    if (!kept.ok) {
      removeQuietly(temporary.value, calls);
      return kept;
    }
  }
  return publish(temporary.value, path, calls);
}

// A writer killed between linking the backup and renaming leaves second names of its own; those are no obstacle.
function ownFile(path: string, calls: FileCalls): Result<FileFacts | undefined, WriteFailure> {
  const facts = plainOrFree(path, calls);
  if (!facts.ok || facts.value === undefined || facts.value.links === 1) return facts;
  const { identity } = facts.value;
  for (const link of temporaryLinks(dirname(path), identity, calls)) removeQuietly(link, calls);
  const again = plainOrFree(path, calls);
  if (!again.ok || again.value === undefined) return again;
  const own = identityOf(`${path}.bak`, calls) === identity ? 2 : 1;
  if (again.value.links <= own) return ok(again.value);
  return fail(notRegular(path, `one of ${again.value.links} hard links to the same file`));
}
