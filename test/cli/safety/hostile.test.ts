import { execFileSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStage } from "../../puppet/stage.ts";
import { UNPRIVILEGED } from "../../unprivileged.ts";
import { openLab } from "../lab.ts";

const FAST = "parallel: 5\nbackoff: { first: 0s }\nlimits: { grace: 500ms }\n";
const TASKS = "# H\n## Phase 1: p\n### [ ] T1.1: a\n- run: true\n";
const IS_ROOT = process.getuid?.() === 0;

function works(file: string, ...args: string[]): boolean {
  try {
    execFileSync(file, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.concurrent("places that cannot be written", { timeout: 120_000 }, () => {
  it.skipIf(UNPRIVILEGED === undefined)(
    "refuses a read-only folder before anything starts (exit 6)",
    async () => {
      await using lab = openLab({ "TASKS.md": TASKS });
      chmodSync(lab.root, 0o555);
      const via = UNPRIVILEGED ?? [];
      const { code, stdout, stderr } = await lab.cli(["run", "--yes"], { via });
      expect([code, stdout]).toEqual([6, ""]);
      expect(stderr).toMatch(/STATE_NOT_WRITABLE: .*\.espalier/);
      expect(stderr).toContain("nothing was started");
      expect((await lab.cli(["plan"], { via })).code).toBe(0);
      expect((await lab.cli(["status"], { via })).code).toBe(2);
      const init = await lab.cli(["init"], { via });
      expect([init.code, init.stderr]).toEqual([6, expect.stringContaining("NOT_WRITABLE")]);
      expect((await lab.cli(["doctor"], { via })).stdout).toContain("is not writable");
      chmodSync(lab.root, 0o755);
      expect((await lab.cli(["run", "--yes"], { via })).code).toBe(0);
    },
  );

  it.skipIf(UNPRIVILEGED === undefined)(
    "says who may not read an unreadable task file (exit 6)",
    async () => {
      await using lab = openLab({ "TASKS.md": TASKS });
      chmodSync(lab.path("TASKS.md"), 0);
      const { code, stderr } = await lab.cli(["plan"], { via: UNPRIVILEGED ?? [] });
      expect(code).toBe(6);
      expect(stderr).toMatch(/TASKS_UNREADABLE: .*TASKS\.md/);
      expect(stderr).toMatch(/give user \d+ the right to read it/);
    },
  );

  it.skipIf(!IS_ROOT)(
    "waits while the disk is full, loses nothing, and goes on when there is room",
    async () => {
      await using stage = await openStage();
      await using lab = openLab({ "disk/x": "" });
      if (!works("mount", "-t", "tmpfs", "-o", "size=1536k", "tmpfs", lab.path("disk"))) {
        process.stderr.write("hostile.test.ts: mount is not allowed here; the full disk was not tried\n");
        return;
      }
      try {
        const quick = "### [ ] T1.1: a\n- run: true\n";
        const held = ["T1.2", "T1.3"]
          .map(id => `### [ ] ${id}: b\n- depends_on: [T1.1]\n- run: ${stage.script}\n`)
          .join("");
        lab.write("disk/TASKS.md", `# D\n## Phase 1: p\n${quick}${held}`);
        lab.write("disk/espalier.yaml", FAST);
        const cwd = "disk";
        const run = lab.start(["run", "--yes"], { cwd });
        const [two, three] = [await stage.nextCall("T1.2"), await stage.nextCall("T1.3")];
        fill(lab.path("disk/ballast"));
        await two.exit(0);
        await run.seen("[WARN] STATE_NOT_WRITTEN the state cannot be written");
        expect(JSON.parse((await lab.cli(["status", "--json"], { cwd })).stdout).counts).toEqual({
          completed: 1,
          in_progress: 2,
        });
        run.signal("SIGINT");
        const { code, stdout, stderr } = await run.ended;
        expect(code).toBe(6);
        // Once at most: the box may have been ticked just before the disk was full.
        expect((stdout.match(/BOX_NOT_TICKED/g) ?? []).length).toBeLessThanOrEqual(1);
        expect(stderr).toContain("DISK_FULL");
        expect(stderr).toContain(
          "Everything acknowledged before is safe\n  make room, then: espalier resume",
        );
        await three.gone;
        rmSync(lab.path("disk/ballast"));
        const resumed = lab.start(["resume"], { cwd });
        for (const id of ["T1.2", "T1.3"]) await (await stage.nextCall(id)).exit(0);
        const done = await resumed.ended;
        expect(done.code).toBe(0);
        expect(done.stdout).not.toContain("[DISPATCH] T1.1");
      } finally {
        execFileSync("umount", ["-l", lab.path("disk")]);
      }
    },
  );
});

/** Writes until the disk has no room left. */
function fill(path: string): void {
  for (const size of [65_536, 4096, 1]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(size, 120), { flag: "a" });
    } catch {
      // Smaller pieces may still fit.
    }
  }
}

/** All, or the first line, that the control socket answers to these bytes; empty when it closes the connection without a word. */
function askRaw(path: string, bytes: string | Buffer, until: "close" | "line" = "close"): Promise<string> {
  return new Promise(resolve => {
    let answer = "";
    const socket = createConnection(path, () => socket.write(bytes));
    socket.on("data", chunk => {
      answer += chunk.toString();
      if (until === "line" && answer.includes("\n")) socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });
}

describe.concurrent("the control socket", { timeout: 120_000 }, () => {
  it("is its owner's alone, answers one request a connection, and survives nonsense", async () => {
    await using stage = await openStage();
    await using lab = openLab({
      "TASKS.md": `# C\n## Phase 1: p\n### [ ] T1.1: a\n- run: ${stage.script}\n`,
    });
    const run = lab.start(["run", "--yes"]);
    const call = await stage.nextCall();
    const path = lab.path(".espalier/control.sock");
    expect(lstatSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await askRaw(path, '{"method":"ping"}\n'))).toEqual({ ok: true, message: "running" });
    for (const nonsense of [
      "not json\n",
      "[]\n",
      '{"method":"rm"}\n',
      '{"method":"ping","extra":1}\n',
      "\0\xff\n",
      '{"method":"act","action":"skip","task":""}\n',
    ]) {
      expect(JSON.parse(await askRaw(path, nonsense))).toMatchObject({ ok: false });
    }
    expect(await askRaw(path, "x".repeat(1_000_000))).toBe("");
    // Who decides has to show a word first; without it nothing is carried out.
    expect(JSON.parse(await askRaw(path, '{"method":"force-phase","phase":"9"}\n', "line"))).toEqual({
      show: expect.stringMatching(/^[\w-]{16}$/),
    });
    expect((await lab.ask("phase", "force", "9")).stderr).toContain("no phase 9 in this plan");
    const two = (await askRaw(path, '{"method":"ping"}\n{"method":"stop"}\n')).trimEnd().split("\n");
    expect(two).toEqual(['{"ok":true,"message":"running"}']);
    const idle = createConnection(path);
    await new Promise(resolve => idle.once("connect", resolve));
    idle.on("error", () => {});
    await call.exit(0);
    expect((await run.ended).code).toBe(0);
    idle.destroy();
    expect(existsSync(path)).toBe(false);
  });

  it("lies in a private folder of the temp directory where its path would be too long, or nowhere", async () => {
    await using stage = await openStage();
    await using lab = openLab();
    const deep = `${"deep/".repeat(22)}project`;
    lab.write(`${deep}/TASKS.md`, `# C\n## Phase 1: p\n### [ ] T1.1: a\n- run: ${stage.script}\n`);
    const temp = join(lab.home, "tmp");
    mkdirSync(temp);
    const env = { TMPDIR: temp };
    const run = lab.start(["run", "--yes"], { cwd: deep, env });
    await stage.nextCall();
    const folder = join(temp, `espalier-${process.getuid?.() ?? 0}`);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    // One for people, one for the agents.
    expect(readdirSync(folder)).toHaveLength(2);
    expect((await lab.cli(["stop"], { cwd: deep })).stdout).toContain("stopped");
    expect((await run.ended).code).toBe(130);
    expect(readdirSync(folder)).toEqual([]);

    chmodSync(folder, 0o777);
    const open = lab.start(["resume"], { cwd: deep, env });
    const call = await stage.nextCall();
    await open.seen("is not a folder of ours alone");
    const stop = await lab.cli(["stop"], { cwd: deep });
    expect(stop.code).toBe(4);
    expect(stop.stderr).toContain(`NO_ANSWER: process ${open.pid} holds the lock but does not answer`);
    expect(stop.stderr).toContain(`kill -TERM ${open.pid} asks it to stop`);
    await call.exit(0);
    expect((await open.ended).code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.skipIf(!IS_ROOT)("is not put into a folder that belongs to somebody else", async () => {
    await using stage = await openStage();
    await using lab = openLab();
    const deep = `${"deep/".repeat(22)}project`;
    lab.write(`${deep}/TASKS.md`, `# C\n## Phase 1: p\n### [ ] T1.1: a\n- run: ${stage.script}\n`);
    const folder = join(lab.home, `espalier-${process.getuid?.() ?? 0}`);
    mkdirSync(folder, { mode: 0o700 });
    chownSync(folder, 65534, 65534);
    const run = lab.start(["run", "--yes"], { cwd: deep, env: { TMPDIR: lab.home } });
    const call = await stage.nextCall();
    await run.seen("is not a folder of ours alone");
    await call.exit(0);
    expect((await run.ended).code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    expect(tmpdir()).not.toBe(lab.home);
  });
});
