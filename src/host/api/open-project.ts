import { statSync } from "node:fs";
import { resolve } from "node:path";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import type { ApprovalDialog, Caller } from "../caller.ts";
import { loadPlan, requireUsable } from "../project/plan-file.ts";
import { findProject, findTaskFile, withAgents } from "../project/project.ts";
import { readLastRun, readRun } from "../project/reader.ts";
import { lastOf, type Origin, type RunWish } from "../run/launch.ts";
import { requireFile, requireOptions, requireRequest } from "./checked.ts";
import { startRun } from "./run.ts";
import { sharedContextOf } from "./shared-context.ts";
import type { Project, ProjectRequest, RunOptions, Wanted } from "./types.ts";

/** Asks the program; what it throws is told as its own. Only a plain yes approves. */
function asker(approve: NonNullable<ProjectRequest["approve"]>): NonNullable<ApprovalDialog["ask"]> {
  return async wanted => {
    const shown = wanted.map(
      ({ kind, where, text }): Wanted => ({ ...(kind === undefined ? {} : { kind }), where, text }),
    );
    try {
      return (await approve(shown)) === true;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new EspalierError("APPROVAL_FAILED", `approve threw: ${visible(why, 200)}`, {
        cause: error,
        exitCode: EXIT.waitingForPerson,
      });
    }
  };
}

function callerFor({ folder, env, tell, approve, agents }: ProjectRequest): Caller {
  return {
    cwd: resolve(folder ?? "."),
    env: env ?? process.env,
    isTerminal: false,
    ...(agents === undefined ? {} : { agents }),
    approval: { show: () => {}, ...(approve === undefined ? {} : { ask: asker(approve) }) },
    tell(line) {
      try {
        tell?.(line);
      } catch {
        // Whoever cannot hear it is no reason to end a run.
      }
    },
  };
}

/** Throws an EspalierError where the folder is none: a name of a file would become that of a project. */
function requireFolder(path: string): void {
  try {
    if (statSync(path).isDirectory()) return;
  } catch {
    // What cannot be looked at is none to this program.
  }
  throw new EspalierError("NO_PROJECT", `${visible(path)} is no folder`, {
    hint: "name a folder of the project",
    exitCode: EXIT.environment,
  });
}

function wishOf(options: RunOptions): RunWish {
  const { agent, command, parallel, allowMissing, plan, maxTokens, maxCost } = options;
  const { only, forcePhase, from, trustBoxes, trustState } = options;
  const invocation = { agent, command, parallel, allowMissing, plan, maxTokens, maxCost };
  return { invocation, only, forcePhase, from, trustBoxes, trustState };
}

/**
 * Opens the project that a folder belongs to, and reads its `espalier.yaml`. Rejects with an `EspalierError` where there is
 * none, or its configuration is wrong.
 */
export async function openProject(request: ProjectRequest = {}): Promise<Project> {
  requireRequest(request);
  const caller = callerFor(request);
  requireFolder(caller.cwd);
  const project = withAgents(findProject(caller.cwd), request.agents ?? []);
  const { root, config } = project;
  const read = (named: string | undefined, allowMissing?: boolean): Origin => {
    const file = findTaskFile(project, caller.cwd, named);
    const latest = readLastRun(project);
    const isAllowed = allowMissing ?? lastOf({ project, file, latest })?.invocation.allowMissing === true;
    return { project, file, plan: loadPlan(file, isAllowed, project), latest };
  };
  return {
    root,
    locale: config.locale,
    plan(named) {
      requireFile(named);
      const { file, plan } = read(named);
      return { file: file.display, plan: plan.plan, diagnostics: plan.diagnostics };
    },
    status() {
      const reading = readRun(project);
      if (reading === undefined) return undefined;
      const { id, state, phase, file, startedAt, updatedAt, reason } = reading.stored.run;
      const { plan, stored } = reading;
      return { id, state, phase, file, startedAt, updatedAt, reason, plan, tasks: stored.tasks };
    },
    context: sharedContextOf(project, caller),
    run: (options = {}) =>
      startRun(caller, () => {
        requireOptions(options);
        const origin = read(options.file, options.allowMissing);
        requireUsable(origin.file, origin.plan, project.config.locale);
        return { origin, wish: wishOf(options) };
      }),
  };
}
