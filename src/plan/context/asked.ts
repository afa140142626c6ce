import { ROOT } from "../../tree/index.ts";
import type { Plan, Task } from "../types.ts";

/** Characters of a question in a task's title. */
const TITLE = 80;

/** Tasks of a plan that workers asked for. */
export function askedTasks(plan: Plan): readonly Task[] {
  return plan.tasks.filter(task => task.asked !== undefined);
}

/** The research that answers a worker's question: a context-fill for what it reads, done by whoever does the worker's task. */
function research(worker: Task, question: string, number: number): Task {
  const { agent, role, specialist } = worker;
  return {
    id: `${worker.id}-R${number}`,
    phase: worker.phase,
    title: question.length > TITLE ? `${question.slice(0, TITLE - 1)}…` : question,
    kind: "context-fill",
    done: false,
    dependsOn: [],
    parallelWith: [],
    files: [],
    ...(agent === undefined ? {} : { agent }),
    ...(role === undefined ? {} : { role }),
    ...(specialist === undefined ? {} : { specialist }),
    fills: worker.contextRef ?? worker.fills ?? ROOT,
    asked: { by: worker.id, question },
    line: 0,
    text: question,
  };
}

/**
 * A plan with a research task for each new question of a worker, which waits for them. At most `limit` tasks in all are asked
 * for; undefined when nothing is added, because nothing new was asked or the limit is reached.
 */
export function askResearch(
  plan: Plan,
  asker: string,
  questions: readonly string[],
  limit: number,
): Plan | undefined {
  const worker = plan.tasks.find(task => task.id === asker);
  if (worker === undefined || worker.asked !== undefined) return undefined;
  const before = askedTasks(plan);
  const known = new Set(before.flatMap(({ asked }) => (asked?.by === asker ? [asked.question] : [])));
  const fresh = [...new Set(questions)].filter(question => !known.has(question));
  const taken = new Set(plan.tasks.map(task => task.id));
  const added: Task[] = [];
  for (let number = 1; added.length < Math.min(fresh.length, limit - before.length); number++) {
    const task = research(worker, fresh[added.length]!, number);
    if (!taken.has(task.id)) added.push(task);
  }
  return added.length === 0 ? undefined : withAsked(plan, added);
}

/** A plan read anew, with the research that was asked for under the plan before, as far as who asked is still in it. */
export function carryAsked(plan: Plan, before: Plan | undefined): Plan {
  const ids = new Set(plan.tasks.map(task => task.id));
  const asked = before === undefined ? [] : askedTasks(before);
  const carried = asked.filter(task => ids.has(task.asked!.by) && !ids.has(task.id));
  return carried.length === 0 ? plan : withAsked(plan, carried);
}

function withAsked(plan: Plan, added: readonly Task[]): Plan {
  const byAsker = Map.groupBy(added, task => task.asked!.by);
  const tasks = plan.tasks.flatMap(task => {
    const asked = byAsker.get(task.id);
    if (asked === undefined) return [task];
    const preparedBy = [...(task.preparedBy ?? []), ...asked.map(({ id }) => id)];
    return [...asked, { ...task, preparedBy }];
  });
  return { ...plan, tasks };
}
