import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { fail, ok, type Result } from "../../ports/result.ts";
import type { FileCalls, FileFacts } from "./calls.ts";
import { errnoOf, type ReadFailure, type WriteFailure } from "./failure.ts";
import { fillTemporary, plainOrFree } from "./fill.ts";
import { publish } from "./publish.ts";
import { readBounded } from "./read-bounded.ts";
import { identityOf, removeQuietly, temporaryName } from "./temporaries.ts";

/**
 * Keeps the content a file has now: as its backup when `accepts` says that it is sound, aside when not.
 * A backup is only ever replaced by content that was accepted.
 */
export function keepOld(
  path: string,
  facts: FileFacts,
  accepts: (old: Uint8Array) => boolean,
  calls: FileCalls,
): Result<void, WriteFailure> {
  const old = readBounded(path, { maxBytes: facts.size, calls });
  if (!old.ok) return fail(unreadable(old.failure));
  if (!accepts(old.value)) return keepAside(path, facts, old.value, calls);

  const backup = `${path}.bak`;
  const present = plainOrFree(backup, calls);
  if (!present.ok) return present;
  if (present.value?.identity === facts.identity) return ok(undefined);
  if (linkAs(path, facts, backup, calls)) return ok(undefined);
  return copyAs(old.value, facts, backup, calls);
}

// By its hash, so that the same damage met again is not stored again.
function keepAside(
  path: string,
  facts: FileFacts,
  old: Uint8Array,
  calls: FileCalls,
): Result<void, WriteFailure> {
  const hash = createHash("sha256").update(old).digest("hex").slice(0, 12);
  const aside = `${path}.corrupt-${hash}`;
  return identityOf(aside, calls) === undefined ? copyAs(old, facts, aside, calls) : ok(undefined);
}

// Costs no space and no sync. False where links are not supported, or where the file is no longer the one that was
// accepted.
function linkAs(path: string, facts: FileFacts, backup: string, calls: FileCalls): boolean {
  const temporary = temporaryName(dirname(path), calls);
  try {
    calls.link(path, temporary);
    const linked = calls.lstat(temporary);
    if (linked.identity === facts.identity && linked.modified === facts.modified) {
      calls.rename(temporary, backup);
      return true;
    }
  } catch (error) {
    errnoOf(error);
  }
  removeQuietly(temporary, calls);
  return false;
}

function copyAs(
  old: Uint8Array,
  facts: FileFacts,
  target: string,
  calls: FileCalls,
): Result<void, WriteFailure> {
  const mode = facts.mode & 0o600;
  const temporary = fillTemporary(dirname(target), old, { mode, reread: false }, calls);
  if (!temporary.ok) return temporary;
  const published = publish(temporary.value, target, calls);
  return published.ok ? ok(undefined) : published;
}

function unreadable(failure: ReadFailure): WriteFailure {
  const kinds = { missing: "io", "too-large": "io", permission: "read-only" } as const;
  const kind = failure.kind === "not-regular" || failure.kind === "io" ? failure.kind : kinds[failure.kind];
  const errno = failure.kind === "io" ? failure.errno : "";
  return { kind, path: failure.path, errno, message: failure.message, applied: "no" };
}
