import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { openStage } from "../../puppet/stage.ts";
import { sampleOf } from "../../sample.ts";
import { type Lab, openLab } from "../lab.ts";

const FAST = "parallel: 5\nbackoff: { first: 0s }\nlimits: { grace: 500ms }\nmaxAttempts: 1\n";
const TASKS =
  "# State\n## Phase 1: p\n### [ ] T1.1: a\n- run: echo x >> a\n### [ ] T1.2: b\n- depends_on: [T1.1]\n- run: test -e go\n";

/** A run that ended with T1.1 completed and T1.2 failed. */
async function ended(files: Readonly<Record<string, string>> = {}): Promise<Lab> {
  const lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": FAST, ...files });
  expect((await lab.ask("run", "--yes")).code).toBe(1);
  return lab;
}

async function statuses(lab: Lab): Promise<Record<string, string>> {
  const { tasks } = JSON.parse((await lab.ask("status", "--json")).stdout);
  return Object.fromEntries(tasks.map((row: { id: string; status: string }) => [row.id, row.status]));
}

describe("state that was damaged", { timeout: 120_000 }, () => {
  it.each(sampleOf(["run", "resume"], 0))(
    "%s restores a truncated database from its backup, and says so",
    async command => {
      await using lab = await ended();
      const database = lab.path(".espalier/espalier.db");
      truncateSync(database, Math.floor(statSync(database).size / 2));
      rmSync(`${database}-wal`, { force: true });
      const doctor = await lab.ask("doctor");
      expect(doctor.code).toBe(6);
      expect(doctor.stdout).toContain("the backup is sound: espalier resume recovers from it");
      const status = await lab.ask("status");
      expect([status.code, status.stderr]).toEqual([5, expect.stringContaining("STATE_DAMAGED")]);
      lab.write("go", "");
      const { code, stdout, stderr } = await lab.cli([command]);
      expect(stderr).toMatch(/espalier\.db is damaged \(.*\); kept as espalier\.db\.corrupt-/);
      expect(stderr).toContain("restored from espalier.db.bak");
      expect(code).toBe(1);
      expect(stdout).not.toContain("[DISPATCH] T1.1");
      expect(await statuses(lab)).toEqual({ "T1.1": "completed", "T1.2": "failed" });
      expect(readdirSync(lab.path(".espalier")).some(name => name.startsWith("espalier.db.corrupt-"))).toBe(
        true,
      );
      expect(lab.read("a")).toBe("x\n");
    },
  );

  it("decides about a task although the database is gone, from the backup", async () => {
    await using lab = await ended();
    for (const name of ["", "-wal", "-shm"])
      rmSync(lab.path(`.espalier/espalier.db${name}`), { force: true });
    lab.write("go", "");
    const act = await lab.ask("task", "retry", "T1.2");
    expect(act.code).toBe(0);
    expect(act.stderr).toContain("restored from espalier.db.bak");
    expect((await lab.ask("resume")).code).toBe(0);
    expect(lab.read("a")).toBe("x\n");
  });

  it("believes the thin state where no database is left", async () => {
    await using lab = await ended();
    for (const name of readdirSync(lab.path(".espalier")))
      if (name.startsWith("espalier.db")) rmSync(lab.path(`.espalier/${name}`));
    lab.write("go", "");
    const { code, stdout, stderr } = await lab.ask("resume");
    expect(stderr).toMatch(/orchestrate-state\.json tells of run \w+, which no database holds/);
    expect(stderr).toContain(".espalier/orchestrate-state.json: 1 completed tasks taken over");
    expect(code).toBe(1);
    expect(stdout).not.toContain("[DISPATCH] T1.1");
    expect(await statuses(lab)).toEqual({ "T1.1": "completed", "T1.2": "failed" });
  });

  it("[HO83] is told of in the language of the project", async () => {
    await using lab = await ended();
    lab.write(".espalier/espalier.db", "no database");
    const { stderr } = await lab.cli(["resume"], { env: { ESPALIER_LOCALE: "ko" } });
    expect(stderr).toMatch(/espalier\.db[가이] 손상되었습니다 \(.*\); 보관한 이름: espalier\.db\.corrupt-/);
    expect(stderr).not.toMatch(/is damaged|kept as|restored from|brought forward/);
  });

  it("[HO83] and so is what is wrong inside its files", async () => {
    const inKorean = { env: { ESPALIER_LOCALE: "ko" } };
    await using lab = await ended();
    writeFileSync(lab.path(".espalier/espalier.db"), "");
    const thin = JSON.parse(lab.read(".espalier/orchestrate-state.json"));
    const rows = [...thin.tasks, { id: "T9", status: "?" }];
    lab.write(
      ".espalier/orchestrate-state.json",
      JSON.stringify({ ...thin, seq: thin.seq + 9, tasks: rows }),
    );
    const ours = await lab.cli(["resume", "--trust-state"], inKorean);
    expect(ours.stderr).toContain("espalier.db가 손상되었습니다 (비어 있음); 보관한 이름: ");
    expect(ours.stderr).toContain("\norchestrate-state.json: tasks[2]: 읽을 수 없습니다\n");

    await using other = openLab({ "TASKS.md": TASKS, "espalier.yaml": FAST });
    other.write(
      ".espalier/orchestrate-state.json",
      JSON.stringify({ completed: ["T1.1", 7.5], failed: ["T1.1"] }),
    );
    const theirs = await other.cli(["run", "--yes"], inKorean);
    expect(theirs.stderr).toContain("\norchestrate-state.json: completed[1]: 태스크 ID가 아닙니다\n");
    expect(theirs.stderr).toContain("T1.1: 상태가 completed, failed입니다; failed로 봅니다\n");
  });

  it("does not take ticked boxes for proof once everything is lost (exit 5), unless told to", async () => {
    await using lab = await ended();
    for (const name of readdirSync(lab.path(".espalier")))
      if (name !== "orchestrate.log") rmSync(lab.path(`.espalier/${name}`), { recursive: true });
    lab.write("TASKS.md", lab.read("TASKS.md").replaceAll("[ ]", "[x]"));
    for (const command of ["run", "resume"]) {
      const { code, stdout, stderr } = await lab.ask(command);
      expect([code, stdout]).toEqual([5, ""]);
      expect(stderr).toContain(
        "STATE_LOST: the state could not be recovered, and nothing proves the 2 ticked boxes of the task file",
      );
      expect(stderr).toContain("--trust-boxes, or untick what must be done again\n");
    }
    lab.write(".espalier/espalier.db", "no database");
    const damaged = await lab.ask("run");
    expect([damaged.code, damaged.stdout]).toEqual([5, ""]);
    expect(damaged.stderr).toContain("; the damaged files are kept in the state folder\n");
    expect(readdirSync(lab.path(".espalier")).some(name => name.includes(".corrupt-"))).toBe(true);
    const trusted = await lab.ask("run", "--trust-boxes");
    expect(trusted.code).toBe(0);
    expect(trusted.stdout).not.toContain("[DISPATCH]");
    expect((await lab.ask("run")).code).toBe(0);
  });

  it("refuses state of a newer version, and that of another project unless it is adopted", async () => {
    await using lab = await ended();
    const moved = openLab({ "TASKS.md": lab.read("TASKS.md"), "espalier.yaml": FAST, go: "" });
    await using other = moved;
    cpSync(lab.path(".espalier"), other.path(".espalier"), { recursive: true });
    const foreign = await other.ask("run", "--yes");
    expect([foreign.code, foreign.stdout]).toEqual([5, ""]);
    expect(foreign.stderr).toContain(
      `STATE_FOREIGN: the state belongs to ${lab.root}, this is ${other.root}`,
    );
    expect(foreign.stderr).toContain("--adopt");
    const adopted = await other.ask("run", "--yes", "--adopt");
    expect(adopted.stderr).toContain(`it belongs to ${other.root} now`);
    expect(adopted.stdout).toContain("resumed");
    expect(adopted.stdout).not.toContain("[DISPATCH]");
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(lab.path(".espalier/espalier.db"));
    database.exec("PRAGMA user_version = 999");
    database.close();
    const newer = await lab.ask("run", "--yes");
    expect([newer.code, newer.stdout]).toEqual([5, ""]);
    expect(newer.stderr).toContain("STATE_NEWER: the state was made by a newer version (format 999;");
    expect((await lab.ask("status")).stderr).toContain("STATE_NEWER");
  });

  it("stops at once when its folder is taken away under it, and ends its agents", async () => {
    await using stage = await openStage();
    await using lab = openLab({
      "TASKS.md": `# S\n## Phase 1: p\n### [ ] T1.1: a\n- run: ${stage.script}\n### [ ] T1.2: b\n- run: ${stage.script}\n`,
      "espalier.yaml": FAST,
    });
    const run = lab.start(["run", "--yes"]);
    const [one, two] = [await stage.nextCall("T1.1"), await stage.nextCall("T1.2")];
    renameSync(lab.path(".espalier"), lab.path("elsewhere"));
    await one.exit(0);
    const { code, stderr } = await run.ended;
    expect(code).toBe(6);
    expect(stderr).toContain(
      "STATE_IO: the state folder was removed or replaced while the run was going on; agents were ended",
    );
    expect(stderr).toContain("put it back, then: espalier resume; where it is gone for good");
    await two.gone;
    expect(existsSync(lab.path(".espalier/espalier.db"))).toBe(false);
    renameSync(lab.path("elsewhere"), lab.path(".espalier"));
    const resumed = lab.start(["resume"]);
    for (const id of ["T1.1", "T1.2"]) await (await stage.nextCall(id)).exit(0);
    expect((await resumed.ended).code).toBe(0);
  });
});

describe("state that others made", { timeout: 120_000 }, () => {
  const LEGACY = {
    version: "2.0",
    project: "Old",
    current_phase: 1,
    tasks: {
      "T1.1": { status: "completed", retry_count: 1 },
      "T1.2": { status: "in_progress", retry_count: 0 },
    },
  };

  it.each(
    sampleOf(
      [
        ["where the documents have it", ".claude/orchestrate-state.json", FAST],
        ["in the state folder itself", ".claude/orchestrate-state.json", `${FAST}stateDir: .claude\n`],
        ["under our own name", ".espalier/orchestrate-state.json", FAST],
      ],
      1,
      2,
    ),
  )("imports an orchestrate-state.json %s", async (_, path, config) => {
    await using lab = openLab({
      "TASKS.md": TASKS,
      "espalier.yaml": config,
      [path]: JSON.stringify(LEGACY),
      go: "",
    });
    const { code, stdout, stderr } = await lab.ask("run", "--yes");
    expect(code).toBe(0);
    expect(stderr).toContain(`${path}: 1 completed tasks taken over`);
    expect(stdout).not.toContain("[DISPATCH] T1.1");
    expect(stdout).toContain("[DONE] T1.2");
    expect(existsSync(lab.path("a"))).toBe(false);
    // Where its place is ours now, a copy is kept beside it.
    const names = readdirSync(lab.path(path.split("/")[0] ?? ""));
    const kept = names.find(name => name.includes(".legacy-")) ?? "orchestrate-state.json";
    expect(JSON.parse(lab.read(`${path.split("/")[0]}/${kept}`))).toEqual(LEGACY);
    expect(lab.read("TASKS.md")).toBe(TASKS.replaceAll("[ ]", "[x]"));
  });

  it("keeps its state where stateDir says, and nowhere outside the project", async () => {
    await using lab = await ended({
      "espalier.yaml": `${FAST}stateDir: .claude\n`,
      ".claude/settings.json": "{}",
    });
    expect(existsSync(lab.path(".espalier"))).toBe(false);
    for (const name of [
      "espalier.db",
      "espalier.db.bak",
      "orchestrate-state.json",
      "orchestrate.log",
      "settings.json",
    ])
      expect({ name, there: existsSync(lab.path(`.claude/${name}`)) }).toEqual({ name, there: true });
    expect(await statuses(lab)).toEqual({ "T1.1": "completed", "T1.2": "failed" });
    for (const stateDir of ["../elsewhere", "/tmp/elsewhere", "."]) {
      lab.write("espalier.yaml", `stateDir: "${stateDir}"\n`);
      const { code, stderr } = await lab.ask("run", "--yes");
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`STATE_DIR: stateDir "${stateDir}" is not a folder inside`),
      ]);
    }
  });

  it("keeps its files out of git, and nobody else's", async () => {
    await using lab = openLab({
      "TASKS.md": TASKS,
      "espalier.yaml": `${FAST}stateDir: .claude\n`,
      ".claude/settings.json": "{}",
      go: "",
    });
    const git = (...args: string[]) => execFileSync("git", ["-C", lab.root, ...args], { encoding: "utf8" });
    git("init", "-q");
    for (let start = 0; start < 2; start++) expect((await lab.ask("run", "--yes")).code).toBe(0);
    expect(git("status", "--porcelain", "--untracked-files=all").split("\n").sort()).toEqual([
      "",
      "?? .claude/settings.json",
      "?? TASKS.md",
      "?? a",
      "?? espalier.yaml",
      "?? go",
    ]);
    expect(lab.read(".git/info/exclude").match(/espalier\.db/g)).toHaveLength(1);
  });

  it("reads files it did not write without believing them: garbage under every name", async () => {
    for (const name of [
      "espalier.db",
      "espalier.db.bak",
      "orchestrate-state.json",
      "holder.json",
      "control.sock",
    ]) {
      await using lab = openLab({
        "TASKS.md": TASKS,
        "espalier.yaml": FAST,
        [`.espalier/${name}`]: "<html>not this</html>",
        go: "",
      });
      const { code, stderr } = await lab.ask("run", "--yes");
      expect({ name, code, stderr }).toEqual({ name, code: 0, stderr });
      expect(stderr).not.toContain("BUG");
      const kept = readdirSync(lab.path(".espalier")).filter(one => one.includes("corrupt"));
      const isState = name.startsWith("espalier") || name.startsWith("orchestrate");
      expect(kept.map(one => lab.read(`.espalier/${one}`)).slice(0, isState ? 1 : 0)).toEqual(
        isState ? ["<html>not this</html>"] : [],
      );
    }
  });

  it("makes a folder that others could write private, and says so", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, ".espalier/x": "", go: "" });
    const { chmodSync } = await import("node:fs");
    chmodSync(lab.path(".espalier"), 0o777);
    const { code, stderr } = await lab.ask("run", "--yes");
    expect(code).toBe(0);
    expect(stderr).toContain(".espalier was writable by others (777); it is 755 now");
    writeFileSync(lab.path("x"), "");
  });
});
