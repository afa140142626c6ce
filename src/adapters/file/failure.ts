/** Why a file could not be written. Nothing was changed unless `applied` says that it is unknown. */
export interface WriteFailure {
  readonly kind: "full" | "read-only" | "not-regular" | "io";
  readonly path: string;
  /** The system's name of the error, e.g. `ENOSPC`; empty when no call failed. */
  readonly errno: string;
  readonly message: string;
  /** `unknown`: the new content may or may not stand there after a power cut. */
  readonly applied: "no" | "unknown";
}

/** Why a file could not be read. */
export type ReadFailure =
  | { readonly kind: "missing"; readonly path: string; readonly message: string }
  | { readonly kind: "not-regular"; readonly path: string; readonly message: string }
  | {
      readonly kind: "too-large";
      readonly path: string;
      readonly size: number;
      readonly limit: number;
      readonly message: string;
    }
  | { readonly kind: "permission"; readonly path: string; readonly message: string }
  | { readonly kind: "io"; readonly path: string; readonly errno: string; readonly message: string };

const KINDS: Readonly<Record<string, WriteFailure["kind"]>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EFBIG: "full",
  EROFS: "read-only",
  EACCES: "read-only",
  EPERM: "read-only",
  EISDIR: "not-regular",
  ELOOP: "not-regular",
  ENOTOWNED: "not-regular",
};

/** The system's name of a thrown error; anything that is not a system error is a bug and thrown on. */
export function errnoOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}

/** Tells a thrown system error as a failure to write. */
export function writeFailure(
  path: string,
  error: unknown,
  applied: WriteFailure["applied"] = "no",
): WriteFailure {
  const errno = errnoOf(error);
  const kind = KINDS[errno] ?? "io";
  const { message } = error as Error;
  return { kind, path, errno, message: errno === "ENOTOWNED" ? message : `${path}: ${message}`, applied };
}

/** Tells a file that is not a plain file of its own. */
export function notRegular(path: string, found: string): WriteFailure {
  const message = `${path} is ${found}; only a plain file is replaced`;
  return { kind: "not-regular", path, errno: "", message, applied: "no" };
}
