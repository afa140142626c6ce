import { fail, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { Repository } from "./repository.ts";

/** The text of a file in a commit or tree; undefined where no file stands at that path. */
export async function readText(
  { git }: Repository,
  tree: string,
  path: string,
): Promise<Result<string | undefined, VcsFailure>> {
  const listed = await git.fields(["ls-tree", "-z", tree, "--", path]);
  if (!listed.ok) return fail(listed.failure);
  const [, type, id] = /^\d+ (\w+) (\w+)\t/.exec(listed.value[0] ?? "") ?? [];
  if (type !== "blob" || id === undefined) return ok(undefined);
  const found = await git.run(["cat-file", "blob", id]);
  return found.ok ? ok(found.value.stdout.toString()) : found;
}
