import { leftovers, mend, surveyFolders } from "../../adapters/vcs/git/index.ts";
import { lastTaskFile, type Project } from "../../host/project/project.ts";
import { readLastRun } from "../../host/project/reader.ts";
import { whileIdle } from "../../host/session/idle-repository.ts";
import { projectRepository, targetBranch } from "../../host/session/repository.ts";
import { EspalierError } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import type { Io } from "../io.ts";
import type { DoctorWords } from "../views/words/doctor-words.ts";
import { type Check, problemFrom } from "./doctor-problem.ts";

async function look(io: Io, project: Project, fix: boolean, words: DoctorWords): Promise<Check[]> {
  const last = readLastRun(project);
  const file = lastTaskFile(project, last?.stored.run);
  const repository = await projectRepository(project, file, io.env);
  if (repository === undefined) return [{ name: "worktrees", level: "note", found: words.noWorktrees }];
  const target = targetBranch(project, repository, last?.invocation ?? {});
  const { facts } = repository;
  const folders = await surveyFolders(repository, target);
  const checks: Check[] = [
    folders.ok
      ? { name: "repository", level: "ok", found: words.repository(facts.version, target) }
      : { name: "repository", level: "problem", found: words.reason(folders.failure.reason) },
    ...facts.notes.map((note): Check => ({ name: "repository", level: "note", found: words.reason(note) })),
  ];
  if (folders.ok) {
    for (const { branch, changed, begun, present } of folders.value) {
      if (changed === 0 && begun === undefined && present) continue;
      const standing = present ? words.notCommitted(begun, changed) : words.folderGone;
      const found = `${visible(branch)}: ${standing}`;
      checks.push({ name: "worktree", level: "note", found, advice: words.rescue });
    }
  }
  const left = leftovers(repository);
  if (left.length === 0) return checks;
  const told = async (): Promise<Check[]> => {
    const found: Check[] = [];
    for (const leftover of left) {
      const what = words.leftover(leftover.what, visible(leftover.path));
      if (fix) {
        const mended = await mend(repository, leftover);
        found.push({
          name: mended.ok ? "mended" : "leftover",
          level: "note",
          found: what,
          advice: words.reason(mended.ok ? mended.value : mended.failure),
        });
      } else found.push({ name: "leftover", level: "note", found: what, advice: words.fix });
    }
    return found;
  };
  return [...checks, ...(fix ? await whileIdle(project, told) : await told())];
}

/** What there is to say of the repository's side; with `fix`, what killed processes left there is mended. */
export async function repositoryChecks(
  io: Io,
  project: Project,
  fix: boolean,
  words: DoctorWords,
): Promise<Check[]> {
  try {
    return await look(io, project, fix, words);
  } catch (error) {
    const problem = problemFrom("repository", error, words.reason);
    // Where there is no task file yet there is nothing to be worked on either.
    const isNone = error instanceof EspalierError && error.code === "TASKS_NOT_FOUND";
    return [isNone ? { ...problem, level: "note" } : problem];
  }
}
