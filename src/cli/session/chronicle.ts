import { join } from "node:path";
import { localKeeper } from "../../adapters/checkpoints/index.ts";
import { findProgram } from "../../adapters/process/index.ts";
import { type Chronicle, type ChronicleWorld, createChronicle } from "../../engine/chronicle/index.ts";
import type { RunEvent } from "../../ports/index.ts";
import { CHECKPOINTS } from "../checkpoint-place.ts";
import type { Session } from "./open.ts";

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
