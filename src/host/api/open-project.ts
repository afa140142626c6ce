import { resolve } from "node:path";
import type { Caller } from "../caller.ts";
import { loadPlan, requireUsable } from "../project/plan-file.ts";
import { findProject, findTaskFile } from "../project/project.ts";
import { readLastRun, readRun } from "../project/reader.ts";
import { lastOf, type Origin, type RunWish } from "../run/launch.ts";
import { startRun } from "./run.ts";
import type { Project, ProjectRequest, RunOptions, Wanted } from "./types.ts";

function callerFor({ folder, env, tell, approve }: ProjectRequest): Caller {
  return {
    cwd: resolve(folder ?? "."),
    env: env ?? process.env,
    isTerminal: false,
    approval: {
      show: () => {},
      ...(approve === undefined
        ? {}
        : {
            ask: async wanted =>
              approve(
                wanted.map(
                  ({ kind, where, text }): Wanted => ({
                    ...(kind === undefined ? {} : { kind }),
                    where,
                    text,
                  }),
                ),
              ),
          }),
    },
    tell: tell ?? (() => {}),
  };
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
  const caller = callerFor(request);
  const project = findProject(caller.cwd);
  const { root, config } = project;
  const read = (named: string | undefined, allowMissing?: boolean): Origin => {
    const file = findTaskFile(project, caller.cwd, named);
    const latest = readLastRun(project);
    const isAllowed = allowMissing ?? lastOf({ file, latest })?.invocation.allowMissing === true;
    return { project, file, plan: loadPlan(file, isAllowed, project), latest };
  };
  return {
    root,
    locale: config.locale,
    plan(named) {
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
    run: (options = {}) =>
      startRun(caller, () => {
        const origin = read(options.file, options.allowMissing);
        requireUsable(origin.file, origin.plan);
        return { origin, wish: wishOf(options) };
      }),
  };
}
