import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { randomName } from "../../adapters/local/random.ts";
import { instanceAt, startWarden, type Warden } from "../../adapters/process/index.ts";
import { maskedReason, maskedWorld, prove } from "../../engine/index.ts";
import type { AttemptRow } from "../../ports/index.ts";
import type { AttemptOutcome, Claim, TaskState } from "../../run/index.ts";
import { said, textHash } from "../../text/index.ts";
import { configCommands } from "../approval/approvable.ts";
import { requireApproval } from "../approval/approval.ts";
import type { Caller } from "../caller.ts";
import { redactorOf } from "../project/secrets.ts";
import { engineOptions } from "../project/settings.ts";
import { localWorld } from "../run/world.ts";
import type { Session } from "../session/open.ts";

/** Watches over nothing: where no command proves a task, no process is started for its report. */
const IDLE: Warden = {
  instance: "",
  pid: undefined,
  watch: () => {},
  forget: () => {},
  close: async () => {},
};

/** Turns what a lead reports into an outcome: a DONE counts only when the task's verify command passes. */
export async function proveReport(
  caller: Caller,
  session: Session,
  state: TaskState,
  row: AttemptRow,
  claim: Exclude<Claim, { kind: "none" }>,
  yes: boolean,
): Promise<{ outcome: AttemptOutcome; ended: AttemptRow }> {
  const { project } = session;
  const redact = redactorOf(caller.env, project.root);
  const ended = { ...row, endedAt: SYSTEM_CLOCK.now() };
  if (claim.kind === "fail") {
    const feedback = redact(claim.reason);
    const reason = said("agent", feedback);
    return {
      outcome: { kind: "failed", reason },
      ended: { ...ended, outcome: "failed", reason, feedback },
    };
  }
  const { verify } = state.task;
  const wanted =
    verify === undefined
      ? configCommands(project.config).filter(({ text }) => text === project.config.verify)
      : [{ where: `${state.task.id} verify`, text: verify }];
  const approvals = await requireApproval(caller, project, wanted, { yes });
  // A lead's agents run their tests themselves: the signal comes after them.
  const options = {
    ...engineOptions(project.config, session.invocation, session.runId, project.root),
    tdd: "off" as const,
  };
  const commands = [verify, state.task.test, options.verify, options.test];
  const warden = commands.every(command => command === undefined)
    ? IDLE
    : startWarden(instanceAt(session.project.stateDir, randomName(16)));
  try {
    const world = maskedWorld(localWorld({ session, agents: new Map(), approvals, warden, env: caller.env }));
    const stop = { cancel: new AbortController().signal, kill: new AbortController().signal };
    const hash = textHash(state.task.text);
    const proof = await prove(
      { task: state.task, row, emit: () => {} },
      { cwd: options.cwd, leave: async () => {} },
      world,
      options,
      stop,
    );
    world.files.collectLearnings(row.task, row.number, row.agent);
    const evidence = proof.kind === "none" ? "" : redact(`${proof.what}\n${proof.detail}`);
    if (proof.kind !== "passed" && proof.kind !== "none") {
      const reason = maskedReason(proof.reason, redact);
      const kinds = {
        failed: "failed",
        refused: "needs-person",
        stalled: "stalled",
        halted: "needs-person",
      } as const;
      const outcome: AttemptOutcome = { kind: kinds[proof.kind], reason };
      return { outcome, ended: { ...ended, outcome: "unproven", reason, evidence, feedback: evidence } };
    }
    const outcome = { kind: "done", verified: proof.kind === "passed", textHash: hash } as const;
    return { outcome, ended: { ...ended, outcome: "done", evidence } };
  } finally {
    await warden.close();
  }
}
