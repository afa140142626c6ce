import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { endIn, lastStretch, stretchIn } from "../../../src/host/run/aftermath.ts";
import { ok, type RunEvent, type StampedEvent } from "../../../src/ports/index.ts";
import { openLab } from "../lab.ts";

const TASKS = [
  "# Watched",
  "## Phase 1: Wait",
  "### [ ] T1.1: Wait for a file",
  "- run: while [ ! -e go ]; do sleep 0.05; done",
  "- verify: test -e go",
  "### [ ] T1.2: Afterwards",
  "- depends_on: [T1.1]",
  "- run: true",
  "- verify: true",
  "",
].join("\n");

const NONE = "no run yet: espalier run starts one\n";
const IDLE = "no process runs this project: decisions are kept, espalier resume goes on\n";

describe.concurrent("espalier watch in a pipe", { timeout: 120_000 }, () => {
  it("prints what happens as lines, finds a run that begins later, and ends with it", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const watch = lab.start(["watch"]);
    const run = lab.start(["run", "--yes"]);
    await run.seen("[DISPATCH] T1.1");
    // It follows once it has found the socket; a person's act is an event it must hear then.
    await lab.until(() => lab.read(".espalier/holder.json") !== "");
    for (let heard = false; !heard; ) {
      await lab.ask("task", "pause", "T1.2");
      await lab.ask("task", "resume", "T1.2");
      heard = await Promise.race([
        watch.seen("[PAUSED] T1.2").then(() => true),
        run.ended.then(() => true),
        tick(),
      ]);
    }
    lab.write("go", "");
    expect((await run.ended).code).toBe(0);
    const done = await watch.ended;
    expect(done.code).toBe(0);
    expect(done.stdout).toContain("[DONE] T1.2");
    // The run may have begun before it looked.
    expect(["", NONE]).toContain(done.stderr);
  });

  it("[VK14] says that there is no run yet, and waits for one", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const watch = lab.start(["watch"]);
    await watch.seen(NONE.trim());
    watch.signal("SIGTERM");
    expect(await watch.ended).toMatchObject({ code: 0, stdout: "", stderr: NONE });
  });

  it("[VK14] says that no process works on the run, and waits for one that does", async () => {
    await using lab = openLab({ "TASKS.md": TASKS.replace("[ ! -e go ]", "false") });
    await lab.ask("run", "--yes");
    const watch = lab.start(["watch"]);
    await watch.seen(IDLE.trim());
    watch.signal("SIGTERM");
    expect(await watch.ended).toMatchObject({ code: 0, stderr: IDLE });
  });

  it("prints JSON with --json, and leaves with code 0 when asked to", async ({ expect }) => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const watch = lab.start(["watch", "--json"]);
    const run = lab.start(["run", "--yes", "--dashboard"]);
    await run.seen("[DISPATCH] T1.1");
    await lab.ask("task", "pause", "T1.2");
    run.signal("SIGINT");
    await run.ended;
    // A program that is just being loaded is ended by a signal as any other.
    await expect.poll(() => heedsSigterm(watch.child.pid)).toBe(true);
    watch.signal("SIGTERM");
    const { code, stdout } = await watch.ended;
    expect(code).toBe(0);
    for (const line of stdout.trim().split("\n").filter(Boolean))
      expect(JSON.parse(line)).toHaveProperty("type");
  });
});

/** Whether a process has a handler for SIGTERM, or has ended; true where the system does not tell. */
function heedsSigterm(pid: number | undefined): boolean {
  let status: string;
  try {
    status = readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return true;
  }
  const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  return caught === undefined || (BigInt(`0x${caught}`) & (1n << 14n)) !== 0n;
}

/** False after a moment, for polling what another process does. */
function tick(): Promise<boolean> {
  return new Promise(resolve => setTimeout(() => resolve(false), 300));
}

describe("how long a run was worked on", () => {
  const at = (when: number, event: RunEvent): StampedEvent => ({ seq: when, at: when, event });
  const STARTED: RunEvent = { type: "run-started", project: "p", tasks: 1, resumed: false };
  const BEGUN: RunEvent = { type: "attempt-started", task: "T1.1", attempt: 1, agent: "shell" };
  const ENDED: RunEvent = { type: "run-ended", outcome: "waiting" };

  it.each([
    ["nothing was told", [], {}],
    ["it goes on", [at(1, STARTED), at(2, BEGUN)], { from: 1 }],
    [
      "a person has decided since",
      [at(1, STARTED), at(2, BEGUN), at(5, ENDED), at(90, ENDED)],
      { from: 1, to: 5 },
    ],
    [
      "its process went on after that",
      [at(1, STARTED), at(5, ENDED), at(8, BEGUN), at(9, ENDED)],
      { from: 1, to: 9 },
    ],
    [
      "it was taken up again",
      [at(1, STARTED), at(5, ENDED), at(8, STARTED), at(9, ENDED)],
      { from: 8, to: 9 },
    ],
    ["it was killed after that", [at(1, STARTED), at(5, ENDED), at(8, BEGUN)], { from: 1 }],
  ])("[VK7] %s", (_, events, expected) => {
    expect(stretchIn(events)).toEqual(expected);
  });

  it("[VK7] where it was cut off, work on it ended when it told something last", () => {
    const DECIDED: RunEvent = { type: "person", action: "pause", task: "T1.1", note: "" };
    expect(endIn([at(1, STARTED), at(8, BEGUN), at(90, DECIDED)])).toBe(8);
    expect(endIn([at(1, STARTED), at(8, BEGUN), at(9, ENDED), at(90, ENDED)])).toBe(9);
    expect(endIn([])).toBeUndefined();
    const store = {
      events: (_: string, after: number) =>
        ok(after === 0 ? [at(1, STARTED), at(8, BEGUN), at(90, DECIDED)] : []),
    };
    expect(lastStretch(store, "r", true)).toEqual({ from: 1, to: 8 });
    expect(lastStretch(store, "r", false)).toEqual({ from: 1 });
  });
});
