import type { ContextWork, SharedContext } from "../context/shared/index.ts";
import type { Phase } from "../plan/index.ts";
import { because, few, type Reason, type RunEvent } from "../ports/index.ts";
import type { RunInput, RunState } from "../run/index.ts";
import { said } from "../text/index.ts";
import { failedCheck } from "./attempt/index.ts";
import { completedTasks, phaseRequest } from "./run-phases.ts";
import type { PhaseEnd } from "./workspaces/index.ts";
import type { EngineOptions, HeardWorld } from "./world.ts";

/** Works off the ends of phases, one after the other. */
export interface PhaseSettler {
  settle(phase: Phase): void;
  /** Ends the checks that run. */
  stop(how: "soft" | "hard"): void;
}

/** The loop around it. */
interface SettlerLoop {
  readonly run: RunState;
  readonly shared: Pick<SharedContext, "freeze" | "unfreeze">;
  readonly now: () => number;
  tell(events: readonly RunEvent[]): void;
  submit(input: RunInput, row: undefined, context: ContextWork): void;
  /** Resolves when nobody is at work any more for a phase. */
  leave(phase: string): Promise<void>;
}

/** What stands against a phase by its own check; undefined when nothing does. */
export async function checkPhase(
  world: HeardWorld,
  options: EngineOptions,
  cwd: string,
  signals: { readonly cancel: AbortSignal; readonly kill: AbortSignal },
): Promise<Reason | undefined> {
  const command = options.phaseVerify;
  if (command === undefined) return undefined;
  const { limits } = options;
  const token = world.random(20);
  const end = await world.shell({
    task: "phase",
    agent: "all",
    name: "phase.verify",
    command,
    cwd,
    env: world.env,
    token,
    limits,
    ...signals,
  });
  if (end.notStarted !== undefined) return end.refused ?? said("system", end.notStarted);
  return end.refused ?? (end.exitCode === 0 ? undefined : failedCheck("phase.verify", end, 120));
}

/** Without branches a phase's end is its check, in the main checkout. */
async function endWithoutWorkspaces(
  cwd: string,
  verify: (cwd: string) => Promise<Reason | undefined>,
): Promise<PhaseEnd> {
  const reason = await verify(cwd);
  return reason === undefined ? { kind: "nothing" } : { kind: "refused", reason };
}

function eventOf(phase: string, end: PhaseEnd): readonly RunEvent[] {
  if (end.kind === "merged") return [{ type: "phase-merged", phase, into: end.into, commit: end.commit }];
  if (end.kind === "left") return [{ type: "phase-left", phase, branch: end.branch, how: end.how }];
  return [];
}

/** Creates it. Its answer to the run is a `phase-settled` input. */
export function createPhaseSettler(
  world: HeardWorld,
  options: EngineOptions,
  loop: SettlerLoop,
): PhaseSettler {
  const cancel = new AbortController();
  const kill = new AbortController();
  const signals = { cancel: cancel.signal, kill: kill.signal };
  const verify = (cwd: string) => checkPhase(world, options, cwd, signals);

  const { shared } = loop;
  const warn = (code: string, message: Reason): void => loop.tell([{ type: "warning", code, message }]);

  /** Nothing is judged while somebody works from an older document; false when the engine has left meanwhile. */
  const waitForTeam = async (phase: string): Promise<boolean> => {
    const behind = await shared.freeze(`phase ${phase}`, {
      hurry: cancel.signal,
      waits: names => warn("GATE_WAITS", because("gate-waits", { phase, names: few(names) })),
    });
    if (behind === undefined) return false;
    if (behind.length > 0) warn("GATE_STALE", because("gate-goes-on", { phase, names: few(behind) }));
    return true;
  };

  /** What is asked for once a phase has ended; that it failed undoes nothing. */
  const after = async (label: string, end: PhaseEnd): Promise<void> => {
    const branch = end.kind === "left" ? { branch: end.branch } : {};
    const into = end.kind === "merged" ? { into: end.into } : {};
    const reason = await world.afterPhase?.({ label, ...branch, ...into, ...signals });
    if (reason !== undefined) warn("PHASE_AFTER", reason);
  };

  const work = async (phase: Phase): Promise<void> => {
    const { run } = loop;
    const index = run.phases.findIndex(one => one.phase === phase);
    const state = run.phases[index];
    if (state === undefined) return;
    // Whose task was taken from it may be on its way home, or at work in a folder that would go.
    await loop.leave(state.label);
    if (!(await waitForTeam(state.label))) return;
    const tasks = run.tasks.filter(({ phaseIndex }) => phaseIndex === index).map(({ task }) => task.id);
    const request = { phase: phaseRequest(run, index), tasks, completed: completedTasks(run), verify };
    const end = await (
      world.workspaces?.endPhase(request) ?? endWithoutWorkspaces(options.cwd, verify)
    ).catch(
      (error: unknown): PhaseEnd => ({
        kind: "refused",
        reason: because("internal-error", { said: (error as Error).message }),
      }),
    );
    loop.tell(eventOf(state.label, end));
    if (end.kind !== "refused") await after(state.label, end);
    // What a stop has ended says nothing about the phase.
    const refusal = cancel.signal.aborted ? "stopped" : "refused";
    const outcome = end.kind === "refused" ? refusal : "done";
    const reason = end.kind === "refused" && outcome === "refused" ? end.reason : undefined;
    loop.submit(
      { type: "phase-settled", phase, outcome, reason, now: loop.now() },
      undefined,
      shared.unfreeze,
    );
  };

  let last: Promise<void> = Promise.resolve();
  return {
    settle(phase) {
      last = last.then(() => work(phase));
    },
    stop(how) {
      cancel.abort();
      if (how === "hard") kill.abort();
    },
  };
}
