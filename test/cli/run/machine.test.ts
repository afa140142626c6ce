import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { describe, expect, it } from "vitest";
import { bootId } from "../../../src/adapters/lock/index.ts";
import { isAlive, type Lab, openLab } from "../lab.ts";

/** A module that is loaded before the program and changes what the machine tells it. */
function told(lab: Lab, text: string): Readonly<Record<string, string>> {
  lab.write("machine.mjs", text);
  return { NODE_OPTIONS: `--import file://${lab.path("machine.mjs")}` };
}

/** The wall clock is off by what stands in a file; the monotonic one goes on as ever. */
const CLOCK = `
import { readFileSync } from "node:fs";
const Real = Date;
const off = () => { try { return Number(readFileSync("clock", "utf8")) || 0; } catch { return 0; } };
globalThis.Date = class extends Real {
  constructor(...given) { if (given.length === 0) super(Real.now() + off()); else super(...given); }
  static now() { return Real.now() + off(); }
};
`;

/** Every commit fails like on a broken disk once a file is there. */
const BROKEN_DISK = `
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
const prepare = DatabaseSync.prototype.prepare;
DatabaseSync.prototype.prepare = function (sql) {
  const statement = prepare.call(this, sql);
  if (sql !== "COMMIT") return statement;
  return { run() {
    if (!existsSync("broken")) return statement.run();
    throw Object.assign(new Error("disk I/O error"), { code: "ERR_SQLITE_ERROR", errcode: 1034, errstr: "disk I/O error" });
  } };
};
`;

const YEAR = 365 * 24 * 3_600_000;
const line = (id: string, run: string, after?: string) =>
  `### [ ] ${id}: a\n${after === undefined ? "" : `- depends_on: [${after}]\n`}- run: ${run}; echo ${id} >> ran\n`;

describe.concurrent("what a machine does to a run", () => {
  it("[E9] sets its clock forward by a year and back by two: nothing waits, nothing is done twice", async () => {
    await using lab = openLab({
      "TASKS.md": `# C\n## Phase 1: p\n${line("T1.1", `echo ${YEAR} > clock`)}${line("T1.2", `test -e again || { touch again; echo ${-YEAR} > clock; exit 1; }`, "T1.1")}${line("T1.3", `echo ${YEAR} > clock`, "T1.2")}${line("T1.4", "true", "T1.3")}`,
      "espalier.yaml": "backoff: { first: 1s }\n",
    });
    const env = told(lab, CLOCK);
    const { code, stdout, stderr } = await lab.cli(["run", "--yes"], { env });
    expect([code, stdout + stderr]).toEqual([0, expect.any(String)]);
    expect(stdout).toContain("[FAIL] T1.2");
    expect(lab.read("ran")).toBe("T1.1\nT1.2\nT1.3\nT1.4\n");
    // The next process begins two years before the last one ended.
    lab.write("clock", `${-YEAR}`);
    expect((await lab.cli(["task", "retry", "T1.4"], { env })).code).toBe(0);
    const again = await lab.cli(["resume"], { env });
    expect([again.code, again.stderr]).toEqual([0, expect.any(String)]);
    expect(lab.read("ran")).toBe("T1.1\nT1.2\nT1.3\nT1.4\nT1.4\n");
  });

  it("[E5] answers EIO to the database: the run leaves with exit 6, and nothing acknowledged is lost", async () => {
    await using lab = openLab({
      "TASKS.md": `# D\n## Phase 1: p\n${line("T1.1", "true")}${line("T1.2", "touch broken", "T1.1")}${line("T1.3", "true", "T1.2")}`,
    });
    const env = told(lab, BROKEN_DISK);
    const { code, stdout, stderr } = await lab.cli(["run", "--yes"], { env });
    expect([code, stderr]).toEqual([6, expect.stringContaining("STATE_IO")]);
    expect(stderr).toContain("disk I/O error");
    expect(stdout).toContain("[DONE] T1.1");
    expect(stdout).not.toContain("[DONE] T1.2");
    // As long as it lasts, nothing starts.
    expect((await lab.cli(["resume"], { env })).code).toBe(6);
    const resumed = await lab.cli(["resume"]);
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
    // What was acknowledged is not done again; what was not, is.
    expect(lab.read("ran")).toBe("T1.1\nT1.2\nT1.2\nT1.3\n");
  });

  it.runIf(existsSync("/proc/self/stat"))(
    "[E56] gives the number of a process to a stranger, who is neither believed nor ended",
    async () => {
      await using lab = openLab({
        "TASKS.md": `# P\n## Phase 1: p\n${line("T1.1", "true")}${line("T1.2", "kill -9 $(cat pid); sleep 60", "T1.1")}`,
      });
      const run = lab.start(["run", "--yes"]);
      lab.write("pid", `${run.pid}`);
      expect((await run.ended).signal).toBe("SIGKILL");
      const stranger = spawn("sleep", ["600"], { stdio: "ignore" });
      const pid = stranger.pid!;
      try {
        // The dead holder's number is the stranger's now, on this machine, since this start of it.
        const holder = { ...JSON.parse(lab.read(".espalier/holder.json")), pid };
        expect(holder).toMatchObject({ host: hostname(), bootId: bootId() });
        lab.write(".espalier/holder.json", JSON.stringify(holder));
        const stop = await lab.cli(["stop", "--now"]);
        expect(stop).toMatchObject({ stdout: expect.stringContaining("nothing runs here"), stderr: "" });
        expect((await lab.cli(["status"])).stdout).toContain("interrupted");
        lab.write("TASKS.md", lab.read("TASKS.md").replace("kill -9 $(cat pid); sleep 60", "true"));
        const resumed = await lab.cli(["resume", "--yes"]);
        expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
        expect(isAlive(pid)).toBe(true);
      } finally {
        stranger.kill("SIGKILL");
      }
    },
  );
});
