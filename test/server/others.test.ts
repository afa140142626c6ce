import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { attemptName } from "../../src/adapters/local/state-files.ts";
import type { LogShape, TaskShape } from "../../src/server/shapes/task.ts";
import { attempt, openStage, row } from "./stage.ts";

const TASKS = "# A\n## Phase 1: p\n### [ ] T1.1: Try it twice\n";

describe("several agents on one attempt", () => {
  it("[W45] have each what they said read, and nothing else is", async () => {
    await using stage = await openStage({
      tasks: TASKS,
      rows: () => [row("T1.1", { status: "completed", attempts: 2 })],
      attempts: [attempt("T1.1", 1), attempt("T1.1", 2)],
    });
    const folder = join(stage.root, ".espalier", "attempts");
    mkdirSync(folder, { recursive: true });
    const said = { 1: "the first", "1-2": "the second", "1-4": "the fourth", 2: "alone" } as const;
    for (const [name, text] of Object.entries(said))
      writeFileSync(join(folder, `${attemptName("T1.1", name as "1-2")}.log`), text);
    const task = (await (await stage.get("/api/task?id=T1.1")).json()) as TaskShape;
    expect(task.attempts.map(({ others }) => others)).toEqual([[2, 4], undefined]);
    const log = async (query: string) => {
      const answer = await stage.get(`/api/log?task=T1.1&attempt=1${query}`);
      return answer.status === 200 ? ((await answer.json()) as LogShape).text : answer.status;
    };
    expect([await log(""), await log("&of=1"), await log("&of=4")]).toEqual([
      "the first",
      "the first",
      "the fourth",
    ]);
    expect([await log("&of=3"), await log("&of=../../x")]).toEqual([404, "the first"]);
  });
});
