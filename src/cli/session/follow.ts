import type { Engine, TaskFile } from "../../engine/index.ts";
import { carryAsked, diffPlans, type Plan, readPlan } from "../../plan/index.ts";
import { sha256 } from "../plan-file.ts";
import { configuredNodes } from "../settings.ts";
import type { Session } from "./open.ts";
import { storedPlanJson } from "./stored-plan.ts";

function some(ids: readonly string[]): string {
  return ids.length <= 6 ? ids.join(", ") : `${ids.slice(0, 6).join(", ")} and ${ids.length - 6} more`;
}

/** Tells about boxes that somebody else ticked, and ticks those again that somebody unticked: the state is the truth. */
function compareBoxes(engine: Engine, before: Plan, after: Plan): void {
  const status = (id: string) => engine.run.byId.get(id)?.status;
  const wasDone = new Set(before.tasks.filter(task => task.done).map(task => task.id));
  const ticked = after.tasks.filter(
    task => task.done && !wasDone.has(task.id) && status(task.id) !== "completed",
  );
  if (ticked.length > 0) {
    const ids = some(ticked.map(task => task.id));
    engine.warn(
      "BOX_NOT_OURS",
      `ticked in the file, but not by Espalier, so not believed: ${ids}. "espalier task done ID" accepts one`,
    );
  }
  const unticked = after.tasks.filter(task => !task.done && status(task.id) === "completed");
  if (unticked.length === 0) return;
  const lost = unticked.filter(task => wasDone.has(task.id)).map(task => task.id);
  if (lost.length > 0) {
    engine.warn(
      "BOX_TICKED_AGAIN",
      `unticked in the file, but completed: ${some(lost)}. "espalier task retry ID" does one again`,
    );
  }
  engine.tickAgain(unticked.map(task => task.id));
}

/** Reads the task file again after it may have changed on disk, and hands what is new to the run. */
export function followTaskFile(engine: Engine, file: TaskFile, session: Session): () => void {
  let known = session.plan.plan;
  let hash = session.plan.hash;
  let told = "";
  const complain = (problem: string) => {
    const message = `${problem}; the run goes on with the plan it has`;
    if (message !== told) engine.warn("TASK_FILE", message);
    told = message;
  };
  return () => {
    const bytes = file.read();
    if (!bytes.ok) {
      hash = "";
      complain(`the task file cannot be read (${bytes.failure})`);
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
    const error = diagnostics.find(diagnostic => diagnostic.severity === "error");
    if (error !== undefined) {
      complain(`the task file has an error now (line ${error.line}: ${error.message})`);
      return;
    }
    told = "";
    const before = carryAsked(known, engine.run.plan);
    const plan = carryAsked(read, engine.run.plan);
    known = plan;
    const { added, removed, changed } = diffPlans(before, plan);
    if (added.length + removed.length + changed.length === 0) compareBoxes(engine, before, plan);
    else {
      engine.notePlan(now, storedPlanJson(plan, session.invocation));
      void engine.send({ type: "plan-changed", plan }).then(() => compareBoxes(engine, before, plan));
    }
  };
}
