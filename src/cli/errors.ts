import type { LockFailure } from "../adapters/lock/index.ts";
import type { OpenFailure } from "../adapters/store/index.ts";
import { because, EspalierError, EXIT, type StoreFailure } from "../ports/index.ts";
import { errorFor } from "../text/index.ts";

/** A failure of the state store as the person meets it: what happened, what is safe, what to do. */
export function storeError(failure: StoreFailure): EspalierError {
  switch (failure.kind) {
    case "fenced":
      return new EspalierError(
        "FENCED",
        `another process took over (epoch ${failure.stored}, ours was ${failure.epoch}); this one stopped and wrote nothing more`,
        {
          hint: "espalier status shows the run that goes on",
          exitCode: EXIT.locked,
        },
      );
    case "full":
      return new EspalierError("DISK_FULL", `${failure.message}. Everything acknowledged before is safe`, {
        hint: "make room, then: espalier resume",
        retryable: true,
        exitCode: EXIT.environment,
      });
    case "read-only":
      return new EspalierError("STATE_READ_ONLY", `${failure.message}. Nothing was started`, {
        hint: "make the state folder writable, or set stateDir in espalier.yaml",
        exitCode: EXIT.environment,
      });
    case "not-owned":
      return new EspalierError("STATE_NOT_OURS", failure.message, {
        hint: "nothing was started: what came with a repository is not believed to be Espalier's own",
        exitCode: EXIT.environment,
      });
    case "newer":
      return new EspalierError(
        "STATE_NEWER",
        `the state was made by a newer version (format ${failure.found}; this one reads ${failure.supported}). It was not touched`,
        {
          hint: "update espalier",
          exitCode: EXIT.waitingForPerson,
        },
      );
    case "damaged":
      return new EspalierError(
        "STATE_DAMAGED",
        failure.message + (failure.movedTo === undefined ? "" : `; kept as ${failure.movedTo}`),
        {
          hint: "espalier doctor shows what can be recovered",
          exitCode: EXIT.waitingForPerson,
        },
      );
    case "io":
      return new EspalierError("STATE_IO", failure.message, {
        hint: "check the disk, then: espalier resume",
        exitCode: EXIT.environment,
      });
    default: {
      const never: never = failure;
      throw new Error(`unknown failure ${JSON.stringify(never)}`);
    }
  }
}

/** Why the lock was not taken, as the person meets it. */
export function lockError(failure: LockFailure): EspalierError {
  if (failure.kind === "not-owned") return storeError(failure);
  if (failure.kind === "io") {
    return new EspalierError("STATE_NOT_WRITABLE", failure.message, {
      hint: `make ${failure.path} writable, or set stateDir in espalier.yaml; nothing was started`,
      exitCode: EXIT.environment,
    });
  }
  return errorFor("LOCKED", because("said", { by: "system", text: failure.message }), {
    advice: because("see-run", {}),
    retryable: true,
    exitCode: EXIT.locked,
  });
}

/** Why the state could not be opened, as the person meets it. */
export function openError(failure: OpenFailure): EspalierError {
  if (failure.kind === "foreign") {
    return new EspalierError(
      "STATE_FOREIGN",
      `the state belongs to ${failure.found}, this is ${failure.expected}`,
      {
        hint: "if the folder was moved, take the state over with --adopt; otherwise move the state folder away",
        exitCode: EXIT.waitingForPerson,
      },
    );
  }
  if (failure.kind === "unwritable") {
    return new EspalierError("STATE_NOT_WRITABLE", failure.message, {
      hint: `make ${failure.path} writable, or set stateDir in espalier.yaml; nothing was started`,
      exitCode: EXIT.environment,
    });
  }
  if (failure.kind === "unsealed") {
    const who = failure.isOfAnother ? "was sealed with a key that is not here" : "carries no seal";
    return new EspalierError(
      "STATE_UNSEALED",
      `the state ${who}: an older version, another machine or home, or somebody else wrote it. Nothing was started`,
      {
        hint: "look at it with espalier status; --trust-state believes it as it stands, otherwise move the state folder away",
        exitCode: EXIT.waitingForPerson,
      },
    );
  }
  if (failure.kind === "set-back" || failure.kind === "mixed") {
    const what =
      failure.kind === "mixed"
        ? "rows of the state are older than what was written last, or gone: somebody put earlier ones back, or took some out"
        : `the state is older than what was acknowledged last (event ${failure.event}): somebody put an earlier copy in its place`;
    return new EspalierError("STATE_SET_BACK", `${what}. Nothing was started`, {
      hint: "put the later one back; --trust-state believes this one as it stands",
      exitCode: EXIT.waitingForPerson,
    });
  }
  return storeError(failure);
}
