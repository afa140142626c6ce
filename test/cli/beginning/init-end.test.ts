import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openLab } from "../lab.ts";
import { conversed } from "../terminal.ts";
import { program, TASKS, withoutAgents } from "./init-lab.ts";

describe.concurrent("the end of espalier init", { timeout: 120_000 }, () => {
  it("[CL11] asks for a first task where there is no file, and does it", async () => {
    await using lab = openLab();
    const { shown, code } = await conversed(
      { ...lab, env: withoutAgents(lab) },
      ["init"],
      [
        [["git repository?", "No"], "n"],
        [["Write espalier.yaml", "No"], "y"],
        [["be done first?"], "Say hello\r"],
        [["Which one?"], "echo hello > hello.txt\r"],
        [["Run one task now? T1.1: Say hello", "No"], "y"],
      ],
    );
    expect([code, shown]).toEqual([0, expect.stringContaining("✓ 1 done")]);
    expect(shown).toContain("what espalier.yaml will set, and why:");
    expect(shown).not.toContain("tasks are due?");
    expect(lab.read("hello.txt")).toBe("hello\n");
    expect(lab.read("TASKS.md")).toContain("### [x] T1.1: Say hello\n- run: echo hello > hello.txt\n");
  });

  it.each([
    ["the first", [["git repository?", "\\x03"]]],
    [
      "whether to write",
      [
        ["git repository?", "n"],
        ["Write espalier.yaml", "\\x04"],
      ],
    ],
    [
      "whether to try",
      [
        ["git repository?", "n"],
        ["Write espalier.yaml", "y"],
        ["once where tasks", "\\x03"],
      ],
    ],
  ] as const)("[CL60] ends where a question is left, %s, and writes nothing", async (_, answers) => {
    await using lab = openLab({ "TASKS.md": TASKS, "package.json": '{"scripts":{"test":"true"}}' });
    const { code, shown } = await conversed(
      { ...lab, env: withoutAgents(lab) },
      ["init"],
      answers.map(([words, keys]) => [[words, "○"], keys]),
    );
    expect([code, shown]).toEqual([2, expect.stringContaining("espalier.yaml is not written")]);
    expect(existsSync(lab.path("espalier.yaml"))).toBe(false);
  });

  it("[CL60] asks nothing more once a question is left after the file is written", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const bin = join(lab.home, "bin");
    mkdirSync(bin);
    program(bin, "claude", "");
    const { code, shown } = await conversed(
      { ...lab, env: { ...lab.env, PATH: `${bin}:/usr/bin:/bin` } },
      ["init"],
      [
        [["git repository?", "○"], "n"],
        [["Write espalier.yaml", "○"], "y"],
        [["Connect claude", "○"], "\\x03"],
      ],
    );
    expect([code, shown]).toEqual([0, expect.not.stringContaining("Run one task now?")]);
  });

  it("[CL64] keeps a first task that speaks of others, and does it", async () => {
    await using lab = openLab();
    const { shown, code } = await conversed(
      { ...lab, env: withoutAgents(lab) },
      ["init"],
      [
        [["git repository?", "○"], "n"],
        [["Write espalier.yaml", "○"], "y"],
        [["be done first?"], "fix it (depends on T9)\\r"],
        [["Which one?"], 'echo "a b" > "x y"\\r'],
        [["Run one task now?", "○"], "y"],
      ],
    );
    expect([code, shown]).toEqual([0, expect.stringContaining("1 done")]);
    expect(lab.read("TASKS.md")).toContain("```text\nfix it (depends on T9)\n```");
    expect(lab.read("x y")).toBe("a b\n");
  });

  it("[CL64] writes no task file that could not hold the command", async () => {
    await using lab = openLab();
    const { shown, code } = await conversed(
      { ...lab, env: withoutAgents(lab) },
      ["init"],
      [
        [["git repository?", "○"], "n"],
        [["Write espalier.yaml", "○"], "y"],
        [["be done first?"], "a\\r"],
        [["Which one?"], "none\\r"],
      ],
    );
    expect([code, shown]).toEqual([0, expect.stringContaining("a task file cannot hold this command")]);
    expect(existsSync(lab.path("TASKS.md"))).toBe(false);
  });

  it("[CL48] asks in Korean with answers in Korean, from the first question on", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const { shown, code } = await conversed(
      { ...lab, env: withoutAgents(lab) },
      ["init", "--locale", "ko"],
      [
        [["git 저장소로 만들까요?", "○"], "n"],
        [["espalier.yaml을 쓸까요?", "○"], "y"],
        [["지금 실행할까요?", "○"], "n"],
      ],
    );
    expect([code, shown]).toEqual([0, expect.stringContaining("espalier.yaml을 썼습니다")]);
    expect(shown).toContain("예");
    expect(shown).toContain("아니요");
    expect(shown).not.toMatch(/\b(Yes|No)\b/);
  });

  it("[CL49] asks where a terminal tells a width of 0, in lines that can be read", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const { shown, code } = await conversed(
      { ...lab, env: withoutAgents(lab) },
      ["init"],
      [
        [["○"], "n"],
        [["○"], "n"],
      ],
      0,
    );
    expect([code, shown]).toEqual([0, expect.stringContaining("●")]);
    for (const words of ["git repository?", "Write espalier.yaml with this?", "No"])
      expect(shown).toContain(words);
  });

  it("[CL11] keeps a person's words where neither an agent nor a command is there to do them", async () => {
    await using lab = openLab({ "package.json": '{"scripts":{"test":"true"}}' });
    const { shown, code } = await conversed(
      { ...lab, env: withoutAgents(lab) },
      ["init"],
      [
        [["git repository?", "No"], "n"],
        [["Write espalier.yaml", "No"], "y"],
        [["see that it passes", "No"], "y"],
        [["be done first?"], "Say hello\r"],
        [["Which one?"], "\r"],
      ],
    );
    expect([code, shown]).toEqual([0, expect.stringContaining("npm test passes: verify is on")]);
    expect(shown).toContain("T1.1 is only words, and no coding agent is here:");
    expect(lab.read("TASKS.md")).toContain("### [ ] T1.1: Say hello\n- verify: npm test\n");
  });

  it("[CL11] says what to type where nobody is asked: a task, a file, or how to get an agent", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const some = await lab.cli(["init"], { env: { PATH: "/usr/bin:/bin" } });
    expect(some.stdout).toContain("tasks: TASKS.md  (the file that espalier run takes by itself)\n");
    expect(some.stdout).toContain("\none task first: espalier run --only T1.1\n");
    await using words = openLab({ "TASKS.md": "# W\n## Phase 1: p\n### [ ] T1.1: only words\n" });
    const told = await words.cli(["init"], { env: { PATH: "/usr/bin:/bin" } });
    expect(told.stdout).toContain("T1.1 is only words, and no coding agent is here:\nget one and log in");
    await using none = openLab();
    expect((await none.ask("init", "--locale", "ko")).stdout).toContain("다음: TASKS.md를 작성하세요. 예:\n");
  });

  it("[CL11] has an agent that is here work on a task of words", async () => {
    await using lab = openLab({ "TASKS.md": "# W\n## Phase 1: p\n### [ ] T1.1: only words\n" });
    const bin = join(lab.home, "bin");
    mkdirSync(bin);
    program(bin, "codex", "echo 9.9.9");
    const { stdout } = await lab.cli(["init"], { env: { PATH: `${bin}:/usr/bin:/bin` } });
    expect(stdout).toContain("\none task first: espalier run --agent auto --only T1.1\n");
  });
});
