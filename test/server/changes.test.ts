import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readingMonitor } from "../../src/host/monitor/reading.ts";
import { findProject } from "../../src/host/project/project.ts";
import { fail } from "../../src/ports/index.ts";
import { ChangesShape } from "../../src/server/shapes/task.ts";
import { attempt, openStage } from "./stage.ts";

const FILES = 120;

describe("the changes of an attempt", () => {
  it("[W38] files and lines of its commit, cut, names made visible; a commit that cannot be read is said in words", async () => {
    await using stage = await openStage({ tasks: "# A\n## Phase 1: B\n### [ ] T1.1: C\n" });
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@localhost", ...args], {
        cwd: stage.root,
        encoding: "utf8",
      }).trim();
    git("init", "-q", "-b", "main");
    for (let at = 0; at < FILES; at++) writeFileSync(join(stage.root, `f${at}.txt`), "one\ntwo\n");
    writeFileSync(join(stage.root, "a\u202eb.txt"), "x\n");
    git("add", "*.txt");
    git("commit", "-qm", "work");
    stage.commit({
      attempts: [
        attempt("T1.1", 1, { commit: git("rev-parse", "HEAD") }),
        attempt("T1.1", 2, { commit: "--output=evil" }),
        attempt("T1.1", 3),
      ],
    });
    const found = await stage.get("/api/changes?task=T1.1&attempt=1");
    const shape = ChangesShape.parse(await found.json());
    expect(shape).toMatchObject({ added: FILES * 2 + 1, removed: 0, more: FILES + 1 - 100 });
    expect(shape.files[0]).toEqual({ path: String.raw`a\u{202e}b.txt`, added: 1, removed: 0 });
    const foreign = await stage.get("/api/changes?task=T1.1&attempt=2");
    expect(ChangesShape.parse(await foreign.json())).toEqual({
      added: 0,
      removed: 0,
      files: [],
      more: 0,
      problem: "--output=evil names no commit",
    });
    // In the language of the project, also where a task's work is looked at.
    const inKorean = readingMonitor({ ...findProject(stage.root), locale: "ko" }, process.env);
    const korean = fail("--output=evil은 커밋의 이름이 아닙니다");
    expect(await inKorean.changes("--output=evil")).toEqual(korean);
    expect(await inKorean.work({ task: "T1.1", attempt: 2 }, "names")).toEqual(korean);
    const none = await stage.get("/api/changes?task=T1.1&attempt=3");
    expect(none.status).toBe(404);
    expect(await none.text()).toContain("left no commit");
  });
});
