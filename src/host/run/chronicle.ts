import { join } from "node:path";
import { localKeeper } from "../../adapters/checkpoints/index.ts";
import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { localStateFiles } from "../../adapters/local/state-files.ts";
import { localTaskFile } from "../../adapters/local/task-file.ts";
import { findProgram } from "../../adapters/process/index.ts";
import { type Chronicle, type ChronicleWorld, createChronicle } from "../../engine/chronicle/index.ts";
import { ok, type RunEvent } from "../../ports/index.ts";
import { messagesFor, reasonText, visible } from "../../text/index.ts";
import { CHECKPOINTS } from "../project/checkpoint-place.ts";
import { redactorOf } from "../project/secrets.ts";
import type { Session } from "../session/open.ts";

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

/** The chronicle of a run that commands advance one by one: what it did stands in the log, what went wrong is told as well. */
export function offlineChronicle(
  session: Session,
  env: NodeJS.ProcessEnv,
  warn: (line: string) => void,
): Chronicle {
  const { store, file, project } = session;
  const { root, stateDir, config } = project;
  const messages = messagesFor(config.locale);
  const redact = redactorOf(env, root);
  const files = localStateFiles({ root, stateDir, redact, backup: () => Promise.resolve(ok(undefined)) });
  const world = {
    clock: SYSTEM_CLOCK,
    store,
    taskFile: localTaskFile(file.path, file.display, stateDir),
    redact,
  };
  return chronicleOf(session, world, env, event => {
    const line = messages.logLine(event);
    if (line !== undefined) files.log(`${new Date(SYSTEM_CLOCK.now()).toISOString()} ${line}`);
    if (event.type === "warning") warn(visible(reasonText(event.message, config.locale)));
  });
}
