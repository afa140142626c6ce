import { because, fail, ok, type Reason, type Result } from "../../../../ports/index.ts";
import { findProgram } from "../../../process/index.ts";
import { type Git, openGit, splitFields } from "../call/call.ts";
import { trapAround } from "../trust/traps.ts";
import { diffText } from "./diff-text.ts";

/** One file that differs between two trees or commits; without numbers where git counts no lines. */
export interface FileChange {
  readonly path: string;
  /** Its path before, where it was moved. */
  readonly from?: string;
  /** `A`dded, `D`eleted, `M`odified, `R`enamed, or of another `T`ype. */
  readonly status: string;
  /** As git writes them; of what is not there only zeros. */
  readonly oldMode: string;
  readonly newMode: string;
  readonly added?: number;
  readonly removed?: number;
}

/** Two trees or commits. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

const HOW = ["-r", "-z", "--raw", "--numstat", "--find-renames", "--no-ext-diff", "--no-textconv"];

/** Reads what git tells with `--raw --numstat -z`: first every file with its modes, then every file with its lines. */
function readChanges(fields: readonly string[]): FileChange[] {
  const files = new Map<string, FileChange>();
  for (let at = 0; at < fields.length; ) {
    const head = fields[at] ?? "";
    if (head.startsWith(":")) {
      const [oldMode = "", newMode = "", , , score = ""] = head.slice(1).split(" ");
      const status = score.slice(0, 1);
      const isMoved = status === "R" || status === "C";
      const path = fields[at + (isMoved ? 2 : 1)] ?? "";
      const from = isMoved ? { from: fields[at + 1] ?? "" } : {};
      files.set(path, { path, ...from, status, oldMode, newMode });
      at += isMoved ? 3 : 2;
      continue;
    }
    const [added = "-", removed = "-", ...rest] = head.split("\t");
    const isMoved = rest.join("\t") === "";
    const path = isMoved ? (fields[at + 2] ?? "") : rest.join("\t");
    const file = files.get(path);
    if (file !== undefined && added !== "-")
      files.set(path, { ...file, added: Number(added), removed: Number(removed) });
    at += isMoved ? 3 : 1;
  }
  return [...files.values()];
}

/** What differs, in git's order: all of it, or what of it is at some paths. */
export async function changedFiles(
  { run }: Pick<Git, "run">,
  { from, to }: Range,
  paths: readonly string[] = [],
): Promise<Result<readonly FileChange[], Reason>> {
  const found = await run(["diff-tree", ...HOW, from, to, "--", ...paths]);
  return found.ok ? ok(readChanges(splitFields(found.value.stdout))) : fail(found.failure.reason);
}

/** The patch of each of these files, in their order; undefined behind the place where a very long text is cut. */
export async function patchesOf(
  git: Pick<Git, "run">,
  { from, to }: Range,
  files: readonly FileChange[],
  paths: readonly string[] = [],
): Promise<Result<readonly (string | undefined)[], Reason>> {
  const text = await diffText({ git }, from, to, paths);
  if (!text.ok) return fail(text.failure.reason);
  // Within a patch no line begins like that: those of files have a sign in front.
  const sections = text.value.split(/^(?=diff --git )/m).filter(part => part !== "");
  let at = 0;
  return ok(
    files.map(({ status }) => {
      // What has become of another type is taken away and added.
      const own = sections.slice(at, at + (status === "T" ? 2 : 1));
      at += own.length;
      return own.length === 0 ? undefined : own.join("");
    }),
  );
}

const COMMIT = /^[0-9a-f]{7,64}$/;

/** What a commit changed against its first parent, or against nothing where it has none. */
export async function rangeOfCommit(git: Git, commit: string): Promise<Result<Range, Reason>> {
  if (!COMMIT.test(commit)) return fail(because("commit-unnamed", { name: commit }));
  const parents = await git.text(["rev-list", "--parents", "--max-count=1", commit, "--"]);
  if (!parents.ok) return fail(parents.failure.reason);
  const [, parent] = parents.value.split(" ");
  if (parent !== undefined) return ok({ from: parent, to: commit });
  const empty = await git.text(["hash-object", "-t", "tree", "--stdin"]);
  return empty.ok ? ok({ from: empty.value, to: commit }) : fail(empty.failure.reason);
}

/** Git in the repository around a folder, for reading beside whatever works in it. */
export function openReading(root: string, env: NodeJS.ProcessEnv): Result<Git, Reason> {
  const program = findProgram("git", { path: env["PATH"] });
  if (!program.ok) return fail(because("no-git", {}));
  const trap = trapAround(root);
  return trap === undefined
    ? ok(openGit({ program: program.value, root, env }))
    : fail(because("said", { by: "git", text: trap }));
}
