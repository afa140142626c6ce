import { type Variant, variant } from "./page.ts";
import type { Random } from "./random.ts";
import type { TruthTask } from "./truth.ts";

const STATUSES = ["pending", "in-progress", "done", "done", "deferred", "review", "blocked"];

/** A `tasks.json` of Task Master, old (flat) or new (one object per tag). */
export function taskMasterVariant(random: Random, n: number): Variant {
  const tags: string[] = ["task-master"];
  const truths: TruthTask[] = [];
  const textIds = random.chance(0.2);
  const id = (value: number): number | string => (textIds ? String(value) : value);
  const tasks = Array.from({ length: random.int(2, 14) }, (_, index) => {
    const number = index + 1;
    const status = random.pick(STATUSES);
    const dependsOn =
      index === 0
        ? []
        : random.some(
            Array.from({ length: index }, (_, k) => k + 1),
            random.int(0, 3),
          );
    const subtasks = random.chance(0.35) ? children(number, status === "done") : [];
    const own = dependsOn.map(String);
    const children_ = subtasks.map(sub => `${number}.${sub.id}`);
    truths.splice(truths.length - subtasks.length, 0, {
      id: String(number),
      line: 0,
      done: status === "done",
      dependsOn: own,
      // Whether a parent waits for its sub-tasks is not said in the file.
      ...(subtasks.length > 0 ? { container: true, orDependsOn: [[...own, ...children_]] } : {}),
      specialist: null,
    });
    return {
      id: id(number),
      title: `Task ${number}: prepare the ${random.pick(["ledger", "queue", "atlas"])}`,
      description: "Self-contained step",
      status,
      dependencies: dependsOn.map(id),
      priority: random.pick(["high", "medium", "low"]),
      details: "- [ ] not a task\n### T9.9: nor this",
      testStrategy: "Run the tests",
      ...(subtasks.length > 0 || random.chance(0.5) ? { subtasks } : {}),
    };
  });
  const tagged = random.chance(0.5);
  tags.push(tagged ? "tagged" : "flat", textIds ? "text-ids" : "number-ids");
  const body = tagged
    ? { master: { tasks, metadata: { created: "2025-07-01T00:00:00Z", description: "main" } } }
    : { tasks };
  const text = JSON.stringify(body, null, random.pick([2, 4, 0]));
  const bytes = new TextEncoder().encode(random.chance(0.05) ? `\uFEFF${text}` : `${text}\n`);
  return variant("task-master", `.taskmaster/tasks/tasks-${n}.json`, bytes, truths, tags);

  function children(
    parent: number,
    allDone: boolean,
  ): { id: number; title: string; status: string; dependencies: (number | string)[] }[] {
    const style = random.pick(["local", "full"] as const);
    tags.push(`subtask-dependencies:${style}`);
    return Array.from({ length: random.int(1, 4) }, (_, index) => {
      const status = allDone ? "done" : random.pick(["pending", "done", "in-progress"]);
      const local =
        index === 0
          ? []
          : random.some(
              Array.from({ length: index }, (_, k) => k + 1),
              random.int(0, 2),
            );
      truths.push({
        id: `${parent}.${index + 1}`,
        line: 0,
        done: status === "done",
        dependsOn: local.map(k => `${parent}.${k}`),
        specialist: null,
      });
      return {
        id: index + 1,
        title: `Step ${index + 1}`,
        status,
        dependencies: local.map(k => (style === "local" ? k : `${parent}.${k}`)),
      };
    });
  }
}
