import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { Git } from "../call/call.ts";

/** Bytes of a diff that anybody reads. */
const MOST = 8 * 1024 ** 2;

/**
 * What differs between two trees or commits, or at some paths of them, as a unified diff with renames; what is longer is cut at
 * the end of a line, and says so.
 */
export async function diffText(
  { git }: { readonly git: Pick<Git, "run"> },
  from: string,
  to: string,
  paths: readonly string[] = [],
): Promise<Result<string, VcsFailure>> {
  const shown = ["-r", "-p", "--find-renames", "--no-ext-diff", "--no-textconv", "--no-color"];
  const prefixes = ["--src-prefix=a/", "--dst-prefix=b/"];
  const limited = paths.length === 0 ? [] : ["--", ...paths];
  const done = await git.run(["diff-tree", ...shown, ...prefixes, from, to, ...limited]);
  if (!done.ok) return done;
  const { stdout } = done.value;
  if (stdout.length <= MOST) return ok(stdout.toString());
  const end = stdout.lastIndexOf(10, MOST) + 1;
  return ok(`${stdout.subarray(0, end).toString()}[${stdout.length - end} more bytes left out]\n`);
}
