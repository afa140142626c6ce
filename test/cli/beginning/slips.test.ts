import { existsSync, mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ReadFailure } from "../../../src/adapters/file/index.ts";
import { inputError } from "../../../src/cli/input-file.ts";
import { openLab } from "../lab.ts";

const message = "/p/a.md: EIO: i/o error, read";
const FAILURES: readonly (readonly [failure: ReadFailure, code: string, english: string, korean: string])[] =
  [
    [
      { kind: "missing", path: "/p/a.md", message },
      "INPUT_NOT_FOUND",
      "no file at a.md",
      "a.md: 파일이 없습니다",
    ],
    [
      { kind: "not-regular", path: "/p/a.md", message },
      "INPUT_NOT_A_FILE",
      "a.md is not a plain file",
      "a.md: 일반 파일이 아닙니다",
    ],
    [
      { kind: "too-large", path: "/p/a.md", size: 9, limit: 8, message },
      "INPUT_TOO_LARGE",
      "a.md has 9 bytes or more; at most 8 are read",
      "a.md: 9바이트 이상입니다. 최대 8바이트까지 읽습니다",
    ],
    [
      { kind: "permission", path: "/p/a.md", message },
      "INPUT_UNREADABLE",
      "a.md may not be read",
      "a.md: 읽을 권한이 없습니다",
    ],
    [{ kind: "io", path: "/p/a.md", errno: "EIO", message }, "INPUT_UNREADABLE", message, message],
  ];

describe("a slip on the command line", () => {
  it.each(["send-back", "tell"])("[CL92] is told from words that begin with a dash: task %s", async act => {
    await using lab = openLab({ "TASKS.md": "# Job\n## Phase 1: a\n### [ ] T1.1: a\n" });
    const said = async (...words: string[]) => (await lab.ask("task", act, "T1.1", ...words)).stderr;
    const lists = [
      ["- a list"],
      ["-천천히"],
      ["x", "-- y", "--note"],
      ["--", "--note"],
      ["-1"],
      ["-Very slow"],
    ];
    for (const words of lists) expect(`${words.join(" ")}: ${await said(...words)}`).toContain("NO_RUN");
    for (const words of [["--note", "x"], ["--note=x y"], ["-x"], ["x", "--note", "- y"], ["-Very", "slow"]])
      expect(`${words.join(" ")}: ${await said(...words)}`).toContain("unknown option '-");
    expect(await said("--locale", "ko", "- x")).toContain("실행");
  });

  it.each(FAILURES)(
    "names a file that was not read as it was typed: %o",
    (failure, code, english, korean) => {
      expect(inputError("a.md", failure, "en")).toMatchObject({ code, message: english, exitCode: 2 });
      expect(inputError("a.md", failure, "ko")).toMatchObject({ code, message: korean, exitCode: 2 });
    },
  );

  it("shows no control characters of a name", () => {
    const failure: ReadFailure = { kind: "missing", path: "/p/x", message };
    expect(inputError("x\u001b[2J", failure, "en").message).toBe("no file at x\\x1b[2J");
  });

  it("in the name of a file is told alike by every command that reads one", async () => {
    await using lab = openLab({ "a.md": "# A\n" });
    mkdirSync(lab.path("folder"));
    const missing = "INPUT_NOT_FOUND: no file at none.md\n  check the path\n";
    for (const args of [
      ["delta", "diff", "a.md", "none.md"],
      ["summarize", "none.md"],
      ["budget", "lint", "a.md", "none.md"],
      ["checkpoint", "apply", "none.md"],
      ["checkpoint", "merge", "none.md"],
      ["context", "publish", "GC", "none.md"],
    ]) {
      const { code, stderr } = await lab.ask(...args);
      expect([args.join(" "), code, stderr]).toEqual([args.join(" "), 2, missing]);
    }
    expect((await lab.ask("summarize", "folder")).stderr).toContain(
      "INPUT_NOT_A_FILE: folder is not a plain file",
    );
  });

  it("in espalier.yaml is told by doctor in one column, however many there are", async () => {
    await using lab = openLab({ "espalier.yaml": "parallel: many\nlocale: de\n" });
    const { code, stdout } = await lab.ask("doctor");
    expect(code).toBe(6);
    const [, , ...rest] = stdout.trimEnd().split("\n");
    expect(rest).toEqual([
      expect.stringMatching(/^ {18}espalier\.yaml:1:11: /),
      expect.stringMatching(/^ {18}espalier help configuration /),
    ]);
  });

  it("in a call leads to the help of that very command", async () => {
    await using lab = openLab({});
    for (const [args, help] of [
      [["budget", "plan"], "(espalier budget plan --help shows how it is called)"],
      [["task", "shwo"], "(espalier task --help lists the commands)"],
      [["statsu"], "(espalier --help lists the commands)"],
    ] as const) {
      const { code, stderr } = await lab.ask(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(help)]);
    }
    const { code, stderr } = await lab.ask("run", "--parallel", "many");
    expect([code, stderr]).toEqual([2, expect.stringContaining('a number from 1 to 1000, or "declared"')]);
  });

  it("about a shared context that nobody began leaves nothing behind", async () => {
    await using lab = openLab({});
    for (const args of [
      ["update", "GC", "--to", "a"],
      ["leave", "a"],
      ["resume", "a"],
    ]) {
      const { code, stderr } = await lab.ask("context", ...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining("NO_CONTEXT: nothing has been published")]);
    }
    expect(existsSync(lab.path(".espalier"))).toBe(false);
  });
});
