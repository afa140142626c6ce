import { join } from "node:path";
import { localKeeper } from "../../adapters/checkpoints/index.ts";
import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { localTaskFile } from "../../adapters/local/task-file.ts";
import { findProgram } from "../../adapters/process/index.ts";
import { type Chronicle, type ChronicleWorld, createChronicle } from "../../engine/chronicle/index.ts";
import type { RunEvent } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import { CHECKPOINTS } from "../checkpoint-place.ts";
import type { Session } from "./open.ts";
import { redactorOf } from "./world.ts";

/** The chronicle of a session's run: its checkpoints lie in the state folder. */
export function chronicleOf(
  session: Session,
  world: Omit<ChronicleWorld, "checkpoints">,
  env: NodeJS.ProcessEnv,
  tell: (event: RunEvent) => void,
): Chronicle {
  const { project, run, runId, facts } = session;
  const { locale, checkpoints } = project.config;
  const git = findProgram("git", { path: env["PATH"] });
  const keeper = localKeeper({
    path: join(project.stateDir, CHECKPOINTS),
    root: project.root,
    env,
    git: git.ok ? git.value : undefined,
    locale,
    recent: checkpoints.recent,
  });
  return createChronicle(
    run,
    {
      clock: world.clock,
      store: world.store,
      taskFile: world.taskFile,
      redact: world.redact,
      checkpoints: keeper,
    },
    {
      runId,
      planHash: () => facts.planHash,
      locale,
      when: new Set(checkpoints.when),
      rules: checkpoints.rules,
      tell,
    },
  );
}

/** The chronicle of a run that commands advance one by one: it tells nothing but what went wrong. */
export function offlineChronicle(
  session: Session,
  env: NodeJS.ProcessEnv,
  warn: (line: string) => void,
): Chronicle {
  const { store, file } = session;
  const world = {
    clock: SYSTEM_CLOCK,
    store,
    taskFile: localTaskFile(file.path, file.display),
    redact: redactorOf(env),
  };
  return chronicleOf(session, world, env, event => {
    if (event.type === "warning") warn(visible(event.message));
  });
}
