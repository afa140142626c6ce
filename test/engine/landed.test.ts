import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Workspaces, World } from "../../src/engine/index.ts";
import { fail, ok } from "../../src/ports/index.ts";
import { inEnglish } from "../reasons.ts";
import { type Bench, openBench } from "./bench.ts";
import { workspacesThatLand } from "./still-workspaces.ts";

const TASKS = [
  "### [ ] T1.1: Describe the API\n- fills: ctx-api\n",
  "### [ ] T1.2: Client\n- depends_on: [T1.1]\n- context: ctx-api\n",
].join("\n");

/** Workspaces whose landings are told, and never end. */
function endless(): { workspaces: Workspaces; landing: Promise<unknown> } {
  const { promise: landing, resolve } = Promise.withResolvers<unknown>();
  const workspaces = workspacesThatLand(tree => {
    resolve(tree);
    return new Promise(() => {});
  });
  return { workspaces, landing };
}

/** Lets T1.1 say something, and the process die while its work is being landed. */
async function dieLanding(answer: string, tasks = TASKS, world: Partial<World> = {}): Promise<Bench> {
  const { workspaces, landing } = endless();
  const bench = openBench({ tasks, world: { ...world, workspaces } });
  void bench.start();
  const fill = await bench.puppets.next("T1.1");
  fill.say(`${answer}\nDONE:${fill.id}`);
  await landing;
  return bench;
}

describe("work that had landed when the process died", () => {
  it("[E38] brings its document and what it added with it", async () => {
    using dead = await dieLanding(
      "# API\n\n- route: /trees hunter2-hunter2\n[ADD_CONTEXT:ctx-api]a find[/ADD_CONTEXT]",
    );
    const landed = new Set(["T1.1"]);
    using bench = openBench({ tasks: TASKS, place: dead.place, resume: true, landed });
    const end = bench.start();
    const client = await bench.puppets.next("T1.2");
    expect(client.prompt).toContain("- route: /trees");
    expect(client.prompt).toContain("a find\n</document");
    expect(client.prompt).not.toContain("hunter2");
    expect(bench.stored("T1.1")).toBe("completed");
    client.say(`DONE:${client.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it("[E38] counts with everything it added also after the next death", async () => {
    using dead = await dieLanding("# API\n\n- route: /trees");
    const landed = new Set(["T1.1"]);
    using second = openBench({ tasks: TASKS, place: dead.place, resume: true, landed });
    void second.start();
    await second.puppets.next("T1.2");
    using third = openBench({ tasks: TASKS, place: second.place, resume: true });
    void third.start();
    expect((await third.puppets.next("T1.2")).prompt).toContain("- route: /trees");
  });

  it("[E38] without a document is told as what it is", async () => {
    using dead = await dieLanding("# API");
    const attempts = [...dead.place.runs.values()].at(-1)?.attempts.get("T1.1");
    const { order = 0, row } = attempts?.get(1) ?? {};
    if (row === undefined) throw new Error("it was not kept");
    expect(row.finalMessage).toContain("# API");
    attempts?.set(1, { order, row: { ...row, finalMessage: "" } });
    using bench = openBench({ tasks: TASKS, place: dead.place, resume: true, landed: new Set(["T1.1"]) });
    void bench.start();
    await bench.event(
      event =>
        event.type === "warning" &&
        event.code === "CONTEXT_LOST" &&
        inEnglish(event.message).includes('"espalier task retry T1.1"'),
    );
  });

  it("[E38] brings a document that stood among its work, though its folder is gone", async () => {
    const tasks = TASKS.replace("- fills: ctx-api\n", "- fills: ctx-api\n- expects: docs/api.md\n");
    const there = { list: () => ok([]), read: () => ok("# API\n\n- route: /trees\n") };
    const missing = { kind: "missing", path: "docs/api.md", message: "docs/api.md is not there" } as const;
    const gone = { list: () => ok([]), read: () => fail(missing) };
    const world = { documents: there, exists: () => true };
    using dead = await dieLanding("The routes are in docs/api.md.", tasks, world);
    const again = { tasks, place: dead.place, resume: true, landed: new Set(["T1.1"]) };
    using bench = openBench({ ...again, world: { documents: gone } });
    cpSync(join(dead.folder, ".espalier"), join(bench.folder, ".espalier"), { recursive: true });
    void bench.start();
    expect((await bench.puppets.next("T1.2")).prompt).toContain("- route: /trees");
  });

  it("[E38] whose document stood in a file that is gone has none: its answer only tells of the file", async () => {
    const tasks = TASKS.replace("- fills: ctx-api\n", "- fills: ctx-api\n- expects: docs/api.md\n");
    const there = { list: () => ok([]), read: () => ok("# API\n\n- route: /trees\n") };
    const missing = { kind: "missing", path: "docs/api.md", message: "docs/api.md is not there" } as const;
    const gone = { list: () => ok([]), read: () => fail(missing) };
    using dead = await dieLanding("The routes are in docs/api.md.", tasks, {
      documents: there,
      exists: () => true,
    });
    const again = { tasks, place: dead.place, resume: true, landed: new Set(["T1.1"]) };
    using bench = openBench({ ...again, world: { documents: gone } });
    void bench.start();
    const client = await bench.puppets.next("T1.2");
    expect(client.prompt).not.toContain("\n<document ");
    await bench.event(
      event => event.type === "warning" && inEnglish(event.message).includes("(docs/api.md is not there)"),
    );
  });

  it("[E38] is known to have been landing even where nothing was said with it", async () => {
    const { workspaces, landing } = endless();
    const puppets = { reports: "exit" } as const;
    using dead = openBench({ tasks: "### [ ] T1.1: Work\n", puppets, world: { workspaces } });
    void dead.start();
    (await dead.puppets.next("T1.1")).say("");
    await landing;
    const attempts = [...dead.place.runs.values()].at(-1)?.attempts.get("T1.1");
    expect(attempts?.get(1)?.row).toMatchObject({
      outcome: "running",
      folder: process.cwd(),
      branch: "main",
    });
  });
});
