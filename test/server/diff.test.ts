import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DiffFile, DiffShape } from "../../src/server/shapes/review.ts";
import { itWhole } from "../sample.ts";
import { attempt, openStage, type Stage } from "./stage.ts";

const TASKS = "# A\n## Phase 1: B\n### [ ] T1.1: C\n- verify: `npm test`\n### [ ] T1.2: D\n### [ ] T1.3: E\n";
const SECRET = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

/** A repository around a stage. */
function repository({ root }: Stage) {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@localhost", ...args], {
      cwd: root,
      encoding: "utf8",
    }).trim();
  const write = (path: string, text: string | Uint8Array) => writeFileSync(join(root, path), text);
  const record = (message: string) => {
    git("add", "-A", "--", ".", ":!.espalier");
    git("commit", "-qm", message);
    return git("rev-parse", "HEAD");
  };
  git("init", "-q", "-b", "main");
  return { git, write, record };
}

const lines = (count: number, word: string) =>
  Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join("");

async function diffOf(stage: Stage, query: string): Promise<DiffShape> {
  return DiffShape.parse(await (await stage.get(`/api/diff?${query}`)).json());
}

const byPath = ({ files }: DiffShape, path: string) => files.find(file => file.path === path);

describe("what somebody has changed", () => {
  it("[W43] an attempt's commit: every kind of change, foreign text made harmless, secrets masked", async () => {
    await using stage = await openStage({ tasks: TASKS });
    const { git, write, record } = repository(stage);
    mkdirSync(join(stage.root, "src"));
    write("src/old.txt", lines(30, "line"));
    write("run.sh", "exit 0\n");
    write("crlf.txt", "a\r\nb\r\nc\r\n");
    write("mixed.txt", "a\r\nb\n");
    write("bin", new Uint8Array([0, 1, 2]));
    write("end.txt", "first\nlast");
    record("before");
    renameSync(join(stage.root, "src/old.txt"), join(stage.root, "src/새 이름.txt"));
    write("src/새 이름.txt", `${lines(30, "line")}한글 줄\n`);
    chmodSync(join(stage.root, "run.sh"), 0o755);
    write("crlf.txt", "a\r\nB\r\nc\r\n");
    write("mixed.txt", "a\nb\n");
    write("bin", new Uint8Array([0, 3]));
    write("end.txt", "first\nchanged");
    write("evil\u202e.html", "<script>x</script>\u001b[31m\ttab\u202e\n@@ -1 +1 @@ no head\n");
    write("key.txt", `token = ${SECRET}\n`);
    write("long.txt", `${"x".repeat(5000)}\n`);
    const commit = record("work");
    stage.commit({ attempts: [attempt("T1.1", 1, { commit })] });
    const shape = await diffOf(stage, "task=T1.1");
    expect(shape).toMatchObject({ state: "landed", attempt: 1, commit, commits: 1, others: 0, more: 0 });
    expect(shape.proof).toEqual(["npm test"]);
    const moved = byPath(shape, "src/새 이름.txt");
    expect(moved).toMatchObject({ status: "renamed", from: "src/old.txt", added: 1, removed: 0, more: 0 });
    expect(moved?.hunks?.[0]?.lines.at(-1)).toBe("+한글 줄");
    expect(byPath(shape, "run.sh")).toMatchObject({ modes: ["100644", "100755"], hunks: [] });
    expect(byPath(shape, "crlf.txt")).toMatchObject({
      crlf: true,
      hunks: [{ old: 1, new: 1, lines: [" a", "-b", "+B", " c"] }],
    });
    const mixed = byPath(shape, "mixed.txt");
    expect(mixed).toMatchObject({ crlf: false, hunks: [{ lines: [String.raw`-a\r`, "+a", " b"] }] });
    expect(byPath(shape, "bin")).toMatchObject({ kind: "binary", hunks: [] });
    expect(byPath(shape, "end.txt")?.hunks?.[0]?.lines.map(line => line[0])).toEqual([
      " ",
      "-",
      "\\",
      "+",
      "\\",
    ]);
    expect(byPath(shape, String.raw`evil\u{202e}.html`)?.hunks?.[0]?.lines).toEqual([
      "+<script>x</script>\\x1b[31m\ttab\\u{202e}",
      "+@@ -1 +1 @@ no head",
    ]);
    expect(JSON.stringify(shape)).not.toContain(SECRET);
    expect(byPath(shape, "key.txt")?.hunks?.[0]?.lines[0]).toMatch(/^\+token = /);
    expect(byPath(shape, "long.txt")?.hunks?.[0]?.lines[0]).toBe(`+${"x".repeat(2000)} … (+3000)`);
    expect(git("status", "--porcelain", "--untracked-files=no")).toBe("");
  });

  itWhole("[W43] long files are folded and asked for one by one; what is left out is counted", async () => {
    await using stage = await openStage({ tasks: TASKS });
    const { write, record } = repository(stage);
    write("a.txt", "a\n");
    record("before");
    write("a.txt", "b\n");
    write("long.txt", lines(4000, "l"));
    write("huge.txt", lines(31_000, "h"));
    stage.commit({ attempts: [attempt("T1.1", 1, { commit: record("work") })] });
    const shape = await diffOf(stage, "task=T1.1&attempt=1");
    expect(shape).toMatchObject({ added: 35_001, removed: 1, more: 0 });
    expect(shape.files.map(({ path, more, hunks }) => [path, more, hunks === undefined])).toEqual([
      ["a.txt", 0, false],
      ["huge.txt", 31_000, true],
      ["long.txt", 4000, true],
    ]);
    const file = async (at: number, path: string) =>
      stage.get(`/api/diff/file?task=T1.1&attempt=1&at=${at}&path=${path}`);
    const long = DiffFile.parse(await (await file(2, "long.txt")).json());
    expect(long).toMatchObject({ path: "long.txt", more: 0 });
    expect(long.hunks?.[0]?.lines).toHaveLength(4000);
    const huge = DiffFile.parse(await (await file(1, "huge.txt")).json());
    expect(huge).toMatchObject({ more: 1000 });
    // The place is another file's by now.
    const stale = await file(1, "long.txt");
    expect(stale.status).toBe(409);
    expect((await file(9, "long.txt")).status).toBe(409);
  });

  it("[W44] a phase is one diff, with others' commits counted; histories apart are told", async () => {
    await using stage = await openStage({ tasks: TASKS });
    const { git, write, record } = repository(stage);
    write("a.txt", "a\n");
    const start = record("before");
    write("a.txt", "first\n");
    const first = record("T1.1");
    write("b.txt", "somebody's\n");
    record("by hand");
    write("a.txt", "second\n");
    const second = record("T1.2");
    stage.commit({
      attempts: [attempt("T1.1", 1, { commit: second }), attempt("T1.2", 1, { commit: first })],
    });
    const shape = await diffOf(stage, "phase=1");
    expect(shape).toMatchObject({ state: "landed", commit: second, commits: 2, others: 1, proof: [] });
    expect(shape.files.map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
    expect(shape.files[0]?.hunks?.[0]?.lines).toEqual(["-a", "+second"]);
    git("checkout", "-q", "--detach", start);
    write("c.txt", "c\n");
    stage.commit({ attempts: [attempt("T1.3", 1, { commit: record("elsewhere") })] });
    expect(await diffOf(stage, "phase=1")).toMatchObject({ state: "apart", commits: 3, files: [] });
    expect(await diffOf(stage, "phase=7")).toMatchObject({ state: "nothing", files: [] });
  });

  it("[W43] a task that came home twice shows its newest work, and each attempt its own", async () => {
    await using stage = await openStage({ tasks: TASKS });
    const { write, record } = repository(stage);
    write("a.txt", "a\n");
    record("before");
    write("a.txt", "b\n");
    const first = record("1");
    write("a.txt", "c\n");
    const second = record("2");
    stage.commit({
      attempts: [
        attempt("T1.1", 1, { commit: first }),
        attempt("T1.1", 2, { outcome: "failed" }),
        attempt("T1.1", 3, { commit: second }),
      ],
    });
    expect(await diffOf(stage, "task=T1.1")).toMatchObject({ attempt: 3, commit: second });
    expect(await diffOf(stage, "task=T1.1&attempt=1")).toMatchObject({ attempt: 1, commit: first });
    expect(await diffOf(stage, "task=T1.1&attempt=2")).toMatchObject({ state: "nothing", files: [] });
    expect(await diffOf(stage, "task=T1.2")).toMatchObject({ state: "nothing", files: [] });
  });

  it("[W43] nothing that is asked for reaches git; what cannot be read is said in words", async () => {
    await using stage = await openStage({ tasks: TASKS });
    const { write, record } = repository(stage);
    write("a.txt", "a\n");
    record("before");
    stage.commit({
      attempts: [
        attempt("T1.1", 1, { commit: "--output=evil" }),
        attempt("T1.2", 1, { commit: "0123456789abcdef0123456789abcdef01234567" }),
      ],
    });
    const evil = await stage.get("/api/diff?task=T1.1");
    expect([evil.status, await evil.text()]).toEqual([503, expect.stringContaining("names no commit")]);
    expect((await stage.get("/api/diff?task=T1.2")).status).toBe(503);
    expect((await stage.get("/api/diff?task=--output")).status).toBe(404);
    expect(await diffOf(stage, "phase=--output%3Devil")).toMatchObject({ state: "nothing" });
  });
});
