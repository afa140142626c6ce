import { describe, expect, it } from "vitest";
import { type Lab, openLab } from "../lab.ts";
import { openRepositoryLab, tasksFile } from "../repository/lab.ts";

const TASKS =
  "# A\n## Phase 1: p\n### [ ] T1.1: a\n- run: true\n### [ ] T1.2: b\n- depends_on: [T1.1]\n- run: true\n";
const lab = (): Lab => openLab({ "TASKS.md": TASKS, "espalier.yaml": "locale: ko\n" });

describe.concurrent("what a command refuses, in Korean", { timeout: 120_000 }, () => {
  it.each<[string, readonly string[], number, string]>([
    ["a run that is not there", ["status"], 2, "에는 아직 실행이 없습니다\n  시작하기: espalier run\n"],
    [
      "a task that is not there",
      ["run", "--yes", "--only", "T9.9"],
      2,
      "NO_SUCH_TASK: --only의 T9.9가 계획에 없습니다\n  태스크 목록 보기: espalier plan\n",
    ],
    [
      "what a task needs",
      ["run", "--yes", "--only", "T1.2"],
      2,
      "ONLY_NEEDS: --only T1.2에는 T1.1이 먼저 필요합니다\n  --only에 T1.1을 더하세요\n",
    ],
    [
      "a phase that is not there",
      ["run", "--yes", "--force-phase", "3"],
      2,
      "NO_SUCH_PHASE: --force-phase의 3은 계획에 없는 단계입니다\n  계획의 단계: 1",
    ],
    [
      "a file that is not there",
      ["plan", "none.md"],
      2,
      "TASKS_NOT_FOUND: 태스크 파일이 없습니다: none.md\n",
    ],
  ])("[XR4] tells of %s", async (_, args, code, told) => {
    await using at = lab();
    const refused = await at.ask(...args);
    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(told)]);
  });

  it("[XR4] tells of a plan that changed under a run that is to be left as it was", async () => {
    await using at = lab();
    expect((await at.cli(["run", "--yes"])).code).toBe(0);
    at.write("TASKS.md", `${TASKS}### [ ] T1.3: c\n- run: true\n`);
    const frozen = await at.ask("resume", "--yes", "--plan", "frozen");
    expect([frozen.code, frozen.stderr]).toEqual([
      3,
      "PLAN_CHANGED: 실행이 읽은 뒤 TASKS.md가 바뀌었습니다: 1개 추가 (T1.3)\n  파일을 되돌리거나, --plan frozen을 빼면 맞춰 갑니다\n",
    ]);
  });

  it("[XR4] tells of a checkout that holds changes of a person", async () => {
    await using at = openRepositoryLab({
      "TASKS.md": tasksFile({ "0: base": { "T0.1": ["run: true"] } }),
      "espalier.yaml": "locale: ko\n",
      "a.txt": "one\n",
    });
    at.write("a.txt", "two\n");
    const refused = await at.ask("run", "--yes");
    expect([refused.code, refused.stderr]).toEqual([
      6,
      "DIRTY_CHECKOUT: 단계 0은 메인 체크아웃에 커밋하는데, 그곳에 다른 변경이 있습니다: a.txt\n  커밋하거나 치워 두세요. 모든 태스크를 메인 체크아웃에서 실행하려면 espalier.yaml에 git: { worktrees: off }\n",
    ]);
  });

  it("[XR4] tells that nothing is there to be stopped", async () => {
    await using at = lab();
    expect(await at.ask("stop")).toMatchObject({ code: 0, stdout: "여기서 실행 중인 것이 없습니다\n" });
  });

  it("[XR4] is told in English where the language is not to be read", async () => {
    await using at = openLab({ "TASKS.md": TASKS, "espalier.yaml": "locale: fr\n" });
    expect((await at.ask("status")).stderr).toContain("CONFIG_INVALID: espalier.yaml:1:");
  });
});
