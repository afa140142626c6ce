import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ok } from "../../src/ports/index.ts";
import { inEnglish, told } from "../reasons.ts";
import { openBench, SHELL_OK } from "./bench.ts";
import { CHAIN, ONE, TWO } from "./engine-fixtures.ts";
import { quiet } from "./manual-clock.ts";
import { brokenAgent } from "./puppets.ts";
import { workspacesThatLand } from "./still-workspaces.ts";

describe("the engine", () => {
  it("[E10] pauses for a person when an agent cannot work at all, and names an unknown one", async () => {
    using bench = openBench({
      tasks: TWO.replace("T1.2: b\n", "T1.2: b\n- agent: gemini\n"),
      agents: { login: brokenAgent("login", { kind: "auth", message: "please log in", retryable: false }) },
      engine: { defaultAgent: "login" },
    });
    expect(await bench.start()).toMatchObject({ outcome: "waiting" });
    const paused = bench.events.flatMap(event =>
      event.type === "paused" ? [`${event.task} ${inEnglish(event.reason)}`] : [],
    );
    expect(paused.sort()).toEqual(["T1.1 please log in", "T1.2 no agent named gemini"]);
  });

  it("[E175] begins no more tasks once a login was refused twice in a row", async () => {
    using bench = openBench({
      tasks: Array.from({ length: 6 }, (_, at) => `### [ ] T1.${at + 1}: a\n`).join(""),
      policy: { parallel: 1 },
    });
    const over = bench.start();
    const failure = { kind: "auth", message: "please log in", retryable: false } as const;
    for (let count = 0; count < 2; count++)
      (await bench.puppets.next()).end({ kind: "failed", failure, finalMessage: "" });
    expect(await over).toMatchObject({ outcome: "waiting" });
    const paused = bench.events.flatMap(event =>
      event.type === "paused" ? [`${event.task} ${inEnglish(event.reason)}`] : [],
    );
    expect(paused.sort()).toEqual([1, 2, 3, 4, 5, 6].map(at => `T1.${at} please log in`));
    expect(bench.run.tasks.map(({ attempts }) => attempts)).toEqual([1, 1, 0, 0, 0, 0]);
  });

  it("[E10] costs no attempt when the system could not start an agent or a proof", async () => {
    let refusals = 2;
    using bench = openBench({
      tasks: "### [ ] T1.1: a\n- verify: check\n",
      shell: async () =>
        refusals-- > 0 ? { ...SHELL_OK, exitCode: undefined, notStarted: "EAGAIN" } : SHELL_OK,
    });
    const end = bench.start();
    for (let n = 0; n < 3; n++) {
      const part = await bench.puppets.next();
      part.say(`DONE:${part.id}`);
      await quiet();
      await bench.clock.advance(60_000);
    }
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(bench.run.byId.get("T1.1")).toMatchObject({ retries: 0, attempts: 3, verified: true });
  });

  it("[E11] believes what was proved while everything was being stopped, and nothing else", async () => {
    for (const [end, status] of [
      [SHELL_OK, "completed"],
      [{ ...SHELL_OK, exitCode: undefined, killed: "cancelled" }, "ready"],
    ] as const) {
      const verifying = Promise.withResolvers<void>();
      using bench = openBench({
        tasks: "### [ ] T1.1: a\n- verify: check\n",
        shell: ({ cancel }) =>
          new Promise(resolve => {
            verifying.resolve();
            cancel.addEventListener("abort", () => resolve(end));
          }),
      });
      const over = bench.start();
      const part = await bench.puppets.next();
      part.say(`DONE:${part.id}`);
      await verifying.promise;
      await bench.engine.send({ type: "stop", by: "a test", how: "soft" });
      await over;
      expect(bench.run.byId.get("T1.1")?.status).toBe(status);
    }
  });

  it("[E11] counts no attempt whose check with what landed meanwhile was ended by a stop", async () => {
    const joining = Promise.withResolvers<void>();
    let checks = 0;
    using bench = openBench({
      tasks: "### [ ] T1.1: a\n- verify: check\n",
      world: {
        workspaces: workspacesThatLand(async (_tree, _by, { verify }) => {
          const reason = await verify?.(process.cwd(), []);
          return ok(reason === undefined ? { kind: "landed", commit: "1" } : { kind: "unproven", reason });
        }),
      },
      shell({ cancel }) {
        if (++checks === 1) return Promise.resolve(SHELL_OK);
        joining.resolve();
        return new Promise(resolve => {
          cancel.addEventListener("abort", () =>
            resolve({ ...SHELL_OK, exitCode: undefined, killed: "cancelled" }),
          );
        });
      },
    });
    const over = bench.start();
    const part = await bench.puppets.next();
    part.say(`DONE:${part.id}`);
    await joining.promise;
    await bench.engine.send({ type: "stop", by: "a test", how: "soft" });
    await over;
    expect(checks).toBe(2);
    expect(bench.run.byId.get("T1.1")).toMatchObject({ status: "ready", retries: 0 });
  });

  it("[E12] reads the task file afresh for every tick, gathers ticks, and tries again what failed", async () => {
    const [read, write] = [readFileSync, writeFileSync];
    let broken = false;
    const writes: string[] = [];
    using bench = openBench({
      tasks: "### [ ] T1.1: a\n### [ ] T1.2: b\n### [ ] T1.3: c\n",
      world: {
        taskFile: {
          displayPath: "TASKS.md",
          read: () => ({ ok: true, value: read(bench.taskFile) }),
          write(bytes) {
            if (broken) return { ok: false, failure: "not now" };
            writes.push(Buffer.from(bytes).toString());
            write(bench.taskFile, bytes);
            return { ok: true, value: undefined };
          },
        },
      },
    });
    const end = bench.start();
    const parts = [
      await bench.puppets.next("T1.1"),
      await bench.puppets.next("T1.2"),
      await bench.puppets.next("T1.3"),
    ];
    write(bench.taskFile, `${read(bench.taskFile, "utf8")}\nA person wrote this.\n`);
    for (const part of parts.slice(0, 2)) part.say(`DONE:${part.id}`);
    await quiet();
    expect(writes).toEqual([]);
    broken = true;
    await bench.clock.advance(200);
    expect(bench.events.filter(event => event.type === "warning")).toEqual([
      { type: "warning", code: "BOX_NOT_TICKED", message: told("not now") },
    ]);
    broken = false;
    parts[2]?.say(`DONE:${parts[2].id}`);
    await end;
    expect(writes).toHaveLength(1);
    expect(writes[0]?.match(/\[x\]/g)).toHaveLength(3);
    expect(writes[0]).toContain("A person wrote this.");
  });

  it("[E12] ticks at the start what an earlier process completed and did not tick", async () => {
    using first = openBench({ tasks: CHAIN });
    void first.start();
    const one = await first.puppets.next();
    one.say(`DONE:${one.id}`);
    await first.puppets.next("T1.2");
    using second = openBench({ tasks: CHAIN, place: first.place, resume: true });
    void second.start();
    const two = await second.puppets.next("T1.2");
    expect(two.request.attempt).toBe(2);
    await second.clock.advance(200);
    expect(readFileSync(second.taskFile, "utf8")).toContain("[x] T1.1");
    const rows = second.changes.flatMap(change => change.attempts ?? []);
    expect([...new Set(rows.map(row => `${row.task}.${row.number}:${row.outcome}`))]).toEqual([
      "T1.2.1:crashed",
      "T1.2.2:running",
    ]);
    // The first engine still believes that it owns the run: the store refuses whatever it writes.
    const late = await first.engine.send({
      type: "act",
      action: "skip",
      task: "T1.2",
      note: "",
      textHash: "",
    });
    expect(late).toBeUndefined();
    expect(second.stored("T1.2")).toBe("in_progress");
  });

  it("[E110] names each command of a proof by where it is set", async () => {
    const run: string[] = [];
    using bench = openBench({
      tasks: ONE,
      policy: { settlePhases: true },
      engine: { test: "t", verify: "v", phaseVerify: "p" },
      // The tests fail before the work.
      shell: async ({ name, command }) => ({
        ...SHELL_OK,
        exitCode: run.push(`${name} $ ${command}`) === 1 ? 1 : 0,
      }),
    });
    const end = bench.start();
    const part = await bench.puppets.next();
    part.say(`DONE:${part.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(run).toEqual(["test $ t", "test $ t", "verify $ v", "phase.verify $ p"]);
  });

  it("[E13] tells the next attempt what went wrong, and counts only what the task is to blame for", async () => {
    using bench = openBench({
      tasks: "### [ ] T1.1: a\n- verify: check it\n",
      shell: async () => ({ ...SHELL_OK, exitCode: 4, tail: "3 problems\n" }),
    });
    void bench.start();
    const prompts: string[] = [];
    for (const end of ["DONE", "FAIL", "none", "exit", "idle"]) {
      const part = await bench.puppets.next();
      prompts.push(part.prompt);
      if (end === "DONE") part.say(`DONE:${part.id}`);
      if (end === "FAIL") part.say(`I tried.\nFAIL:${part.id}:TypeError`);
      if (end === "none") part.say("I think it is fine");
      if (end === "exit") part.say("crash", 9);
      if (end === "idle")
        part.end({
          kind: "failed",
          failure: { kind: "idle", message: "puppet wrote nothing", retryable: true },
          finalMessage: "",
        });
    }
    const last = await bench.puppets.next();
    prompts.push(last.prompt);
    expect(prompts[0]).not.toContain("Previous attempts");
    expect(prompts[0]).toContain("Success is checked by this command, which must exit with 0:\n  check it");
    expect(prompts[1]).toContain('ended="verify exit 4: 3 problems"');
    expect(prompts[1]).toContain("\n$ check it\nexit 4\n3 problems\n</attempt");
    expect(prompts[2]).toContain("\nI tried.\n");
    expect(prompts[3]).toContain("\nYour answer did not end with the signal line.");
    expect(prompts[4]).toContain("\nagent exit 9\ncrash\n");
    expect(prompts[5]).toContain("<attempt number=5 ");
    expect(prompts[5]).toContain('ended="failed: puppet wrote nothing"');
    const reasons = bench.events.flatMap(event =>
      event.type === "attempt-failed" ? [inEnglish(event.reason)] : [],
    );
    expect(reasons).toEqual([
      "verify exit 4: 3 problems",
      "TypeError",
      "no signal",
      "agent exit 9",
      "puppet wrote nothing",
    ]);
  });

  it("[E17] masks secrets in everything that is stored, logged or handed on", async () => {
    const secret = "hunter2-hunter2";
    using bench = openBench({ tasks: ONE, policy: { maxAttempts: 2 } });
    const end = bench.start();
    const one = await bench.puppets.next();
    one.request.log("stdout", Buffer.from(`raw ${secret}\n`));
    one.say(`DONE:T9#${secret}\nFAIL:${one.id}:it said ${secret}`);
    const two = await bench.puppets.next();
    expect(two.prompt).toContain("[redacted]");
    expect(two.prompt).not.toContain(secret);
    two.end({
      kind: "failed",
      failure: { kind: "exit", message: `no ${secret}`, retryable: true },
      finalMessage: secret,
    });
    await end;
    expect(JSON.stringify(bench.changes)).not.toContain(secret);
    expect(JSON.stringify(bench.events)).not.toContain(secret);
    const entries = readdirSync(join(bench.folder, ".espalier"), { recursive: true, withFileTypes: true });
    const files = entries
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect(readFileSync(file, "utf8")).not.toContain(secret);
  });
});
