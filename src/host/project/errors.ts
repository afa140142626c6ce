import type { LockFailure } from "../../adapters/lock/index.ts";
import { type OpenFailure, STATE_NAMES } from "../../adapters/store/index.ts";
import {
  because,
  type EspalierError,
  EXIT,
  type Reason,
  type StoreFailure,
  type VcsFailure,
} from "../../ports/index.ts";
import { errorFor, type Locale, reasonText, visible } from "../../text/index.ts";

/** What the system said, whole. */
function system(text: string): Reason {
  return because("said", { by: "system", text });
}

/** A failure of the state store as the person meets it: what happened, what is safe, what to do. */
export function storeError(failure: StoreFailure): EspalierError {
  switch (failure.kind) {
    case "fenced":
      return errorFor("FENCED", because("fenced", { stored: failure.stored, ours: failure.epoch }), {
        advice: because("see-status", {}),
        exitCode: EXIT.locked,
      });
    case "full":
      return errorFor("DISK_FULL", because("disk-full", { said: failure.message }), {
        advice: because("make-room", {}),
        retryable: true,
        exitCode: EXIT.environment,
      });
    case "read-only":
      return errorFor("STATE_READ_ONLY", because("nothing-started", { why: system(failure.message) }), {
        advice: because("make-writable", {}),
        exitCode: EXIT.environment,
      });
    case "not-owned":
      return errorFor(
        "STATE_NOT_OURS",
        failure.what === undefined ? system(failure.message) : because("not-owned", failure.what),
        {
          advice: because("came-with-repository", {}),
          exitCode: EXIT.environment,
        },
      );
    case "newer": {
      const { found, supported } = failure;
      return errorFor("STATE_NEWER", because("state-newer", { found, supported }), {
        advice: because("update-program", {}),
        exitCode: EXIT.waitingForPerson,
      });
    }
    case "damaged": {
      const kept = failure.movedTo === undefined ? {} : { kept: failure.movedTo };
      const { message: said, how: damage } = failure;
      const how =
        damage === undefined
          ? because("state-damaged", { said, ...kept })
          : because("state-file-damaged", { file: STATE_NAMES.database, damage, ...kept });
      return errorFor("STATE_DAMAGED", how, {
        advice: because("see-doctor", { of: "state" }),
        exitCode: EXIT.waitingForPerson,
      });
    }
    case "gone":
      return errorFor("STATE_IO", because("state-gone", {}), {
        advice: because("state-back", {}),
        exitCode: EXIT.environment,
      });
    case "io":
      return errorFor("STATE_IO", system(failure.message), {
        advice: because("check-disk", {}),
        exitCode: EXIT.environment,
      });
    default: {
      const never: never = failure;
      throw new Error(`unknown failure ${JSON.stringify(never)}`);
    }
  }
}

function notWritable({ path, message }: { readonly path: string; readonly message: string }): EspalierError {
  return errorFor("STATE_NOT_WRITABLE", system(message), {
    advice: because("make-writable", { path }),
    exitCode: EXIT.environment,
  });
}

/** What git refused, as the person meets it. */
export function gitError({ reason }: VcsFailure): EspalierError {
  return errorFor("GIT_REFUSED", reason, {
    advice: because("see-doctor", { of: "repository" }),
    exitCode: EXIT.environment,
  });
}

/** Why the lock was not taken, as the person meets it. */
export function lockError(failure: LockFailure): EspalierError {
  if (failure.kind === "not-owned") return storeError(failure);
  if (failure.kind === "io") return notWritable(failure);
  return errorFor("LOCKED", failure.reason, {
    advice: because("see-run", { isStopped: failure.liveness === "stopped" }),
    retryable: true,
    exitCode: EXIT.locked,
  });
}

/** Why the state could not be opened, as the person meets it. */
export function openError(failure: OpenFailure): EspalierError {
  switch (failure.kind) {
    case "foreign": {
      const { found, expected } = failure;
      return errorFor("STATE_FOREIGN", because("state-foreign", { found, expected }), {
        advice: because("adopt-state", {}),
        exitCode: EXIT.waitingForPerson,
      });
    }
    case "unwritable":
      return notWritable(failure);
    case "unsealed": {
      const why = because("state-unsealed", { isOfAnother: failure.isOfAnother });
      return errorFor("STATE_UNSEALED", because("nothing-started", { why }), {
        advice: because("trust-state", { first: "look" }),
        exitCode: EXIT.waitingForPerson,
      });
    }
    case "set-back":
    case "mixed": {
      const why = because("state-set-back", failure.kind === "mixed" ? {} : { event: failure.event });
      return errorFor("STATE_SET_BACK", because("nothing-started", { why }), {
        advice: because("trust-state", { first: "put-back" }),
        exitCode: EXIT.waitingForPerson,
      });
    }
    case "fenced":
    case "full":
    case "read-only":
    case "not-owned":
    case "newer":
    case "damaged":
    case "gone":
    case "io":
      return storeError(failure);
    default: {
      const never: never = failure;
      throw new Error(`unknown failure ${JSON.stringify(never)}`);
    }
  }
}

/** An expected error as people read it: what happened, then what to do. */
export function describeError(error: EspalierError, locale: Locale): string {
  const { code, reason, advice } = error;
  const told = advice === undefined ? error.hint : reasonText(advice, locale);
  const hint = told === undefined ? "" : `\n  ${told.split("\n").join("\n  ")}`;
  return `${code}: ${(reason === undefined ? error.message : reasonText(reason, locale))
    .split("\n")
    .map(line => visible(line))
    .join("\n")}${hint}`;
}
