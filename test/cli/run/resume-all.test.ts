import { expect, it } from "vitest";
import { openLab } from "../lab.ts";

const REFUSED = "- run: `echo invalid api key >&2; exit 1`";
const TASKS = [1, 2, 3, 4, 5, 6, 7].map(at => `### [ ] T1.${at}: a\n${REFUSED}\n`).join("\n");

it("[CL54] lets all go on together that wait for the same cause, but for what a person has paused", async () => {
  await using lab = openLab({ "TASKS.md": TASKS });
  expect((await lab.ask("run", "--yes")).stdout).toContain("espalier task resume --all ");
  for (const args of [
    ["resume", "T1.7"],
    ["pause", "T1.7"],
  ])
    await lab.ask("task", ...args);
  for (const args of [[], ["--all", "T1.1"]]) {
    const { code, stderr } = await lab.ask("task", "resume", ...args);
    expect([code, stderr]).toEqual([2, "USAGE: name tasks, or --all\n"]);
  }
  const { code, stdout } = await lab.ask("task", "resume", "--all");
  expect([code, stdout.match(/T1\.\d goes on/g)]).toEqual([
    0,
    [1, 2, 3, 4, 5, 6].map(at => `T1.${at} goes on`),
  ]);
  expect((await lab.ask("task", "resume", "--all")).stdout).toContain("no task is paused but those");
  const told = JSON.parse((await lab.ask("status", "--json")).stdout) as {
    readonly tasks: readonly { readonly id: string; readonly status: string }[];
  };
  expect(told.tasks.filter(({ status }) => status === "paused").map(({ id }) => id)).toEqual(["T1.7"]);
});
