import type { Engine, TaskFile } from "../../engine/index.ts";
import { carryAsked, diffPlans, type Phase, type Plan, readPlan, type Task } from "../../plan/index.ts";
import { because, few, type Reason, sameReason } from "../../ports/index.ts";
import { sha256 } from "../project/plan-file.ts";
import { triesProblems } from "../project/plan-tries.ts";
import { configuredNodes } from "../project/settings.ts";
import { storedPlanJson } from "../project/stored-plan.ts";
import { oneFolderOf } from "../session/one-folder.ts";
import type { Session } from "../session/open.ts";

/** Tells of boxes that somebody else ticked. */
function tellTicked(engine: Pick<Engine, "warn">, tasks: readonly string[]): void {
  engine.warn("BOX_NOT_OURS", because("boxes-not-ours", { tasks: few(tasks, 6) }));
}

/**
 * Tells about boxes that somebody else ticked, and ticks those again that somebody unticked: the state is the truth. `early` takes those
 * at work in the folder of the task file (`isThere`): an agent may have ticked its own, and whether that is more than is true shows when its
 * attempt has ended.
 */
function compareBoxes(
  engine: Engine,
  before: Plan,
  after: Plan,
  isThere: (phase: Phase) => boolean,
  early: Set<string>,
): void {
  const status = (id: string) => engine.run.byId.get(id)?.status;
  const wasDone = new Set(before.tasks.filter(task => task.done).map(task => task.id));
  const isEarly = (task: Task) => status(task.id) === "in_progress" && isThere(task.phase);
  const ticked = after.tasks.filter(
    task => task.done && !wasDone.has(task.id) && status(task.id) !== "completed",
  );
  for (const task of ticked.filter(isEarly)) early.add(task.id);
  const told = ticked.filter(task => !isEarly(task)).map(task => task.id);
  if (told.length > 0) tellTicked(engine, told);
  const unticked = after.tasks.filter(task => !task.done && status(task.id) === "completed");
  if (unticked.length === 0) return;
  const lost = unticked.filter(task => wasDone.has(task.id)).map(task => task.id);
  if (lost.length > 0) {
    engine.warn("BOX_TICKED_AGAIN", because("boxes-ticked-again", { tasks: few(lost, 6) }));
  }
  engine.tickAgain(unticked.map(task => task.id));
}

/**
 * Reads the task file again after it may have changed on disk, and hands what is new to the run. `isThere` tells whether agents work
 * on the tasks of a phase in the folder of that file.
 */
export function followTaskFile(
  engine: Engine,
  file: TaskFile,
  session: Session,
  isThere: (phase: Phase) => boolean,
): () => void {
  let known = session.plan.plan;
  let hash = session.plan.hash;
  let told: Reason | undefined;
  const early = new Set<string>();
  engine.listen(({ event }) => {
    if (event.type === "completed") early.delete(event.task);
    const isUndone = event.type === "attempt-failed" || event.type === "paused";
    if (isUndone && early.delete(event.task)) tellTicked(engine, [event.task]);
  });
  const complain = (problem: Reason) => {
    if (!sameReason(problem, told)) engine.warn("TASK_FILE", problem);
    told = problem;
  };
  return () => {
    const bytes = file.read();
    if (!bytes.ok) {
      hash = "";
      complain(because("file-unreadable", { said: bytes.failure }));
      return;
    }
    const now = sha256(bytes.value);
    if (now === hash) return;
    hash = now;
    const { plan: read, diagnostics } = readPlan(bytes.value, {
      path: session.file.display,
      allowMissing: session.invocation.allowMissing === true,
      contextNodes: configuredNodes(session.project.config),
    });
    const { project } = session;
    const wrong = [...diagnostics, ...triesProblems(read, project.config, () => oneFolderOf(project))];
    const error = wrong.find(diagnostic => diagnostic.severity === "error");
    if (error !== undefined) {
      complain(because("file-broken", { line: error.line, said: error.message }));
      return;
    }
    told = undefined;
    const before = carryAsked(known, engine.run.plan);
    const plan = carryAsked(read, engine.run.plan);
    known = plan;
    const { added, removed, changed } = diffPlans(before, plan);
    if (added.length + removed.length + changed.length === 0)
      compareBoxes(engine, before, plan, isThere, early);
    else {
      engine.notePlan(now, storedPlanJson(plan, session.invocation));
      void engine
        .send({ type: "plan-changed", plan })
        .then(() => compareBoxes(engine, before, plan, isThere, early));
    }
  };
}
