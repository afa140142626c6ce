// Runs the task file of a folder from a program: node run.ts [FOLDER]
import { openProject } from "espalier";

const project = await openProject({
  folder: process.argv[2] ?? ".",
  tell: line => console.error(line),
  // Read what the file wants executed before you answer; this one was written for you.
  approve: wanted => wanted.every(({ where }) => /^T1\.[12] (?:run|verify)$/.test(where)),
});

const { plan, diagnostics } = project.plan();
console.log(`${plan.tasks.length} tasks, ${diagnostics.length} findings`);

const run = project.run({ parallel: 2 });
for await (const { event } of run.events) {
  if (event.type === "completed")
    console.log(`done: ${event.task}, ${event.verified ? "proved" : "taken at its word"}`);
  if (event.type === "paused") console.log(`needs a person: ${event.task}`);
}
const { outcome, counts } = await run.ended;
console.log(`${outcome}: ${counts.completed} of ${plan.tasks.length}`);
