import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { isTemporaryName, temporaryName } from "../../src/adapters/file/index.ts";
import { UNPRIVILEGED, unprivileged } from "../unprivileged.ts";
import { contents, must, thinText } from "./store-fixtures.ts";
import { OPTIONS, run, stateLab, statusOf } from "./store-open-fixtures.ts";

const lab = stateLab();

describe("a sound state", () => {
  it("begins where there is nothing, in a directory of its owner's alone", () => {
    const opened = lab.open();
    expect(opened).toMatchObject({ source: "fresh", report: [] });
    expect(opened.imported).toBeUndefined();
    expect(must(opened.store.load())).toBeUndefined();
    expect(statSync(lab.state).mode & 0o777).toBe(0o700);
  });

  it.each(["killed", "closed"] as const)("goes on from a process that was %s, without a word", name => {
    lab.sample(name);
    const before = contents(lab.state).get("espalier.db.bak");
    const opened = lab.open();
    expect(opened).toMatchObject({ source: "database", report: [] });
    expect(run(opened).lastSeq).toBe(3);
    expect(statusOf(run(opened))).toMatchObject({
      T1: "completed",
      T2: "completed",
      T3: "completed",
      T4: "pending",
    });
    expect(run(opened).openAttempts.map(({ task }) => task)).toEqual(["T2", "T4"]);
    expect(lab.names().filter(each => each.includes("corrupt"))).toEqual([]);
    expect(readFileSync(lab.file("espalier.db.bak"))).toEqual(before);
  });

  it("sweeps what killed writers left", () => {
    lab.sample("closed");
    writeFileSync(temporaryName(lab.state), "half");
    writeFileSync(`${temporaryName(lab.state)}-journal`, "half");
    lab.open();
    expect(lab.names().filter(isTemporaryName)).toEqual([]);
  });

  it("[OF1] takes any directory for its state, shared with other tools, but none that is linked to", () => {
    mkdirSync(join(lab.top, "elsewhere"));
    symlinkSync(join(lab.top, "elsewhere"), join(lab.top, "linked"));
    expect(lab.failureOf(undefined, join(lab.top, "linked"))).toMatchObject({ kind: "unwritable" });
    expect(readdirSync(join(lab.top, "elsewhere"))).toEqual([]);
    mkdirSync(join(lab.top, ".claude"));
    expect(lab.open(join(lab.top, ".claude")).source).toBe("fresh");
    expect(lab.open(join(lab.top, "a", "b", "c")).source).toBe("fresh");
    expect(statSync(join(lab.top, "a")).mode & 0o777).toBe(0o700);
  });

  it("does not let everyone write there", () => {
    mkdirSync(lab.state);
    chmodSync(lab.state, 0o777);
    const opened = lab.open();
    expect(opened.report).toEqual([`${lab.state} was writable by others (777); it is 755 now`]);
    expect(statSync(lab.state).mode & 0o777).toBe(0o755);
    opened.store.close();
    expect(lab.open().report).toEqual([]);
  });

  it("answers before anything begins where it cannot write, naming the place", () => {
    writeFileSync(lab.state, "a file");
    expect(lab.failureOf()).toMatchObject({ kind: "unwritable", path: lab.state, report: [] });
    const below = join(lab.state, "below");
    expect(lab.failureOf(OPTIONS, below)).toMatchObject({ kind: "unwritable", path: below });
  });

  it("answers where it has no right to write (a process without rights tries)", ({ skip }) => {
    skip(UNPRIVILEGED === undefined, "root can give up none of its rights here");
    lab.sample("closed");
    chmodSync(lab.state, 0o555);
    const url = new URL("../../src/adapters/store/index.ts", import.meta.url).href;
    const script = `
      const result = openState(${JSON.stringify(lab.state)}, ${JSON.stringify(OPTIONS)});
      console.log(JSON.stringify(result.ok ? "opened" : result.failure));
    `;
    const eager = `import { openState } from ${JSON.stringify(url)};${script}`;
    const command = unprivileged(process.execPath, "--input-type=module-typescript", "--eval", eager);
    const out = execFileSync(...command, { encoding: "utf8" });
    chmodSync(lab.state, 0o755);
    expect(JSON.parse(out)).toMatchObject({ kind: "unwritable", path: lab.state });
  });
});

describe("what is not ours to touch", () => {
  const untouched = (arrange: () => void) => {
    lab.sample("closed");
    arrange();
    const before = contents(lab.state);
    const failure = lab.failureOf();
    expect(contents(lab.state)).toEqual(before);
    return failure;
  };
  const alter = (name: string, sql: string): void => {
    const database = new DatabaseSync(lab.file(name));
    database.exec(`PRAGMA journal_mode = DELETE; ${sql}`);
    database.close();
  };

  it("a state of a newer version, in whichever file it shows", () => {
    const newer = { kind: "newer", found: 9, report: [] };
    expect(untouched(() => alter("espalier.db", "PRAGMA user_version = 9"))).toMatchObject(newer);
    rmSync(lab.state, { recursive: true });
    expect(untouched(() => alter("espalier.db.bak", "PRAGMA user_version = 9"))).toMatchObject(newer);
    rmSync(lab.state, { recursive: true });
    const text = thinText({ epoch: 1, seq: 1 }, []).replace("3.0", "9.1");
    expect(untouched(() => writeFileSync(lab.file("orchestrate-state.json"), text))).toMatchObject(newer);
  });

  it("a state of another project, until told to adopt it", () => {
    const other = { ...OPTIONS, project: "/other" };
    lab.sample("closed");
    const before = contents(lab.state);
    expect(lab.failureOf(other)).toMatchObject({
      kind: "foreign",
      found: "/demo",
      expected: "/other",
      report: [],
    });
    expect(contents(lab.state)).toEqual(before);
    const adopted = lab.open(lab.state, { ...other, adopt: true });
    expect(adopted.report).toEqual(["the state was that of /demo; it belongs to /other now"]);
    adopted.store.close();
    rmSync(lab.file("espalier.db.bak"));
    expect(lab.open(lab.state, other).report).toEqual([]);
    expect(lab.failureOf()).toMatchObject({ kind: "foreign", found: "/other", expected: "/demo" });
  });

  it("a backup of another project, when the database is gone", () => {
    expect(untouched(() => alter("espalier.db.bak", "UPDATE meta SET project = '/x'"))).toMatchObject({
      kind: "foreign",
      found: "/x",
    });
    rmSync(lab.file("espalier.db"));
    expect(lab.failureOf()).toMatchObject({ kind: "foreign", found: "/x" });
    expect(lab.open(lab.state, { ...OPTIONS, adopt: true }).source).toBe("backup");
  });
});

describe("the state file of another orchestrator", () => {
  const LEGACY = JSON.stringify({
    version: "2.0",
    project: "bakery",
    execution: { current_phase: 2 },
    tasks: { completed: ["T1", "T2"], in_progress: ["T3"], failed: [] },
    retry_counts: { T3: 4, T1: -1 },
  });
  const legacyCopies = (): string[] => lab.names().filter(name => name.includes(".legacy-"));

  it("is offered for import and kept, since our own will take its name", () => {
    mkdirSync(lab.state);
    writeFileSync(lab.file("orchestrate-state.json"), LEGACY);
    const opened = lab.open();
    expect(opened.source).toBe("fresh");
    expect(opened.imported).toMatchObject({
      from: lab.file("orchestrate-state.json"),
      project: "bakery",
      phase: "2",
    });
    expect(Object.fromEntries(opened.imported?.tasks ?? [])).toEqual({
      T1: { status: "completed", retries: 0 },
      T2: { status: "completed", retries: 0 },
      T3: { status: "ready", retries: 4 },
    });
    expect(opened.report).toEqual([
      expect.stringContaining("a copy is kept as orchestrate-state.json.legacy-"),
      "orchestrate-state.json of another orchestrator tells of 3 tasks",
      expect.stringContaining("retry_counts.T1"),
    ]);
    expect(legacyCopies().map(name => readFileSync(lab.file(name), "utf8"))).toEqual([LEGACY]);
    opened.store.close();
    expect(lab.open().imported?.tasks.size).toBe(3);
    expect(legacyCopies()).toHaveLength(1);
  });

  it("is kept but not offered once a run of ours has begun", () => {
    lab.sample("closed");
    writeFileSync(lab.file("orchestrate-state.json"), LEGACY);
    const opened = lab.open();
    expect(opened.source).toBe("database");
    expect(opened.imported).toBeUndefined();
    expect(legacyCopies()).toHaveLength(1);
  });
});
