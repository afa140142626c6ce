import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../src/config/index.ts";
import { configCommands } from "../../../src/host/approval/approvable.ts";
import { approvalWords } from "../../../src/host/approval/approval-words.ts";
import { openLab } from "../lab.ts";
import { answered, HAS_TERMINAL } from "../terminal.ts";

const TASKS = "# A\n## Phase 1: p\n### [ ] T1.1: a\n- run: echo one >> out\n- verify: test -s out\n";
const FILES = { "TASKS.md": TASKS, "espalier.yaml": "locale: ko\n" };
const NAMED = `
verify: "test -d ."
env: [SOME_KEY]
worktree: { copy: [.env], link: [cache] }
notify: { webhook: "https://hook.example/in" }
agents: { mine: { preset: claude, permissions: { edit: allow } } }
budget: { model: { base_url: "https://model.example/v1", name: small, api_key_env: MODEL_KEY } }
`;
const HANGUL = /[\uac00-\ud7a3]/;

/** Every text of the table, those that count once for one and once for many. */
function textsOf(locale: "en" | "ko"): readonly (readonly [string, string])[] {
  const calls: readonly (readonly unknown[])[] = [
    [1, "x"],
    [3, undefined],
  ];
  return Object.entries(approvalWords(locale)).flatMap(([key, value]: [string, unknown]) => {
    if (typeof value === "string") return [[key, value] as const];
    return calls.flatMap(args => {
      const said = (value as (...args: readonly unknown[]) => unknown)(...args);
      return typeof said === "string"
        ? [[key, said] as const]
        : Object.entries(said as object).map(([part, text]) => [`${key}.${part}`, String(text)] as const);
    });
  });
}

describe.concurrent("approval in Korean", { timeout: 120_000 }, () => {
  it("has words of its own for everything that is said", () => {
    const [english, korean] = [textsOf("en"), textsOf("ko")];
    expect(korean.map(([key]) => key)).toEqual(english.map(([key]) => key));
    expect(korean.filter(([, text]) => !HANGUL.test(text))).toEqual([]);
    expect(english.filter(([, text]) => HANGUL.test(text))).toEqual([]);
  });

  it("shows what the repository wants, and what to do where nobody can be asked (exit 5)", async () => {
    await using lab = openLab({ ...FILES, "espalier.yaml": `locale: ko${NAMED}` });
    const { code, stdout, stderr } = await lab.ask("run");
    expect([code, stdout]).toEqual([5, ""]);
    expect(stderr.split("\n")[0]).toBe("다음 명령은 저장소에 적혀 있으며 아직 승인되지 않았습니다:");
    for (const shown of [
      "  T1.1 run:\n    echo one >> out\n  T1.1 verify:\n    test -s out\n",
      "  espalier.yaml verify:\n    test -d .\n",
      "  espalier.yaml worktree.copy:\n    .env를 워크트리에 복사\n",
      "  espalier.yaml worktree.link:\n    cache를 워크트리에 링크\n",
      "  espalier.yaml notify.webhook:\n    https://hook.example/in에 진행 상황 알림\n",
      '  espalier.yaml agents.mine:\n    권한 {"edit":"allow"}\n',
      "  espalier.yaml budget.model:\n    에이전트의 출력을 https://model.example/v1로 전송 (키: MODEL_KEY)\n",
      "  espalier.yaml env:\n    SOME_KEY를 에이전트에 전달\n",
    ])
      expect(stderr).toContain(shown);
    expect(stderr).toMatch(
      /APPROVAL_NEEDED: 저장소에 적힌 명령 9개가 승인되지 않았습니다\n {2}위 내용을 읽은 뒤 같은 명령을 --yes와 함께, 또는 터미널에서 실행하세요\n$/,
    );
    expect(existsSync(lab.path("out"))).toBe(false);
  });

  it("counts in every language: what was approved in one is not asked for in the other", async () => {
    const config = readConfig(`locale: ko${NAMED}`);
    const english = readConfig(`locale: en${NAMED}`);
    if (!config.ok || !english.ok) throw new Error("the configuration of this test is not valid");
    const texts = (of: typeof config.value) =>
      configCommands(of).map(({ where, text }) => `${where}: ${text}`);
    expect(texts(config.value)).toEqual(texts(english.value));
    expect(texts(config.value)).toContain("espalier.yaml env: pass SOME_KEY to agents");
    await using lab = openLab({ ...FILES, "espalier.yaml": "locale: en\nenv: [SOME_KEY]\n" });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    lab.write("espalier.yaml", "locale: ko\nenv: [SOME_KEY]\n");
    const { code, stderr } = await lab.ask("run");
    expect([code, stderr]).toEqual([0, ""]);
  });

  it("shows the rest of long blocks, agents' files and the command line of the run so far", async () => {
    const block = Array.from({ length: 60 }, (_, n) => `  echo ${n}`).join("\n");
    await using lab = openLab({
      "TASKS.md": `# A\n## Phase 1: p\n### [ ] T1.1: a\n- run:\n  \`\`\`sh\n${block}\n  \`\`\`\n### [ ] T1.2: b\n- agent: command\n`,
      "espalier.yaml": "locale: ko\nmaxAttempts: 1\n",
    });
    const command = ["--command", "sh -c false"] as const;
    expect((await lab.ask("run", ...command)).stderr).toContain("    … 파일에 20줄 더 있음\n");
    expect((await lab.cli(["run", "--yes", ...command])).code).toBe(1);
    expect((await lab.ask("task", "retry", "T1.2")).code).toBe(0);
    lab.write(".gemini/settings.json", "{}");
    const stranger = { XDG_STATE_HOME: join(lab.home, "elsewhere") };
    const { code, stderr } = await lab.cli(["resume", "--trust-state"], { env: stranger });
    expect(code).toBe(5);
    expect(stderr).toContain("  지금까지의 실행에 쓰인 --command:\n    sh -c false\n");
    expect(stderr).toContain("  에이전트 설정 .gemini/settings.json:\n    .gemini/settings.json\n    {}\n");
  });

  it("says where the approval cannot be remembered", async () => {
    await using lab = openLab(FILES);
    writeFileSync(join(lab.home, "file"), "");
    const env = { XDG_STATE_HOME: join(lab.home, "file") };
    const { code, stderr } = await lab.cli(["run", "--yes"], { env });
    expect(code).toBe(0);
    expect(stderr).toContain("이 승인은 이번 실행에만 적용됩니다: ");
  });

  it.skipIf(!HAS_TERMINAL).each([
    ["run", "y", 0, "이 내용을 승인했습니다. 내용이 바뀌면 다시 묻습니다."],
    ["run", "\\r", 5, "APPROVAL_REFUSED: 승인되지 않아 아무것도 시작하지 않았습니다"],
    ["mcp --approve", "y", 0, "이 내용을 승인했습니다. 내용이 바뀌면 다시 묻습니다."],
    ["mcp --approve", "n", 5, "APPROVAL_REFUSED: 승인되지 않아 아무것도 시작하지 않았습니다"],
  ])("asks for %s on a terminal and takes %j for an answer", async (call, keys, code, told) => {
    await using lab = openLab(FILES);
    const one = call === "run" ? "이 명령 2개를 실행할까요?" : "이 명령을 실행할까요?";
    const question = [`태스크 차례가 되면 ${one}`, "예", "아니요"];
    const ended = await answered(lab, call.split(" "), question, keys);
    const { shown } = ended;
    expect(ended).toEqual({ shown, code });
    expect(shown).toContain(told);
    expect(shown).not.toMatch(/\b(?:Yes|No)\b/);
    expect(existsSync(lab.path("out"))).toBe(code === 0 && call === "run");
    expect(existsSync(join(lab.home, "state/espalier/approvals.json"))).toBe(code === 0);
  });
});
