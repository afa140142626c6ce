import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type EspalierError, openProject } from "../../src/host/index.ts";
import { openLab } from "../cli/lab.ts";
import { all, open } from "./opened.ts";

const TASKS = `# Shop
## Phase 1: Build
- [ ] T1.1: Prices
  - run: echo 4 > prices.txt
- [ ] T1.2: Bill (depends on T1.1)
  - run: cp prices.txt bill.txt
  - verify: test -s bill.txt
`;
const WAITS = `# Shop
## Phase 1: Build
- [ ] T1.1: Prices
  - run: while [ ! -e ../go ]; do sleep 0.05; done
- [ ] T1.2: Bill (depends on T1.1)
  - run: "true"
`;

describe("a project, opened by a program", () => {
  it("[HO1] is found from a folder of it, and nothing is written", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": "locale: ko\n", "src/a.txt": "" });
    const project = await open(lab, { folder: lab.path("src") });
    expect(project).toMatchObject({ root: lab.root, locale: "ko" });
    expect(project.plan().plan.tasks.map(({ id }) => id)).toEqual(["T1.1", "T1.2"]);
    expect(project.status()).toBeUndefined();
    expect(readdirSync(lab.root).sort()).toEqual(["TASKS.md", "espalier.yaml", "src"]);
  });

  it("[HO1] says what is wrong with it", async () => {
    await using lab = openLab({ "espalier.yaml": "paralel: 2\n" });
    await expect(open(lab)).rejects.toMatchObject({ name: "EspalierError", code: "CONFIG_INVALID" });
    lab.write("espalier.yaml", "");
    const project = await open(lab);
    expect(() => project.plan()).toThrow(expect.objectContaining({ code: "TASKS_NOT_FOUND" }));
    await expect(project.run().ended).rejects.toMatchObject({ code: "TASKS_NOT_FOUND" });
    lab.write("TASKS.md", TASKS.replace("on T1.1", "on T1.9"));
    await expect(project.run().ended).rejects.toMatchObject({ code: "PLAN_INVALID" });
  });
});

describe("a run, started by a program", () => {
  it("[HO2] goes the way of espalier run, and is gone on with by it", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const project = await open(lab);
    const { outcome, counts } = await project.run({ only: ["T1.1"] }).ended;
    expect({ outcome, completed: counts.completed }).toEqual({ outcome: "completed", completed: 1 });
    // What it was not about waits for the next one.
    expect(project.status()).toMatchObject({ file: "TASKS.md", state: "interrupted" });
    expect(project.status()?.tasks.map(({ id, status }) => `${id} ${status}`)).toEqual([
      "T1.1 completed",
      "T1.2 pending",
    ]);
    const { code, stdout } = await lab.cli(["resume"]);
    expect(code).toBe(0);
    expect(stdout).toContain("[DONE] T1.2");
    expect(stdout).not.toContain("[DISPATCH] T1.1");
    expect(lab.read("TASKS.md")).toContain("- [x] T1.2");
    expect(project.status()?.state).toBe("completed");
  });

  it("[HO2] is refused while another process works on the project, and refuses others", async () => {
    await using lab = openLab({ "TASKS.md": WAITS });
    const project = await open(lab);
    const run = project.run();
    for await (const { event } of run.events) if (event.type === "attempt-started") break;
    await expect((await open(lab)).run().ended).rejects.toMatchObject({ code: "LOCKED" });
    expect((await lab.ask("resume")).code).toBe(4);
    expect((await lab.ask("task", "show", "T1.1")).stdout).toContain("running  Phase 1");
    lab.write("../go", "");
    expect(await run.ended).toMatchObject({ outcome: "completed", reason: undefined, message: "" });
  });

  it("[HO3] asks the program what nobody has approved, once", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const asked: string[][] = [];
    const project = await open(lab, {
      approve: wanted => {
        asked.push(wanted.map(({ where, text }) => `${where}: ${text}`));
        return true;
      },
    });
    await project.run().ended;
    await project.run().ended;
    expect(asked).toEqual([
      ["T1.1 run: echo 4 > prices.txt", "T1.2 run: cp prices.txt bill.txt", "T1.2 verify: test -s bill.txt"],
    ]);
  });

  it.each([
    ["says no", { approve: () => false }, "APPROVAL_REFUSED"],
    ["cannot ask", {}, "APPROVAL_NEEDED"],
  ] as const)("[HO3] changes nothing where the program %s", async (_how, more, code) => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const run = (await open(lab, more)).run();
    await expect(run.ended).rejects.toMatchObject({ name: "EspalierError", code });
    await expect(all(run.events)).rejects.toMatchObject({ code });
    expect(readdirSync(lab.root)).toEqual(["TASKS.md"]);
    expect(await run.hold(true)).toBe(false);
    expect(await run.decide("T1.1", "skip")).toMatchObject({ code: "nothing-runs" });
  });

  it("[HO4] tells everything in order to whoever reads first, also afterwards", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const run = (await open(lab)).run();
    await run.ended;
    const kept = (await all(run.events)).filter(({ seq }) => seq > 0);
    expect(kept.map(({ seq }) => seq)).toEqual(kept.map((_, at) => at + 1));
    const types = kept.map(({ event }) => event.type);
    expect(types[0]).toBe("run-started");
    expect(types.lastIndexOf("completed")).toBeLessThan(types.indexOf("run-ended"));
    expect(types.filter(type => type === "completed")).toHaveLength(2);
    expect(await all(run.events)).toEqual([]);
  });

  it("[HO4] masks secrets in what agents say", async () => {
    const tasks = "# Shop\n## Phase 1: Build\n- [ ] T1.1: Say\n  - run: cat said.txt\n";
    const secret = "correct-horse-battery";
    await using lab = openLab({
      "TASKS.md": tasks,
      "said.txt": `key ${secret}\n`,
      ".env": `API_KEY=${secret}\n`,
    });
    const run = (await open(lab)).run();
    const text = JSON.stringify(await all(run.events));
    expect(text).toContain('"text":"key ');
    expect(text).not.toContain(secret);
  });

  it("[HO5] stops with its state saved, and goes on", async () => {
    await using lab = openLab({ "TASKS.md": WAITS });
    const project = await open(lab);
    const run = project.run();
    for await (const { event } of run.events) if (event.type === "attempt-started") run.stop();
    expect(await run.ended).toMatchObject({ outcome: "interrupted" });
    expect(project.status()?.tasks[0]).toMatchObject({ status: "ready", retries: 0 });
    const early = project.run();
    early.stop("hard");
    expect(await early.ended).toMatchObject({ outcome: "interrupted" });
    lab.write("../go", "");
    expect(await project.run().ended).toMatchObject({ outcome: "completed" });
  });

  it("[HO5] is held and decided about by the program", async () => {
    await using lab = openLab({ "TASKS.md": WAITS });
    const run = (await open(lab)).run();
    expect(await run.hold(true)).toBe(true);
    expect(await run.decide("T1.9", "skip")).toMatchObject({ code: expect.any(String) });
    expect(await run.decide("T1.2", "skip")).toBeUndefined();
    lab.write("../go", "");
    expect(await run.hold(false)).toBe(true);
    expect((await run.ended).counts).toMatchObject({ completed: 1, skipped: 1 });
  });

  it.each([
    { maxTokens: Number.NaN },
    { maxCost: Number.NaN },
    { maxCost: -1 },
    { parallel: 0 },
    { parallel: Number.POSITIVE_INFINITY },
    { plan: "never" as "frozen" },
    { only: "T1.1" as unknown as string[] },
    { only: [] },
    { command: "" },
    { paralel: 2 } as object,
  ])("[HO9] refuses options that mean nothing: %o", async options => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const asked: unknown[] = [];
    const project = await open(lab, { approve: wanted => asked.push(wanted) > 0 });
    await expect(project.run(options).ended).rejects.toMatchObject({ name: "EspalierError", code: "USAGE" });
    expect(asked).toEqual([]);
    expect(readdirSync(lab.root)).toEqual(["TASKS.md"]);
  });

  it("[HO9] refuses a folder that is none, and a request that means nothing", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const folder = lab.path("TASKS.md");
    await expect(openProject({ folder })).rejects.toMatchObject({ code: "NO_PROJECT" });
    await expect(openProject({ folder: 7 as unknown as string })).rejects.toMatchObject({ code: "USAGE" });
    for (const none of ["a\0b", "a".repeat(3000)])
      await expect(openProject({ folder: lab.path(none) })).rejects.toMatchObject({ code: "NO_PROJECT" });
  });

  it("[HO1] [HO9] refuses a task file that is none", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const project = await open(lab);
    const refusal = (file: unknown) => {
      try {
        return project.plan(file as string);
      } catch (error) {
        const { code, message } = error as EspalierError;
        return `${code}: ${message}`;
      }
    };
    expect(refusal(".")).toBe(`TASKS_NOT_A_FILE: ${lab.root} is not a plain file`);
    expect(refusal(5)).toMatch(/^USAGE: plan.file/);
    expect(refusal("")).toMatch(/^USAGE: plan.file/);
    for (const none of ["a\0b", "a".repeat(3000)]) expect(refusal(none)).toMatch(/^TASKS_NOT_FOUND: /);
  });

  it("[HO9] refuses a decision and a way to stop that mean nothing, and goes on", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const run = (await open(lab)).run();
    await expect(run.decide("T1.1", "nonsense" as "skip")).rejects.toMatchObject({ code: "USAGE" });
    expect(() => run.stop("weird" as "soft")).toThrow(expect.objectContaining({ code: "USAGE" }));
    expect(await run.ended).toMatchObject({ outcome: "completed" });
  });

  it("[HO9] tells what the program throws as the program's, and takes a plain yes only", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const failing = (await open(lab, { approve: () => Promise.reject(new Error("no dialog")) })).run();
    await expect(failing.ended).rejects.toMatchObject({ code: "APPROVAL_FAILED", message: /no dialog/ });
    await expect(all(failing.events)).rejects.toMatchObject({ code: "APPROVAL_FAILED" });
    const unsure = (await open(lab, { approve: () => "no" as unknown as boolean })).run();
    await expect(unsure.ended).rejects.toMatchObject({ code: "APPROVAL_REFUSED" });
    const tell = () => {
      throw new Error("no log");
    };
    lab.write(".espalier/espalier.db", "no database");
    const project = await open(lab, { approve: () => true, tell });
    expect(await project.run().ended).toMatchObject({ outcome: "completed" });
  });

  it("[HO9] ends a run that is stopped while the program is asked", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const asked = Promise.withResolvers<void>();
    const approve = () => {
      asked.resolve();
      return new Promise<boolean>(() => {});
    };
    const run = (await open(lab, { approve })).run();
    await asked.promise;
    run.stop();
    await expect(run.ended).rejects.toMatchObject({ code: "STOPPED" });
    expect(await run.hold(true)).toBe(false);
    expect(readdirSync(lab.root)).toEqual(["TASKS.md"]);
  });

  it("tells the program what a person should know", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const told: string[] = [];
    const project = await open(lab, { approve: () => true, tell: line => told.push(line) });
    await project.run({ only: ["T1.1"] }).ended;
    lab.write(".espalier/espalier.db", "no database");
    await project.run().ended;
    expect(told.join("\n")).toContain("espalier.db");
    expect(existsSync(lab.path("bill.txt"))).toBe(true);
  });
});

describe("the host", () => {
  it("[HO7] knows no terminal", () => {
    const files = readdirSync("src/host", { recursive: true, encoding: "utf8" }).filter(name =>
      name.endsWith(".ts"),
    );
    expect(files.length).toBeGreaterThan(40);
    const wrong = files.filter(name =>
      /\bprocess\.(?:stdin|stdout|stderr|exit\b|argv)|\bisTTY\b|@clack/.test(
        readFileSync(`src/host/${name}`, "utf8"),
      ),
    );
    expect(wrong).toEqual([]);
  });
});

describe("what a program publishes", () => {
  const PLAN = "# Plan\n\n## Goal\n\nA shop.\n\n## Rules\n\n- Whole cents.\n";

  it("[HO43] goes the way of the command: merged by sections, or both sides handed back", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const { context } = await open(lab);
    expect(context.read("GC")).toBeUndefined();
    expect(await context.publish("GC", PLAN)).toMatchObject({ kind: "published", version: 1 });
    expect(await context.publish("GC", PLAN)).toEqual({ kind: "unchanged", version: 1 });
    lab.write("plan.md", PLAN.replace("A shop", "A large shop"));
    expect((await lab.cli(["context", "publish", "GC", "plan.md", "--base", "1"])).code).toBe(0);
    const mine = PLAN.replace("Whole cents", "Whole won");
    expect(await context.publish("GC", mine, { base: 1 })).toMatchObject({ version: 3, mergedFrom: 1 });
    const both = mine.replace("A shop", "A large shop");
    expect(context.read("GC")).toEqual({ version: 3, text: both });
    expect(context.read("GC", 1)).toEqual({ version: 1, text: PLAN });
    const clash = await context.publish("GC", PLAN.replace("Whole cents", "Strings"), { base: 1 });
    expect(clash).toMatchObject({ kind: "clash", current: 3, sections: [{ section: "Rules" }] });
    expect(context.read("GC")?.version).toBe(3);
  });

  it("[HO43] is published one after the other where a program publishes at once", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const projects = await Promise.all([1, 2, 3].map(() => open(lab)));
    const sides = await Promise.all(
      projects.map(({ context }, at) => context.publish("GC", `# GC\n\n## S${at}\n\nx\n`, { by: `p${at}` })),
    );
    expect(sides.map(side => side.kind)).toEqual(["published", "published", "published"]);
    expect(projects[0]?.context.read("GC")?.version).toBe(3);
  });

  it("[HO43] reaches the run that goes on", async () => {
    await using lab = openLab({ "TASKS.md": WAITS });
    const project = await open(lab);
    const run = project.run();
    for await (const { event } of run.events) if (event.type === "dispatched") break;
    expect(await project.context.publish("GC", PLAN, { by: "ann" })).toMatchObject({ version: 1 });
    lab.write("../go", "");
    expect((await run.ended).outcome).toBe("completed");
    expect((await lab.cli(["context", "log", "GC"])).stdout).toContain("ann");
  });

  it("[HO43] [HO9] is refused with a code where it cannot be", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const { context } = await open(lab);
    await expect(context.publish("no label", "x")).rejects.toMatchObject({ code: "BAD_LABEL" });
    await expect(context.publish("GC", "\ud800")).rejects.toMatchObject({ code: "BAD_INPUT" });
    await expect(context.publish("GC", "x", { base: 7 })).rejects.toMatchObject({ code: "UNKNOWN_BASE" });
    await expect(context.publish("GC", 7 as never)).rejects.toMatchObject({ code: "USAGE" });
    expect(() => context.read("GC", 0)).toThrow(expect.objectContaining({ code: "USAGE" }));
  });
});
