import { describe, expect, it } from "vitest";
import { holderReason } from "../../../src/adapters/lock/index.ts";
import { textWidth } from "../../../src/cli/views/terminal/width.ts";
import { doctorWords } from "../../../src/cli/views/words/doctor-words-for.ts";
import { because } from "../../../src/ports/index.ts";
import { type Locale, reasonText } from "../../../src/text/index.ts";
import { itWhole } from "../../sample.ts";
import { openLab } from "../lab.ts";
import { openRepositoryLab, tasksFile } from "../repository/lab.ts";

const HANGUL = /[\uac00-\ud7a3]/;
const HOLDER = {
  pid: 4711,
  host: "den",
  bootId: "",
  startTime: "",
  startedAt: Date.UTC(2026, 0, 2),
  cwd: "/p",
  version: "1",
};

/** Every text of the table, with a few arguments for those that take some. */
function textsOf(locale: "en" | "ko"): readonly (readonly [string, string])[] {
  return Object.entries(doctorWords(locale)).flatMap(([key, value]: [string, unknown]) => {
    if (key === "name" || key === "reason" || key === "held") return [];
    const said: unknown =
      typeof value === "function"
        ? (value as (...args: readonly unknown[]) => unknown)(key === "notCommitted" ? undefined : "1", "2")
        : value;
    if (typeof said === "string") return [[key, said] as const];
    return Object.entries(said as object).map(([part, text]) => [`${key}.${part}`, String(text)] as const);
  });
}

/** What a line says of a check: its mark, its name, and how many columns stand before what was found. */
function headOf(line: string, found: string): readonly [mark: string, name: string, columns: number] {
  const at = line.indexOf(found);
  const [mark = "", ...name] = line.slice(0, at).trim().split(" ");
  return [mark, name.join(" "), textWidth(line.slice(0, at))];
}

describe.concurrent("espalier doctor in Korean", { timeout: 120_000 }, () => {
  it("has words of its own for everything that it says", () => {
    const [english, korean] = [textsOf("en"), textsOf("ko")];
    expect(korean.map(([key]) => key)).toEqual(english.map(([key]) => key));
    const bare = korean.filter(([, text]) => !HANGUL.test(text)).map(([key]) => key);
    // A path with a colon, a system's name: the words come with their arguments.
    expect(bare).toEqual(["remote.found", "leftover"]);
    expect(english.filter(([, text]) => HANGUL.test(text))).toEqual([]);
  });

  it.each([
    [because("jail-broken", { said: "denied" }), "여기서는 bubblewrap이 동작하지 않습니다: denied"],
    [because("leftover-kept", { why: { folder: "half.txt" } }), "그대로 둠: half.txt"],
    [
      because("leftover-kept", { why: "merge" }),
      '그대로 둠: "espalier phase merge" 또는 "espalier resume"이 마무리합니다',
    ],
    [
      because("leftover-mended", { how: "put-back" }),
      "브랜치가 가리키는 상태로 되돌렸습니다; 나머지는 먼저 저장해 두었습니다",
    ],
    [
      because("no-task-file", { folder: "/p", looked: ["TASKS.md"] }),
      "태스크 파일이 없습니다: /p; 찾아본 곳: TASKS.md",
    ],
    [because("said", { by: "git", text: "fatal: a sentence of git's" }), "fatal: a sentence of git's"],
  ])("says %j, which another room found, and leaves the words of others", (reason, korean) => {
    expect(doctorWords("ko").reason(reason)).toBe(korean);
  });

  it("aligns its findings by columns, whatever the names", async () => {
    await using lab = openLab({ "espalier.yaml": "locale: ko\n", "TASKS.md": "# A\n" });
    const { code, stdout } = await lab.ask("doctor");
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    for (const [name, found] of [
      ["node", process.version],
      ["프로젝트", `${lab.root}, espalier.yaml 정상`],
      ["에이전트 shell", "/"],
      ["잠금", "비어 있음"],
      ["상태", "아직 없음"],
      ["디스크", "여유 공간 "],
      ["워크트리", "사용하지 않음: 커밋이 있는 저장소가 없거나 꺼져 있습니다"],
    ] as const) {
      const line = lines.find(one => one.slice(2).startsWith(`${name} `)) ?? "";
      expect(headOf(line, found)).toEqual([name === "워크트리" ? "·" : "✓", name, 18]);
    }
    expect(stdout).toContain("이 폴더는 저장소가 아닙니다");
    expect(stdout).not.toMatch(/\b(?:not|none|free|valid|sound|held|there)\b/);
  });

  it("keeps names and levels of --json as they are", async () => {
    await using lab = openLab({ "espalier.yaml": "locale: ko\n" });
    const asked = async () =>
      (JSON.parse((await lab.ask("doctor", "--json")).stdout) as { checks: { found: string }[] }).checks;
    const korean = await asked();
    lab.write("espalier.yaml", "locale: en\n");
    const english = await asked();
    const codes = (checks: readonly object[]) => checks.map(check => ({ ...check, found: "", advice: "" }));
    expect(codes(korean)).toEqual(codes(english));
    expect(korean.map(({ found }) => found)).toContainEqual(expect.stringMatching(HANGUL));
    expect(english.map(({ found }) => found)).not.toContainEqual(expect.stringMatching(HANGUL));
  });

  it("says what must be mended: no shell, no git, a state that is damaged (exit 6)", async () => {
    await using lab = openLab({ "espalier.yaml": "locale: ko\njail: { use: on }\n" });
    lab.write(".espalier/espalier.db", "");
    const { code, stdout } = await lab.cli(["doctor"], { env: { PATH: "/nowhere" } });
    expect(code).toBe(6);
    for (const told of [
      "· git             없음\n                  태스크는 git 없이도 실행됩니다. 워크트리에는 필요합니다\n",
      "✗ 에이전트 shell  sh 프로그램 없음, 찾아본 곳: /nowhere\n                  bash 또는 sh를 설치하세요\n",
      "✗ 격리            bubblewrap이 설치되어 있지 않습니다 (Debian, Ubuntu: apt install bubblewrap)\n",
      "                  이것 없이는 실행을 시작하지 않습니다\n",
      "✗ 상태            읽을 수 없음: ",
      "                  espalier resume이 복구할 수 있는 것을 복구하고 알려 줍니다\n",
    ])
      expect(stdout).toContain(told);
  });

  it("speaks the language that is set in a configuration that is not valid", async () => {
    await using lab = openLab({ "espalier.yaml": "locale: ko\nparalel: 3\n" });
    const { code, stdout } = await lab.ask("doctor");
    expect(code).toBe(6);
    expect(stdout).toContain("✗ 프로젝트        espalier.yaml:2:1: ");
  });

  it("tells who holds the lock", () => {
    const told = (locale: Locale) => (living: Parameters<typeof holderReason>[0]) =>
      reasonText(holderReason(living), locale);
    const [english, korean] = [told("en"), told("ko")];
    const running = { holder: HOLDER, liveness: "running" } as const;
    expect(english(running)).toBe("held by process 4711 on den, in /p, since 2026-01-02T00:00:00.000Z");
    expect(korean(running)).toBe("프로세스 4711이 잡고 있음 (den, /p, 2026-01-02T00:00:00.000Z부터)");
    expect(korean({ ...running, liveness: "stopped" })).toMatch(
      /; 정지된 상태입니다\. 계속하려면 "kill -CONT 4711", 끝내려면 "kill -KILL 4711"$/,
    );
    for (const startedAt of [0, 8.64e15])
      expect(korean({ holder: { ...HOLDER, startedAt }, liveness: "running" })).toContain(
        "시작 시각 알 수 없음",
      );
    expect(korean(undefined)).toMatch(HANGUL);
  });
});

const FILES = {
  "espalier.yaml": "locale: ko\nbackoff: { first: 0s }\nmaxAttempts: 1\n",
  "TASKS.md": tasksFile({
    "1: parts": { "T1.1": ["run: echo 1 > one.txt"] },
    "2: more": { "T2.1": ["run: echo half > half.txt; exit 1"] },
  }),
};

describe("espalier doctor in Korean, in a repository", () => {
  itWhole("tells what killed processes left, and mends it with --fix", async () => {
    await using lab = openRepositoryLab(FILES);
    expect((await lab.cli(["run", "--yes"])).code).toBe(1);
    lab.write(".gitmodules", "");
    lab.write(".git/refs/heads/left.lock", "");
    const before = (await lab.ask("doctor")).stdout;
    expect(before).toContain("✓ 저장소          git ");
    expect(before).toContain(", 단계는 main에 병합됩니다\n");
    expect(before).toContain(
      "· 저장소          새 워크트리에서는 서브모듈이 비어 있습니다; worktree.setup: [git submodule update --init]로 채울 수 있습니다\n",
    );
    expect(before).toContain("· 워크트리        phase/2-more: 커밋되지 않은 파일 1개\n");
    expect(before).toContain("                  espalier worktrees rescue가 파일을 저장합니다\n");
    expect(before).toMatch(
      /· 남은 것 {9}잠금 파일: .*left\.lock\n {18}다음 실행이 복구합니다\. 지금 복구하려면 espalier doctor --fix\n/,
    );
    const mended = (await lab.ask("doctor", "--fix")).stdout;
    expect(mended).toMatch(
      /· 복구함 {10}잠금 파일: .*left\.lock\n {18}제거함: 아무도 잡고 있지 않았습니다\n/,
    );
    expect((await lab.ask("doctor")).stdout).not.toContain("남은 것");
  });

  it("says what is in the way of work in this repository", async () => {
    await using lab = openRepositoryLab(FILES);
    lab.git("checkout", "-q", "--detach");
    const { stdout, code } = await lab.ask("doctor");
    expect(code).toBe(6);
    expect(stdout).toContain(
      "✗ 저장소          체크아웃된 브랜치가 없습니다 (detached HEAD)\n                  브랜치를 체크아웃하거나 git: { target: … }로 지정하세요. ",
    );
  });

  it("says what stands against a hub or a project in its language", async () => {
    await using lab = openLab({ "espalier.yaml": "locale: ko\n" });
    const env = { ESPALIER_HUB_TOKEN: "esp_x" };
    const { stdout } = await lab.cli(["doctor", "--on", "http://127.0.0.1:1"], { env });
    expect(stdout).toMatch(
      /✗ 허브 +http:\/\/127.0.0.1:1에서 응답하는 것이 없음\n +[^a-z]*espalier hub start/,
    );
    lab.write("espalier.yaml", "locale: ko\nstateDir: node_modules\n");
    const refused = await lab.ask("doctor");
    expect(refused.stdout).toMatch(/✗ 프로젝트 .*[가-힣]/);
  });
});
