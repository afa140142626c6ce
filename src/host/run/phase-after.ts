import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { readBounded, writeAtomic } from "../../adapters/file/index.ts";
import { type EndedPhase, type EngineOptions, failedCheck, type World } from "../../engine/index.ts";
import { because, type Reason } from "../../ports/index.ts";
import type { Session } from "../session/open.ts";
import { runEvents } from "../session/run-events.ts";
import { runReport } from "./report.ts";
import { reviewsIn } from "./reviews.ts";

/** What was done after phases: by run, the phase and the hash of what was handed over. */
const Done = z.record(z.string(), z.record(z.string(), z.string()));
type DoneAfter = z.infer<typeof Done>;

function readDone(path: string): DoneAfter {
  const bytes = readBounded(path, { maxBytes: 1024 ** 2 });
  if (!bytes.ok) return {};
  try {
    return Done.parse(JSON.parse(Buffer.from(bytes.value).toString("utf8")));
  } catch {
    return {};
  }
}

/**
 * Runs `phase.after` once a phase has ended: title and text of a pull request come in its environment, the text on its standard
 * input as well. Once for each end of a phase, however often the run is taken up again; one that failed is tried again then.
 */
export function phaseAfter(
  { project, run, runId }: Pick<Session, "project" | "run" | "runId">,
  world: Pick<World, "shell" | "env" | "store" | "random" | "redact">,
  { limits }: Pick<EngineOptions, "limits">,
): World["afterPhase"] {
  const { config, root, stateDir } = project;
  const command = config.phase.after;
  if (command === undefined) return undefined;
  const path = join(stateDir, "phase-after.json");
  return async ({ label, branch, into, cancel, kill }: EndedPhase): Promise<Reason | undefined> => {
    const failed = (why: Reason) => because("phase-after-failed", { phase: label, why });
    const stored = world.store.load();
    const phase = run.phases.find(one => one.label === label);
    const isWorkedOn = phase?.members.some(at => (run.tasks[at]?.attempts ?? 0) > 0) === true;
    if (!stored.ok || stored.value === undefined || !isWorkedOn) return undefined;
    const reviews = reviewsIn(runEvents(world.store, runId));
    const { title, body } = runReport({ ...stored.value, plan: run.plan, reviews }, config, phase.phase);
    const text = world.redact(body);
    // Not by where its work lies: that changes when somebody merges it.
    const hash = createHash("sha256").update(`${command}\n${text}`).digest("hex");
    const done = readDone(path);
    if (done[runId]?.[label] === hash) return undefined;
    const end = await world.shell({
      task: "phase",
      name: "phase.after",
      command,
      cwd: root,
      env: {
        ...world.env,
        ESPALIER_PHASE: label,
        ESPALIER_TITLE: world.redact(title),
        ESPALIER_BODY: text,
        ...(branch === undefined ? {} : { ESPALIER_BRANCH: branch }),
        ...(into === undefined ? {} : { ESPALIER_INTO: into }),
      },
      input: text,
      token: world.random(20),
      limits,
      cancel,
      kill,
    });
    if (end.refused !== undefined) return failed(end.refused);
    if (end.notStarted !== undefined) return failed(because("said", { by: "system", text: end.notStarted }));
    if (end.killed === "cancelled") return because("phase-after-stopped", { phase: label });
    if (end.exitCode !== 0) return failed(failedCheck("phase.after", end, 160));
    const written = writeAtomic(path, JSON.stringify({ [runId]: { ...done[runId], [label]: hash } }));
    return written.ok ? undefined : failed(because("said", { by: "system", text: written.failure.message }));
  };
}
