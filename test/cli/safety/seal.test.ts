import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { findProject } from "../../../src/host/project/project.ts";
import { readRun } from "../../../src/host/project/reader.ts";
import { itWhole, sampleOf } from "../../sample.ts";
import { type Lab, openLab } from "../lab.ts";

const TASKS = `# Sealed
## Phase 1: one
### [ ] T1.1: comes first
- run: sh first.sh
### [ ] T1.2: is what it is all about
- depends_on: [T1.1]
- run: echo ran >> ran.txt
`;

/** Kills the process that holds the project, from within an attempt. */
const KILL = `kill -9 $(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' .espalier/holder.json); sleep 60`;

/** A run whose first task does something to the state and then kills the run, once. */
function attacked(attack: string): Lab {
  const lab = openLab({ "TASKS.md": TASKS, "attack.mjs": attack });
  lab.write(
    "first.sh",
    `test -e over && exit 0\ntouch over\n'${process.execPath}' --no-warnings attack.mjs > said.txt 2>&1\n${KILL}\n`,
  );
  return lab;
}

const SQL = (...statements: readonly string[]) => `
import { DatabaseSync } from "node:sqlite";
const database = new DatabaseSync(".espalier/espalier.db", { timeout: 5000 });
${statements.map(text => `database.exec(\`${text}\`);`).join("\n")}
database.close();
`;

const stored = (lab: Lab) => readRun(findProject(lab.root))?.stored;
const statusOf = (lab: Lab, id: string) => stored(lab)?.tasks.find(task => task.id === id)?.status;

function write(lab: Lab, sql: string): void {
  const database = new DatabaseSync(lab.path(".espalier/espalier.db"));
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

describe.concurrent("what somebody else wrote into the state", () => {
  it.each(
    sampleOf(
      [
        [
          "a completion",
          SQL("UPDATE tasks SET status = 'completed', verified = 1, attempts = 1 WHERE id = 'T1.2'"),
        ],
        [
          "a completion with its attempt and its event",
          SQL(
            "UPDATE tasks SET status = 'completed', verified = 1, attempts = 1, seal = (SELECT seal FROM tasks WHERE id = 'T1.1') WHERE id = 'T1.2'",
            "INSERT INTO attempts (run, task, number, token, nonce, agent, started_at, ended_at, outcome, why, evidence, final_message, feedback, seal) SELECT run, 'T1.2', 1, 'tok', 'non', 'shell', 1, 2, 'done', '', 'verify exit 0', '', '', seal FROM attempts LIMIT 1",
            `INSERT INTO events (run, seq, at, event, seal) SELECT run, seq + 1, at, '{"type":"completed","task":"T1.2","verified":true,"by":"agent","ms":5}', seal FROM events ORDER BY seq DESC LIMIT 1`,
            "UPDATE runs SET last_seq = last_seq + 1",
          ),
        ],
        ["a person's word", SQL("UPDATE tasks SET status = 'skipped' WHERE id = 'T1.2'")],
        [
          "a run of its own",
          SQL(
            "INSERT INTO runs (id, project, state, phase, file, plan_hash, started_at, updated_at, forced, lead_tokens, why) SELECT 'mine', project, 'completed', phase, file, plan_hash, started_at, updated_at, forced, 0, '' FROM runs",
            "INSERT INTO tasks (run, id, status, retries, attempts, why, same_error, text_hash, not_before) SELECT max(n), 'T1.2', 'completed', 0, 1, '', 0, '', 0 FROM runs",
          ),
        ],
      ],
      1,
      3,
    ),
  )("[SE1] is not believed after a kill: %s", async (_, attack) => {
    await using lab = attacked(attack);
    const killed = await lab.cli(["run", "--yes"]);
    expect(killed.signal).toBe("SIGKILL");
    expect(lab.read("said.txt")).toBe("");
    const { code, stderr, stdout } = await lab.cli(["resume", "--yes"]);
    expect(stderr + stdout).toContain("not written by Espalier");
    expect([code, stderr + stdout]).toEqual([0, expect.any(String)]);
    expect(lab.read("ran.txt")).toBe("ran\n");
    // As it was found, for whoever wants to look.
    expect(
      readdirSync(lab.path(".espalier")).filter(name => name.startsWith("espalier.db.corrupt-")),
    ).toHaveLength(1);
    expect((await lab.cli(["resume"])).stderr).not.toContain("not written by");
  });

  itWhole("[SE1] forces no phase, and is told", async () => {
    await using lab = attacked(SQL("UPDATE runs SET forced = '[\"1\"]', why = '{}'"));
    await lab.cli(["run", "--yes"]);
    const { stderr } = await lab.cli(["resume", "--yes"]);
    expect(stderr).toContain("phases that it forces are not");
    expect(stored(lab)?.run.forced).toEqual([]);
  });

  itWhole("[SE1] waits for a person where an attempt has worked on the task", async () => {
    await using lab = openLab({
      "TASKS.md": TASKS.replace("echo ran >> ran.txt", "exit 1"),
      "espalier.yaml": "maxAttempts: 1\n",
      "first.sh": "true\n",
    });
    expect((await lab.cli(["run", "--yes"])).code).toBe(1);
    write(lab, "UPDATE tasks SET status = 'completed', verified = 1 WHERE id = 'T1.2'");
    const { code, stderr } = await lab.cli(["resume"]);
    expect(stderr).toContain("T1.2 (said completed)");
    expect(code).toBe(5);
    expect(statusOf(lab, "T1.2")).toBe("paused");
  });

  it("[SE3] is a true row put back that a person had taken away since", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "first.sh": "true\n" });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    write(lab, "CREATE TABLE aside AS SELECT * FROM tasks WHERE id = 'T1.2'");
    const rows = new DatabaseSync(lab.path(".espalier/espalier.db"));
    const before = rows.prepare("SELECT * FROM aside").get()!;
    rows.exec("DROP TABLE aside");
    rows.close();
    expect((await lab.ask("task", "retry", "T1.2")).code).toBe(0);
    const again = new DatabaseSync(lab.path(".espalier/espalier.db"));
    again
      .prepare(
        "UPDATE tasks SET status = ?, verified = ?, attempts = ?, text_hash = ?, why = ?, seal = ? WHERE id = 'T1.2'",
      )
      .run(
        "completed",
        before["verified"]!,
        before["attempts"]!,
        before["text_hash"]!,
        before["why"]!,
        before["seal"]!,
      );
    again.close();
    expect((await lab.cli(["resume"])).stderr).toContain("T1.2 (said completed)");
    expect(statusOf(lab, "T1.2")).toBe("paused");
  });

  /** A completed task that an edit put before a person, and its row from before that. */
  async function putBack(lab: Lab, ...more: readonly string[]) {
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const database = lab.path(".espalier/espalier.db");
    const before = new DatabaseSync(database);
    const row = before.prepare("SELECT * FROM tasks WHERE id = 'T1.2'").get()!;
    before.close();
    lab.write("TASKS.md", lab.read("TASKS.md").replace("is what it is", "is more than what it is"));
    expect((await lab.cli(["resume", "--yes"])).code).toBe(5);
    expect(statusOf(lab, "T1.2")).toBe("paused");
    const after = new DatabaseSync(database);
    after.prepare("DELETE FROM tasks WHERE id = 'T1.2'").run();
    const names = Object.keys(row);
    after
      .prepare(`INSERT INTO tasks (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`)
      .run(...names.map(name => row[name]!));
    for (const sql of more) after.exec(sql);
    after.close();
  }

  it("[SE10] is a true row put back in the place of a newer one", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "first.sh": "true\n" });
    await putBack(lab);
    const refused = await lab.cli(["resume"]);
    expect([refused.code, refused.stderr]).toEqual([
      5,
      expect.stringContaining("STATE_SET_BACK: rows of the state"),
    ]);
    expect((await lab.cli(["resume", "--trust-state"])).code).toBe(0);
    expect((await lab.cli(["resume"])).code).toBe(0);
  });

  it.each([
    [
      "a digest taken away, as if the state were of an older version",
      "UPDATE runs SET digest = NULL",
      "STATE_SET_BACK",
    ],
    ["an attempt taken out", "DELETE FROM attempts WHERE task = 'T1.1'", "STATE_SET_BACK"],
    [
      "a row of somebody else's beside it",
      "INSERT INTO attempts (run, task, number, token, nonce, agent, started_at, ended_at, outcome, why, evidence, final_message, feedback) SELECT run, 'T1.1', 9, 't', 'n', 'shell', 1, 2, 'done', '', '', '', '' FROM attempts LIMIT 1",
      "rows that Espalier had replaced were put back",
    ],
  ])("[SE10] nor with %s", async (_, sql, told) => {
    await using lab = openLab({ "TASKS.md": TASKS, "first.sh": "true\n" });
    await putBack(lab, sql);
    const refused = await lab.cli(["resume"]);
    expect(refused.stderr).toContain(told);
    expect(refused.code).toBe(5);
  });

  it("[SE10] has nothing gone that an attempt left behind", async () => {
    // Of an attempt that has ended: the row of one under way is written again with what becomes known of it.
    await using lab = openLab({
      "TASKS.md": TASKS.replace("echo ran >> ran.txt", "sh attack.sh"),
      "first.sh": "true\n",
      "attack.mjs": SQL("DELETE FROM attempts WHERE task = 'T1.1'"),
      "attack.sh": `'${process.execPath}' --no-warnings attack.mjs > said.txt 2>&1\n${KILL}\n`,
    });
    expect((await lab.cli(["run", "--yes"])).signal).toBe("SIGKILL");
    expect(lab.read("said.txt")).toBe("");
    const refused = await lab.cli(["resume"]);
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("STATE_SET_BACK")]);
  });

  /** Back to the schema before there was a digest, and before reasons were codes. */
  const THIRD = [
    "ALTER TABLE runs DROP COLUMN digest",
    ...["runs", "tasks", "attempts"].map(table => `ALTER TABLE ${table} RENAME COLUMN why TO reason`),
    ...["runs DROP held", "tasks DROP stalls", "tasks DROP clash"].map(change => `ALTER TABLE ${change}`),
    ...["machine", "unheard"].map(column => `ALTER TABLE attempts DROP ${column}`),
    "PRAGMA user_version = 3",
  ].join("; ");

  it("[SE10] is given its digest where it was sealed before there was one", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "first.sh": "true\n" });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    write(lab, THIRD);
    // What an older version remembered.
    const projects = join(lab.home, "state/espalier/projects");
    const head = join(projects, readdirSync(projects)[0]!, "head");
    const { whole: _, ...older } = JSON.parse(readFileSync(head, "utf8"));
    const remembered = readFileSync(head);
    writeFileSync(head, JSON.stringify(older));
    expect((await lab.cli(["resume"])).code).toBe(0);
    const digest = new DatabaseSync(lab.path(".espalier/espalier.db"), { readOnly: true });
    expect(digest.prepare("SELECT digest FROM runs").get()?.["digest"]).toEqual(expect.any(String));
    digest.close();
    write(lab, THIRD);
    writeFileSync(head, remembered);
    expect((await lab.cli(["resume"])).stderr).toContain("STATE_SET_BACK");
  });

  it("[SE4] is an earlier copy of all of it: nothing starts until a person has looked", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "first.sh": "true\n" });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const [database, kept] = [lab.path(".espalier/espalier.db"), lab.path("kept.db")];
    copyFileSync(database, kept);
    expect((await lab.ask("task", "retry", "T1.2")).code).toBe(0);
    for (const name of readdirSync(lab.path(".espalier")))
      if (/^(?:espalier\.db|orchestrate-state)/.test(name)) rmSync(lab.path(`.espalier/${name}`));
    copyFileSync(kept, database);
    const refused = await lab.cli(["resume"]);
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("STATE_SET_BACK")]);
    expect((await lab.cli(["resume", "--trust-state"])).code).toBe(0);
    expect((await lab.cli(["resume"])).code).toBe(0);
  });

  it("[SE5] is a database that came with a clone, or was sealed elsewhere", async () => {
    await using made = openLab({ "TASKS.md": TASKS, "first.sh": "true\n" });
    expect((await made.cli(["run", "--yes"])).code).toBe(0);
    // The same folder, seen from another home.
    const home = { HOME: `${made.home}/other`, XDG_STATE_HOME: `${made.home}/other/state` };
    const refused = await made.cli(["resume", "--yes"], { env: home });
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("STATE_UNSEALED")]);
    write(made, "UPDATE meta SET sealed_by = NULL");
    expect((await made.cli(["resume"])).stderr).toContain("STATE_UNSEALED");
    expect((await made.cli(["resume", "--trust-state"])).code).toBe(0);
    expect((await made.cli(["resume"])).code).toBe(0);
  });

  it("[SE6] is a thin state that nobody here wrote", async () => {
    await using lab = openLab({
      "TASKS.md": TASKS,
      "first.sh": "exit 1\n",
      "espalier.yaml": "maxAttempts: 1\n",
    });
    await lab.cli(["run", "--yes"]);
    const thin = JSON.parse(lab.read(".espalier/orchestrate-state.json"));
    thin.seq += 10;
    for (const task of thin.tasks) task.status = "completed";
    lab.write(".espalier/orchestrate-state.json", JSON.stringify(thin));
    lab.write("first.sh", "true\n");
    const { stderr } = await lab.cli(["resume"]);
    expect(stderr).toContain("Espalier did not write it");
    expect(statusOf(lab, "T1.2")).toBe("blocked");
    expect(existsSync(lab.path("ran.txt"))).toBe(false);
  });

  it("[SE9] is refused where what seals it cannot be opened, and keeps its seals", async () => {
    await using lab = openLab({
      "TASKS.md": TASKS,
      "first.sh": "exit 1\n",
      "espalier.yaml": "maxAttempts: 1\n",
    });
    expect((await lab.cli(["run", "--yes"])).code).toBe(1);
    const projects = join(lab.home, "state/espalier/projects");
    const folder = join(projects, readdirSync(projects)[0]!);
    chmodSync(folder, 0o777);
    write(lab, "UPDATE tasks SET status = 'completed', verified = 1 WHERE id = 'T1.2'");
    const refused = await lab.cli(["resume"]);
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("STATE_UNSEALED")]);
    // Nor where the folder is hidden, or is another one.
    const nowhere = await lab.cli(["resume"], { env: { XDG_STATE_HOME: "/proc/nope" } });
    expect([nowhere.code, nowhere.stderr]).toEqual([5, expect.stringContaining("STATE_UNSEALED")]);
    chmodSync(folder, 0o700);
    expect((await lab.cli(["resume"])).stderr).toContain("T1.2 (said completed)");
  });

  itWhole("[SE7] leaves ticked boxes without proof when all of it is gone", async () => {
    await using lab = openLab({
      "TASKS.md": TASKS,
      "first.sh": "exit 1\n",
      "espalier.yaml": "maxAttempts: 1\n",
    });
    await lab.cli(["run", "--yes"]);
    rmSync(lab.path(".espalier"), { recursive: true });
    lab.write("TASKS.md", TASKS.replaceAll("[ ]", "[x]"));
    // However often it is tried: the start that is refused leaves an empty state, which proves no more.
    for (let start = 0; start < 3; start++) {
      const refused = await lab.cli(["run", "--yes"]);
      expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("STATE_LOST")]);
    }
    expect((await lab.cli(["run", "--trust-boxes"])).code).toBe(0);
  });
});
