import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { constants } from "node:os";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { openStage } from "../../puppet/stage.ts";
import { sampleOf } from "../../sample.ts";
import { isAlive, openLab } from "../lab.ts";

const FAST = "parallel: 5\nbackoff: { first: 0s }\nlimits: { grace: 500ms }\n";

/** Gives a command a terminal of its own, closes it when a line comes in, and tells how the command ended. */
const TERMINAL = `
import os, pty, sys
pid, master = pty.fork()
if pid == 0:
    os.execvp("sh", ["sh", "-c", sys.argv[1]])
sys.stdin.readline()
os.close(master)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;
const HAS_PYTHON = spawnSync("python3", ["-c", "import pty"]).status === 0;

/** T1.1 is quick; T1.2 and T1.3 are puppets and depend on it. */
function puppets(script: string): string {
  const after = "- depends_on: [T1.1]\n";
  return `# P\n## Phase 1: p\n### [ ] T1.1: quick\n- run: echo x >> quick\n### [ ] T1.2: a\n${after}- run: ${script}\n### [ ] T1.3: b\n${after}- run: ${script}\n`;
}

function statusOf(json: string): {
  run: { state: string };
  tasks: Record<string, { status: string; retries: number }>;
} {
  const { run, tasks } = JSON.parse(json);
  return { run, tasks: Object.fromEntries(tasks.map((row: { id: string }) => [row.id, row])) };
}

describe.concurrent("stopping", { timeout: 120_000 }, () => {
  it.each(sampleOf(["SIGINT", "SIGTERM", "SIGHUP"] as const, 0, 2))(
    "%s ends agents, puts their tasks back, says how to go on (exit 130), and resume goes on",
    async name => {
      await using stage = await openStage();
      await using lab = openLab({ "TASKS.md": puppets(stage.script), "espalier.yaml": FAST });
      const run = lab.start(["run", "--yes"]);
      const calls = [await stage.nextCall("T1.2"), await stage.nextCall("T1.3")];
      run.signal(name);
      const { code, stdout } = await run.ended;
      expect(code).toBe(130);
      await Promise.all(calls.map(call => call.gone));
      expect(stdout).toContain("[STOP] stopping, asked by ");
      expect(stdout).toContain("[ULTRA-THIN] interrupted: stopped before all tasks had ended");
      expect(stdout).toContain("espalier resume");
      const { run: row, tasks } = statusOf((await lab.ask("status", "--json")).stdout);
      expect(row.state).toBe("interrupted");
      expect(tasks).toMatchObject({
        "T1.1": { status: "completed" },
        "T1.2": { status: "ready", retries: 0 },
      });
      const resumed = lab.start(["resume"]);
      await (await stage.nextCall("T1.2")).exit(0);
      await (await stage.nextCall("T1.3")).exit(0);
      expect((await resumed.ended).code).toBe(0);
      expect(lab.read("quick")).toBe("x\n");
    },
  );

  it.skipIf(!HAS_PYTHON)("saves and leaves when its terminal is closed, without an abort", async () => {
    await using stage = await openStage();
    await using lab = openLab({ "TASKS.md": puppets(stage.script), "espalier.yaml": FAST });
    const line = `exec ${lab.line(["run", "--yes"])} 2> errors`;
    const terminal = spawn("python3", ["-c", TERMINAL, line], {
      cwd: lab.root,
      env: { ...lab.env, TERM: "xterm" },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const calls = [await stage.nextCall("T1.2"), await stage.nextCall("T1.3")];
    terminal.stdin.end("close it\n");
    const [ending] = await Promise.all([text(terminal.stdout), ...calls.map(call => call.gone)]);
    expect(ending).toBe(`${-constants.signals.SIGHUP}\n`);
    expect(lab.read("errors")).not.toMatch(/Assertion|BUG/);
    expect(lab.read(".espalier/orchestrate.log")).toContain("[STOP] stopping, asked by a closed terminal");
    expect(statusOf((await lab.ask("status", "--json")).stdout).run.state).toBe("interrupted");
  });

  it("hurries at the second Ctrl+C", async () => {
    await using stage = await openStage();
    await using lab = openLab({
      "TASKS.md": puppets(stage.script),
      "espalier.yaml": "parallel: 5\nlimits: { grace: 10m }\n",
    });
    const run = lab.start(["run", "--yes"]);
    const calls = [await stage.nextCall(), await stage.nextCall()];
    for (const call of calls) await call.ignore("SIGTERM");
    const child = await calls[0]?.leave();
    run.signal("SIGINT");
    await run.seen("[STOP]");
    expect(calls.map(call => isAlive(call.pid))).toEqual([true, true]);
    run.signal("SIGINT");
    expect((await run.ended).code).toBe(130);
    await Promise.all(calls.map(call => call.gone));
    expect(isAlive(child ?? 0)).toBe(false);
    expect(existsSync(lab.path(".espalier/holder.json"))).toBe(false);
  });

  it("stops a verify command as well, and does not take its task for done", async () => {
    const verify = "touch verifying; exec sleep 600";
    await using lab = openLab({
      "TASKS.md": `# V\n## Phase 1: p\n### [ ] T1.1: a\n- run: true\n- verify: ${verify}\n`,
      "espalier.yaml": FAST,
    });
    const run = lab.start(["run", "--yes", "--json"]);
    await run.seen('"verify-started"');
    run.signal("SIGINT");
    expect((await run.ended).code).toBe(130);
    expect(statusOf((await lab.ask("status", "--json")).stdout).tasks).toMatchObject({
      "T1.1": { status: "ready", retries: 0 },
    });
  });

  it("is asked for by another process, softly or at once, and returns when all is over", async () => {
    for (const now of [[], ["--now"]]) {
      await using stage = await openStage();
      const grace = now.length > 0 ? "10m" : "500ms";
      await using lab = openLab({
        "TASKS.md": puppets(stage.script),
        "espalier.yaml": `parallel: 5\nlimits: { grace: ${grace} }\n`,
      });
      const run = lab.start(["run", "--yes"]);
      const calls = [await stage.nextCall(), await stage.nextCall()];
      for (const call of calls) await call.ignore("SIGTERM");
      const stop = await lab.ask("stop", ...now);
      expect(isAlive(run.pid)).toBe(false);
      expect(stop.code).toBe(0);
      expect(stop.stdout).toBe(
        "stopping: agents are ended, their tasks become ready again\nstopped; espalier resume goes on\n",
      );
      const { code, stdout } = await run.ended;
      expect(code).toBe(130);
      expect(stdout).toContain("[STOP] stopping, asked by espalier stop");
      await Promise.all(calls.map(call => call.gone));
    }
  });

  it("goes on with its work when the reader of its output has left", async () => {
    await using stage = await openStage();
    await using lab = openLab({ "TASKS.md": puppets(stage.script), "espalier.yaml": FAST });
    const run = lab.start(["run", "--yes"]);
    const call = await stage.nextCall("T1.2");
    run.child.stdout?.destroy();
    await call.exit(0);
    await (await stage.nextCall("T1.3")).exit(0);
    const { code, stderr } = await run.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(lab.read(".espalier/orchestrate.log")).toContain("[ULTRA-THIN] All done");
    const status = lab.start(["status"]);
    status.child.stdout?.destroy();
    expect(await status.ended).toMatchObject({ code: 0, stderr: "" });
  });

  it("loses nothing to SIGKILL, and runs nothing twice at once", async () => {
    await using stage = await openStage();
    await using lab = openLab({ "TASKS.md": puppets(stage.script), "espalier.yaml": FAST });
    const run = lab.start(["run", "--yes"]);
    const calls = [await stage.nextCall("T1.2"), await stage.nextCall("T1.3")];
    await calls[0]?.ignore("SIGTERM");
    const detached = await calls[1]?.leave();
    run.signal("SIGKILL");
    await run.ended;
    const killed = statusOf((await lab.ask("status", "--json")).stdout);
    expect(killed.run.state).toBe("interrupted");
    expect(killed.tasks).toMatchObject({
      "T1.1": { status: "completed" },
      "T1.2": { status: "in_progress" },
    });
    const resumed = lab.start(["resume"]);
    const again = [await stage.nextCall("T1.2"), await stage.nextCall("T1.3")];
    expect(calls.map(call => isAlive(call.pid))).toEqual([false, false]);
    expect(isAlive(detached ?? 0)).toBe(false);
    for (const call of again) await call.exit(0);
    const { code, stderr, stdout } = await resumed.ended;
    expect(code).toBe(0);
    expect(stderr).toContain("was in progress when the last process died, starts again: T1.2, T1.3");
    expect(stdout).not.toContain("[DISPATCH] T1.1");
    expect(lab.read("quick")).toBe("x\n");
    expect(lab.read("TASKS.md").match(/\[x\]/g)).toHaveLength(3);
    const shown = JSON.parse((await lab.ask("task", "show", "T1.2", "--json")).stdout);
    expect(shown.task).toMatchObject({ retries: 0, attempts: 2 });
    expect(shown.attempts.map((row: { outcome: string }) => row.outcome)).toEqual(["crashed", "done"]);
  });

  it("leaves no agent behind when it dies of a bug (exit 70), and goes on from there", async () => {
    await using stage = await openStage();
    await using lab = openLab({ "TASKS.md": puppets(stage.script), "espalier.yaml": FAST });
    const bug = 'process.on("SIGUSR2",()=>{throw new Error("a bug of ours")})';
    const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(bug)}` };
    const run = lab.start(["run", "--yes"], { env });
    const calls = [await stage.nextCall("T1.2"), await stage.nextCall("T1.3")];
    run.signal("SIGUSR2");
    const { code, stderr } = await run.ended;
    expect(code).toBe(70);
    expect(stderr).toContain("BUG: this should not have happened (espalier ");
    expect(stderr).toContain("Error: a bug of ours");
    await Promise.all(calls.map(call => call.gone));
    const resumed = lab.start(["resume"]);
    for (const id of ["T1.2", "T1.3"]) await (await stage.nextCall(id)).exit(0);
    expect((await resumed.ended).code).toBe(0);
    expect(lab.read("quick")).toBe("x\n");
  });

  it("ticks at the next start what a kill kept it from ticking", async () => {
    const tasks = puppets("while ! test -e go; do sleep 0.02; done");
    await using lab = openLab({ "TASKS.md": tasks, "espalier.yaml": FAST });
    const run = lab.start(["run", "--yes"]);
    await run.seen("[DONE] T1.1");
    run.signal("SIGKILL");
    await run.ended;
    // Ticks are gathered for a moment: with luck this one had been written, without it is missing now. Make it so.
    lab.write("TASKS.md", tasks);
    lab.write("go", "");
    expect((await lab.ask("resume")).code).toBe(0);
    expect(lab.read("TASKS.md").match(/\[x\]/g)).toHaveLength(3);
    expect(lab.read("quick")).toBe("x\n");
  });
});

describe.concurrent("one orchestrator at a time", { timeout: 120_000 }, () => {
  it("[CL24] refuses a second start, from wherever, and names the holder (exit 4)", async () => {
    await using stage = await openStage();
    await using lab = openLab({ "TASKS.md": puppets(stage.script), "deep/er/x": "" });
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", lab.root, "-c", "user.name=t", "-c", "user.email=t@t", ...args]);
    git("init", "-q");
    git("add", "TASKS.md");
    git("commit", "-q", "-m", "x");
    git("worktree", "add", "-q", "../linked");
    symlinkSync(lab.root, `${lab.root}-link`);
    const run = lab.start(["run", "--yes"]);
    await stage.nextCall();
    for (const cwd of [".", "deep/er", "../project-link", "../linked"]) {
      const second = await lab.cli(["run", "--yes"], { cwd });
      expect({ cwd, code: second.code }).toEqual({ cwd, code: 4 });
      expect(second.stderr).toContain(`LOCKED: held by process ${run.pid} on `);
      expect(second.stderr).toContain("espalier status shows that run; espalier stop ends it");
    }
    expect((await lab.ask("next")).code).toBe(4);
    expect((await lab.cli(["plan", "TASKS.md"], { cwd: "../linked" })).stdout).toContain("P  TASKS.md");
    run.signal("SIGSTOP");
    const stopped = await lab.cli(["run", "--yes"]);
    expect(stopped.stderr).toContain(`it is stopped: "kill -CONT ${run.pid}" lets it go on`);
    expect(stopped.stderr).not.toContain("espalier stop ends it");
    const unheard = await lab.cli(["stop"]);
    expect(unheard.code).toBe(4);
    expect(unheard.stderr).toContain(
      `NO_ANSWER: process ${run.pid} holds the lock and is stopped, so it hears nothing\n` +
        `  kill -CONT ${run.pid} lets it go on, and espalier stop then ends it; kill -KILL ${run.pid} ends it`,
    );
    const undone = await lab.ask("task", "retry", "T1.1");
    expect([undone.code, undone.stdout]).toEqual([
      2,
      expect.stringContaining(`kill -CONT ${run.pid} lets it go on`),
    ]);
    run.signal("SIGCONT");
    expect((await lab.cli(["stop"], { cwd: "../linked" })).code).toBe(0);
    expect((await run.ended).code).toBe(130);
  });

  it("lets one of several simultaneous starts run", async () => {
    await using stage = await openStage();
    await using lab = openLab({ "TASKS.md": puppets(stage.script) });
    const starts = Array.from({ length: 4 }, () => lab.start(["run", "--yes"]));
    const left = new Set(starts);
    const ended = starts.map(one =>
      one.ended.then(done => {
        left.delete(one);
        return done;
      }),
    );
    while (left.size > 1) await Promise.race(ended.filter((_, at) => left.has(starts[at]!)));
    await stage.nextCall();
    for (const one of left) one.signal("SIGTERM");
    const codes = (await Promise.all(ended)).map(done => done.code);
    expect(codes.toSorted((a, b) => (b ?? 0) - (a ?? 0))).toEqual([130, 4, 4, 4]);
    expect(stage.calls).toBeLessThanOrEqual(2);
  });

  it("is told of by doctor", async () => {
    await using stage = await openStage();
    await using lab = openLab({ "TASKS.md": puppets(stage.script) });
    const run = lab.start(["run", "--yes"]);
    await stage.nextCall();
    expect((await lab.ask("doctor")).stdout).toContain(`· lock            held by process ${run.pid} on `);
    run.signal("SIGTERM");
    await run.ended;
  });

  it("takes the lock of a holder that died, whatever it left behind", async () => {
    await using lab = openLab({ "TASKS.md": "# A\n## Phase 1: p\n### [ ] T1.1: a\n- run: true\n" });
    mkdirSync(lab.path(".espalier"));
    lab.write(
      ".espalier/holder.json",
      JSON.stringify({ pid: 1, host: "elsewhere", cwd: "/", startTime: "1", bootId: "x" }),
    );
    lab.write(".espalier/control.sock", "not a socket");
    const { code } = await lab.ask("run", "--yes");
    expect(code).toBe(0);
    expect(readFileSync(lab.path(".espalier/lock.db")).length).toBe(0);
  });
});
