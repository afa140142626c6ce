import { join } from "node:path";
import { knownSetup } from "../../host/project/known-tools.ts";
import { lastTaskFile, type Project, type TaskPath } from "../../host/project/project.ts";
import { readLastRun } from "../../host/project/reader.ts";
import { EspalierError } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, warn } from "../io.ts";
import { whileStoppable } from "../signals.ts";
import type { DoctorWords } from "../views/words/doctor-words.ts";
import { type Check, problemFrom } from "./doctor-problem.ts";

/** Where a first task file usually is. */
const FIRST_FILE = "TASKS.md";

/** What `espalier doctor --try` may do. */
export interface TryFlags {
  readonly try?: boolean;
}

/** The task file of the checks; they can be tried before there is one. */
function fileOf(project: Project): TaskPath {
  try {
    return lastTaskFile(project, readLastRun(project)?.stored.run);
  } catch (error) {
    if (!(error instanceof EspalierError) || error.code !== "TASKS_NOT_FOUND") throw error;
    return { path: join(project.root, FIRST_FILE), display: FIRST_FILE, others: [] };
  }
}

/** The project's own checks: with `--try` each is run once as attempts would. */
export async function projectChecks(
  io: Io,
  project: Project,
  flags: TryFlags,
  words: DoctorWords,
): Promise<Check[]> {
  const { verify, test, worktree, git } = project.config;
  const commands = [...new Set([verify, test].filter(one => one !== undefined))];
  if (commands.length === 0) return [];
  const { tryCheck } = await import("../../host/run/trial.ts");
  const setup = git.worktrees === "off" || worktree.setup.length > 0 ? undefined : knownSetup(project.root);
  const advice = setup === undefined ? {} : { advice: words.setUp(setup) };
  const found: Check[] = [];
  await whileStoppable(async stop => {
    for (const command of commands) {
      const name = command === verify ? "verify" : "test";
      const shown = visible(command, 200);
      if (flags.try !== true || stop.cancel.aborted) {
        found.push({ name, level: "note", found: words.notTried(shown), ...advice });
        continue;
      }
      warn(io, words.trying(shown));
      const request = { caller: callerOf(io), project, command, setup: worktree.setup, yes: true, stop };
      const trial = await tryCheck(request, fileOf(project));
      if (stop.cancel.aborted && trial.problem !== undefined) {
        found.push({ name, level: "note", found: words.stopped(shown), stopped: true });
        continue;
      }
      found.push(
        trial.problem === undefined
          ? { name, level: "ok", found: words.passes(shown, trial.where) }
          : { name, level: "problem", found: words.reason(trial.problem), ...advice },
      );
    }
  });
  return found;
}

/** The same, where what cannot be tried is a finding as well. */
export async function triedChecks(
  io: Io,
  project: Project,
  flags: TryFlags,
  words: DoctorWords,
): Promise<Check[]> {
  try {
    return await projectChecks(io, project, flags, words);
  } catch (error) {
    return [problemFrom("verify", error, words.reason)];
  }
}
