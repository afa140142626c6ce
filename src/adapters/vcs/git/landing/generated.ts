import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type LandRequest, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { enter } from "../files/snapshot.ts";
import { commitTree } from "../history/commit.ts";
import type { JoinConflict } from "../join/join.ts";
import { type JoinedFile, type JoinedInserts, treeWith } from "../join/join-inserts.ts";
import { inFolder } from "../places/folders.ts";
import { change, type Repository } from "../repository/repository.ts";
import { withJoinedWork } from "./try-joined.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;
type Tool = NonNullable<ReturnType<NonNullable<LandRequest["generate"]>>>;

/** What a join comes to where tools have made files of it. */
export interface WithGenerated extends JoinedInserts {
  /** Files that were in conflict and were made anew. */
  readonly generated: readonly JoinConflict[];
}

/** A conflict, the branch's own file in it, and what makes that anew. */
interface Generated {
  readonly file: JoinedFile;
  readonly tool: Tool;
}

/** What makes a file in conflict anew; undefined where no tool does, or where it is none on the branch. */
function generatedBy(conflict: JoinConflict, generate: LandRequest["generate"]): Generated | undefined {
  const tool = generate?.(conflict.path);
  const { ours } = conflict.stages;
  if (tool === undefined || ours === undefined || !ours.mode.startsWith("100")) return undefined;
  return { file: { conflict, mode: ours.mode, id: ours.id }, tool };
}

/** What a tool has written, as git would take it in; undefined where no plain file stands there. */
async function written(
  repository: Repository,
  { into }: Pick<LandRequest, "into">,
  path: string,
): Answer<string | undefined> {
  if (lstatSync(join(into.path, path), { throwIfNoEntry: false })?.isFile() !== true) return ok(undefined);
  const entered = enter(repository, into);
  if (!entered.ok) return entered;
  return change(repository, ["hash-object", "-w", "--", path], inFolder(entered.value.gitDir, into.path));
}

/** Runs the tools on the joined files; what they have made, undefined where one could not. */
async function runTools(
  repository: Repository,
  request: LandRequest,
  all: readonly Generated[],
): Answer<readonly JoinedFile[] | "stopped" | undefined> {
  const files: JoinedFile[] = [];
  for (const { tool } of all) {
    const how = await tool(request.into.path);
    if (how === "stopped") return ok(how);
    if (how === "failed") return ok(undefined);
  }
  for (const { file } of all) {
    const id = await written(repository, request, file.conflict.path);
    if (!id.ok) return id;
    if (id.value === undefined) return ok(undefined);
    files.push({ ...file, id: id.value });
  }
  return ok(files);
}

/**
 * Has files that tools make from others made anew where nothing else is in conflict: from the branch's own, beside what both
 * sides changed. Where a tool cannot, they stay in conflict.
 */
export async function makeGenerated(
  repository: Repository,
  joined: JoinedInserts,
  tip: string,
  request: LandRequest,
): Answer<WithGenerated | "stopped"> {
  const all = joined.conflicts.flatMap(conflict => generatedBy(conflict, request.generate) ?? []);
  if (all.length === 0 || all.length < joined.conflicts.length) return ok({ ...joined, generated: [] });
  const begun = await treeWith(
    repository,
    joined.tree,
    all.map(({ file }) => file),
  );
  if (!begun.ok) return begun;
  const commit = await commitTree(repository, begun.value, [tip], "Both sides, before their tools\n");
  if (!commit.ok) return commit;
  const use = () => runTools(repository, request, all);
  const made = await withJoinedWork(repository, request.into, tip, commit.value, use);
  if (!made.ok) return made;
  if (made.value === "stopped") return ok(made.value);
  if (made.value === undefined) return ok({ ...joined, generated: [] });
  const tree = await treeWith(repository, begun.value, made.value);
  if (!tree.ok) return tree;
  return ok({ tree: tree.value, conflicts: [], joined: joined.joined, generated: joined.conflicts });
}
