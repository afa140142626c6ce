import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SYSTEM_CLOCK } from "../../src/adapters/local/clock.ts";
import { randomName } from "../../src/adapters/local/random.ts";
import { attemptName, localStateFiles } from "../../src/adapters/local/state-files.ts";
import { localTaskFile } from "../../src/adapters/local/task-file.ts";
import { watchFile } from "../../src/adapters/local/watch-file.ts";
import type { StateFiles } from "../../src/engine/index.ts";
import { createRedactor } from "../../src/text/index.ts";

let root: string;
let files: StateFiles;
const at = (name: string) => join(root, ".espalier", name);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "espalier-local-"));
  files = localStateFiles({
    root,
    stateDir: join(root, ".espalier"),
    redact: createRedactor(["hunter2-hunter2"]),
    backup: async () => ({ ok: true, value: undefined }),
  });
});

afterEach(() => rmSync(root, { recursive: true }));

describe("the files beside the database", () => {
  it("are private to their owner", () => {
    files.log("a line");
    files.writeThin("{}");
    const log = files.attemptLog("T1.1", 1);
    log.write(Buffer.from("x"));
    log.close();
    for (const name of [".", "attempts", "memory", "memory/attempts"])
      expect(statSync(at(name)).mode & 0o777).toBe(0o700);
    for (const name of [
      "orchestrate.log",
      "orchestrate-state.json",
      `attempts/${attemptName("T1.1", 1)}.log`,
    ])
      expect(statSync(at(name)).mode & 0o777).toBe(0o600);
  });

  it("name attempts readably, and differently for different ids whatever these are made of", () => {
    expect(attemptName("T1.1", 2)).toMatch(/^t1-1-[0-9a-f]{6}\.2$/);
    const ids = [
      "T1.1",
      "t1.1",
      "T1-1",
      "../../etc/passwd",
      "..\\..\\x",
      "한글",
      "한굴",
      "",
      "\0",
      "a".repeat(5000),
      "constructor",
    ];
    const names = ids.map(id => attemptName(id, 1));
    expect(new Set(names).size).toBe(ids.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9-]{1,50}\.1$/);
  });

  it("keep the thin state's predecessor, and a good one only", () => {
    files.writeThin('{"n":1}');
    files.writeThin('{"n":2}');
    expect(readFileSync(at("orchestrate-state.json.bak"), "utf8")).toBe('{"n":1}');
    writeFileSync(at("orchestrate-state.json"), '{"n":');
    files.writeThin('{"n":3}');
    expect(readFileSync(at("orchestrate-state.json.bak"), "utf8")).toBe('{"n":1}');
    expect(readdirSync(at(".")).some(name => name.startsWith("orchestrate-state.json.corrupt-"))).toBe(true);
  });

  it("append lines and lessons, with where these come from", () => {
    files.log("one");
    files.log("two");
    expect(readFileSync(at("orchestrate.log"), "utf8")).toBe("one\ntwo\n");
    const path = join(root, files.learningsPath("T1.1", 1));
    writeFileSync(path, "\n  - the cache is cold\n\n");
    files.collectLearnings("T1.1", 1, "claude");
    files.collectLearnings("T1.1", 1, "claude");
    expect(readFileSync(at("memory/learnings.md"), "utf8")).toBe(
      "\n## T1.1 (attempt 1, claude)\n\n- the cache is cold\n",
    );
    expect(existsSync(path)).toBe(false);
  });

  it("keep a lesson once, however often and by whomever it is learnt", () => {
    const learn = (task: string, text: string) => {
      writeFileSync(join(root, files.learningsPath(task, 1)), text);
      files.collectLearnings(task, 1, "claude");
    };
    rmSync(at("memory/learnings.md"), { force: true });
    learn("T2.1", "# Cache\n- the cache is cold\n- ports are taken\n");
    learn("T2.2", "- ports are taken\n");
    learn("T2.3", "  - the cache is cold\n- tests need a clock\n");
    expect(readFileSync(at("memory/learnings.md"), "utf8")).toBe(
      [
        "\n## T2.1 (attempt 1, claude)\n\n# Cache\n- the cache is cold\n- ports are taken\n",
        "\n## T2.3 (attempt 1, claude)\n\n- tests need a clock\n",
      ].join(""),
    );
  });

  it("neither follow links nor wait for pipes in their places", () => {
    const victim = join(root, "victim");
    writeFileSync(victim, "untouched");
    const lessons = join(root, files.learningsPath("T1", 1));
    for (const plant of [
      (path: string) => symlinkSync(victim, path),
      (path: string) => execFileSync("mkfifo", [path]),
    ]) {
      for (const name of ["orchestrate.log", "memory/learnings.md", `attempts/${attemptName("T1", 1)}.log`]) {
        rmSync(at(name), { force: true });
        plant(at(name));
      }
      writeFileSync(lessons, "lesson");
      files.log("x");
      const log = files.attemptLog("T1", 1);
      log.write(Buffer.from("x"));
      log.close();
      files.collectLearnings("T1", 1, "a");
      expect(readFileSync(victim, "utf8")).toBe("untouched");
      // What could not be merged stays.
      expect(readFileSync(lessons, "utf8")).toBe("lesson");
      rmSync(lessons);
    }
    symlinkSync(victim, lessons);
    files.collectLearnings("T1", 1, "a");
    expect(readFileSync(victim, "utf8")).toBe("untouched");
    rmSync(at("orchestrate-state.json"), { force: true });
    symlinkSync(victim, at("orchestrate-state.json"));
    expect(files.writeThin("{}").ok).toBe(false);
    expect(readFileSync(victim, "utf8")).toBe("untouched");
  });
});

describe("the task file on disk", () => {
  it("is read through a link, but never written through one", () => {
    const target = join(root, "target.md");
    writeFileSync(target, "text");
    symlinkSync(target, join(root, "TASKS.md"));
    const file = localTaskFile(join(root, "TASKS.md"), "TASKS.md", root);
    expect(Buffer.from((file.read() as { value: Uint8Array }).value).toString()).toBe("text");
    expect(file.write(Buffer.from("other")).ok).toBe(false);
    expect(readFileSync(target, "utf8")).toBe("text");
  });

  it("keeps its mode, and is refused where it is no file", () => {
    const path = join(root, "TASKS.md");
    writeFileSync(path, "text", { mode: 0o640 });
    const file = localTaskFile(path, "TASKS.md", root);
    expect(file.write(Buffer.from("other")).ok).toBe(true);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    rmSync(path);
    execFileSync("mkfifo", [path]);
    expect(file.read().ok).toBe(false);
    expect(file.write(Buffer.from("x")).ok).toBe(false);
    rmSync(path);
    expect(file.read()).toMatchObject({ ok: false, failure: expect.stringContaining("ENOENT") });
  });

  it("tells when it begins to be watched, and after it was changed, removed and made again", async () => {
    const path = join(root, "TASKS.md");
    writeFileSync(path, "text");
    let told = 0;
    let wake = () => {};
    const changed = () => new Promise<void>(resolve => (wake = resolve));
    const first = changed();
    const release = watchFile(path, () => {
      told++;
      wake();
    });
    await first;
    const second = changed();
    writeFileSync(path, "te");
    writeFileSync(path, "text, longer");
    await second;
    expect(told).toBeGreaterThanOrEqual(2);
    const third = changed();
    rmSync(path);
    await third;
    const fourth = changed();
    writeFileSync(path, "back");
    await fourth;
    release();
    expect(told).toBeGreaterThanOrEqual(4);
  });
});

describe("the machine's clock and names", () => {
  it("waits longer than a timer can, and not for what was cancelled", () => {
    const cancel = SYSTEM_CLOCK.after(2 ** 40, () => {
      throw new Error("too early");
    });
    cancel();
    expect(SYSTEM_CLOCK.monotonic()).toBeGreaterThan(0);
    const before = Date.now();
    const now = SYSTEM_CLOCK.now();
    expect([before, now, Date.now()].toSorted((a, b) => a - b)[1]).toBe(now);
  });

  it("draws names of lower-case letters and digits that do not repeat", () => {
    const names = Array.from({ length: 2000 }, () => randomName(12));
    expect(new Set(names).size).toBe(2000);
    expect(names.every(name => /^[a-z2-7]{12}$/.test(name))).toBe(true);
    expect(new Set(names.join("")).size).toBe(32);
  });
});
