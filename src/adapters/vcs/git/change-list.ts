import { fail, ok, type Result } from "../../../ports/index.ts";
import { findProgram } from "../../process/index.ts";
import { type Git, openGit } from "./call.ts";
import { trapAround } from "./traps.ts";

/** One file that a commit changed; without numbers where git counts no lines. */
export interface FileChange {
  readonly path: string;
  readonly added?: number;
  readonly removed?: number;
}

const COMMIT = /^[0-9a-f]{7,64}$/;

function changeOf(field: string): FileChange[] {
  const [added, removed, ...path] = field.split("\t");
  if (path.length === 0) return [];
  const lines = added === "-" ? {} : { added: Number(added), removed: Number(removed) };
  return [{ path: path.join("\t"), ...lines }];
}

/** What a commit changed against its first parent. The failure is a sentence for people. */
export async function listChanges(
  git: Pick<Git, "fields">,
  commit: string,
): Promise<Result<readonly FileChange[], string>> {
  if (!COMMIT.test(commit)) return fail(`${commit} names no commit`);
  const how = ["--numstat", "--no-renames", "--no-ext-diff", "--no-textconv", "--diff-merges=first-parent"];
  const found = await git.fields(["diff-tree", "--root", "--no-commit-id", "-r", "-z", ...how, commit, "--"]);
  return found.ok ? ok(found.value.flatMap(changeOf)) : fail(found.failure.message);
}

/** Reads what commits changed in the repository around a folder, as `listChanges` does, beside whatever works in it. */
export function openChangeList(
  root: string,
  env: NodeJS.ProcessEnv,
): (commit: string) => Promise<Result<readonly FileChange[], string>> {
  const program = findProgram("git", { path: env["PATH"] });
  if (!program.ok) return async () => fail("git was not found");
  const trap = trapAround(root);
  if (trap !== undefined) return async () => fail(trap);
  const git = openGit({ program: program.value, root, env });
  return commit => listChanges(git, commit);
}
