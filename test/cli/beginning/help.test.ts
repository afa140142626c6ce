import type { Command } from "commander";
import { describe, expect, it } from "vitest";
import { ENGLISH_HELP } from "../../../src/cli/help/english/index.ts";
import { partOf } from "../../../src/cli/help/explain.ts";
import { KOREAN_HELP } from "../../../src/cli/help/korean/index.ts";
import { usageError } from "../../../src/cli/help/usage-error.ts";
import { processIo } from "../../../src/cli/io.ts";
import { buildProgram } from "../../../src/cli/program.ts";
import { openLab } from "../lab.ts";

/** The names of all commands, with the names of their arguments and options. */
function commandsOf(command: Command, path: readonly string[] = []): [name: string, parts: string[]][] {
  const options = command.options.map(option => option.long ?? "");
  const own: [string, string[]] = [path.join(" "), [...command.registeredArguments.map(partOf), ...options]];
  return [own, ...command.commands.flatMap(one => commandsOf(one, [...path, one.name()]))];
}

const COMMANDS = commandsOf(buildProgram(processIo(), () => {}));
const { commands, shared } = ENGLISH_HELP;

describe("help", () => {
  it("[LG3] has words for every command and option, and for nothing that is none", () => {
    expect(COMMANDS.length).toBeGreaterThan(60);
    const silent = COMMANDS.flatMap(([name, parts]) => {
      const own = name === "" ? { about: ENGLISH_HELP.about } : commands[name];
      const options = parts.filter(part => part.startsWith("--"));
      return ["about", ...options]
        .filter(part => (own?.[part] ?? shared[part] ?? "") === "")
        .map(part => `${name}: ${part}`);
    });
    expect(silent).toEqual([]);
    const known = new Map(COMMANDS);
    const idle = Object.entries(commands).flatMap(([name, parts]) =>
      Object.keys(parts)
        .filter(part => !(part === "about" ? known.has(name) : known.get(name)?.includes(part)))
        .map(part => `${name}: ${part}`),
    );
    expect(idle).toEqual([]);
    const all = new Set(COMMANDS.flatMap(([, parts]) => parts));
    expect(Object.keys(shared).filter(part => !all.has(part))).toEqual([]);
  });

  it("[LG3] is laid out in both languages, with choices and defaults", async () => {
    await using lab = openLab();
    const english = (await lab.ask("delta", "replay", "--help")).stdout;
    expect(english).toContain("Usage: espalier delta replay [options] <path>");
    expect(english.replaceAll(/\s+/g, " ")).toContain('(choices: "cost", "spec", default: "cost")');
    const korean = (await lab.ask("delta", "replay", "--help", "--locale", "ko")).stdout;
    expect(korean).toContain("사용법: espalier delta replay [옵션] <path>");
    expect(korean.replaceAll(/\s+/g, " ")).toContain('(선택: "cost", "spec", 기본값: "cost")');
    expect((await lab.ask("task", "help", "show", "--locale", "ko")).stdout).toContain("시도, 검증 결과");
  });

  it("[LG3] is given on standard error where a command is not whole", async () => {
    await using lab = openLab();
    const { code, stdout, stderr } = await lab.ask("task", "--locale", "ko");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("명령:");
  });
});

describe("an error of a command line", () => {
  const SLIPS: readonly (readonly [args: readonly string[], english: string, korean: string])[] = [
    [["plna"], "unknown command 'plna'\n(Did you mean plan?)", "알 수 없는 명령 'plna'\n(혹시 plan?)"],
    [["plan", "--jsno"], "unknown option '--jsno'\n(Did you mean --json?)", "알 수 없는 옵션 '--jsno'"],
    [["task", "show"], "missing required argument 'id'", "필수 인자 'id' 없음"],
    [["run", "--port"], "option '--port <n>' argument missing", "옵션 '--port <n>'의 값 없음"],
    [["worker", "list"], "required option '--hub <url>' not specified", "필수 옵션 '--hub <url>' 없음"],
    [
      ["plan", "a", "b"],
      "too many arguments for 'plan'. Expected 1 argument but got 2: a, b.",
      "'plan'의 인자가 너무 많음: 1개여야 하는데 2개 (a, b)",
    ],
    [
      ["run", "--port", "0"],
      "option '--port <n>' argument '0' is invalid. a port from 1 to 65535",
      "옵션 '--port <n>'의 값 '0'이 올바르지 않음. 1에서 65535 사이의 포트",
    ],
    [
      ["budget", "cache", "clear", "x"],
      "command-argument value 'x' is invalid for argument 'tier'. Allowed choices are project, persistent.",
      "인자 'tier'의 값 'x'가 올바르지 않음. 가능한 값: project, persistent",
    ],
    [
      ["context", "get", ""],
      "argument 'name' is empty (is a variable not set?)",
      "인자 'name'이 비어 있음 (설정되지 않은 변수?)",
    ],
    [
      ["run", "--command", " "],
      "option '--command <line>' is empty: give it a value, or leave it out (is a variable not set?)",
      "옵션 '--command <line>'의 값이 비어 있음: 값을 주거나 옵션을 빼세요",
    ],
    [["run", "--only", ","], "option '--only <ids>' is empty", "옵션 '--only <ids>'의 값이 비어 있음"],
    [["task", "skip", "1.1", ""], "argument 'ids' is empty", "인자 'ids'가 비어 있음"],
    [
      ["context", "shwo"],
      "unknown command 'shwo'\n(espalier context --help lists the commands)",
      "알 수 없는 명령 'shwo'\n(명령 목록: espalier context --help)",
    ],
  ];

  it.each(SLIPS)("[LG3] [CL50] is told in both languages: %o", async (args, english, korean) => {
    await using lab = openLab();
    const told = await lab.ask(...args);
    expect([told.code, told.stdout]).toEqual([2, ""]);
    expect(told.stderr).toMatch(
      new RegExp(`^error: .*\\n${"(?:.*\\n)?"}\\(espalier .*--help (?:shows|lists) .*\\)\\n$`),
    );
    expect(told.stderr).toContain(`error: ${english}`);
    const inKorean = await lab.ask(...args, "--locale=ko");
    expect([inKorean.code, inKorean.stdout]).toEqual([2, ""]);
    expect(inKorean.stderr).toContain(`오류: ${korean}`);
    expect(inKorean.stderr).not.toMatch(/Did you mean|shows|lists/);
  });

  it("[LG3] of every value that is refused says what it has to be", () => {
    for (const [key, value] of Object.entries(ENGLISH_HELP.usage.values)) {
      const said = `error: option '--x <n>' argument 'y' is invalid. ${key}`;
      expect(usageError(said, ENGLISH_HELP.usage)).toContain(value);
      expect(usageError(said, KOREAN_HELP.usage)).toMatch(/[가-힣]/);
    }
  });

  it("[LG3] that nobody foresaw stays as it is", () => {
    expect(usageError("error: something else\n", KOREAN_HELP.usage)).toBe("error: something else\n");
  });
});
