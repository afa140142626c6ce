import { describe, expect, it } from "vitest";
import { openRepositoryLab, tasksFile } from "../repository/lab.ts";

const FILES = {
  "espalier.yaml": "locale: ko\nbackoff: { first: 0s }\nmaxAttempts: 1\n",
  "TASKS.md": tasksFile({
    "1: 부품": { "T1.1": ["run: echo 1 > one.txt"] },
    "2: 배송": { "T2.1": ["run: echo half > half.txt; exit 1"] },
  }),
};

/** Whether a text has words of English besides names, paths and commands. */
function isEnglish(text: string): boolean {
  return /\b(?:no|not|open|merged|completed|failed|there|nothing|removed|kept|saved|its|phases|may)\b/i.test(
    text,
  );
}

describe("phases and worktrees in Korean", () => {
  it("are told in the project's language", async () => {
    await using lab = openRepositoryLab(FILES);
    expect((await lab.cli(["run", "--yes"])).code).toBe(1);
    const list = (await lab.ask("phase", "list")).stdout;
    expect(list).toMatch(/^1 {2}부품 {2}1\/1 {2}\(phase\/1-\S+에 있음, 병합 안 됨\)\n/);
    expect(list).toMatch(/\n2 {2}배송 {2}0\/1 {2}\(진행 중, phase\/2-\S+에 있음, 병합 안 됨\)\n$/);
    const show = (await lab.ask("phase", "show", "2")).stdout;
    expect(show).toContain("단계 2: 배송\n0/1 완료, 진행 중\n  실패  T2.1  work\n        종료 코드 1");
    const wrong = await lab.ask("phase", "show", "3");
    expect(wrong.stderr).toContain("NO_SUCH_PHASE: 이 계획에 단계 3 없음\n  단계 목록: 1, 2");
    const worktrees = (await lab.ask("worktrees", "list")).stdout;
    expect(worktrees).toContain("커밋되지 않은 파일 1개, 병합되지 않음");
    const rescued = (await lab.ask("worktrees", "rescue", "phase/2-baesong")).stdout;
    expect(rescued).toContain("에 저장함");
    const merged = (await lab.ask("phase", "merge", "1", "--yes")).stdout;
    expect(merged).toContain("단계 1: main에 병합됨 (");
    const again = (await lab.ask("phase", "merge", "1", "--yes")).stdout;
    expect(again).toBe("단계 1: 병합할 것이 없습니다\n");
    const forced = (await lab.ask("phase", "force", "2")).stdout;
    expect(forced).toContain("단계 2 시작 가능");
    const cleaned = (await lab.ask("worktrees", "clean", "--all")).stdout;
    expect(cleaned).toContain("제거함: ");
    expect(cleaned).toContain("커밋되지 않은 작업은 브랜치 espalier/rescue/");
    const none = (await lab.ask("worktrees", "clean")).stdout;
    expect(none).toBe("정리할 것이 없습니다\n");
    expect((await lab.ask("worktrees", "list")).stdout).toBe("Espalier의 워크트리가 없습니다\n");
    expect((await lab.ask("worktrees", "rescue", "nowhere")).stderr).toContain("워크트리 nowhere 없음");
    for (const said of [list, worktrees, rescued, merged, again, cleaned, none])
      expect(isEnglish(said)).toBe(false);
  });

  it("[XR7] tell what stands against the work in the project's language", async () => {
    const config = "locale: ko\nbackoff: { first: 0s }\nmaxAttempts: 1\n";
    await using lab = openRepositoryLab({
      "espalier.yaml": config,
      "TASKS.md": tasksFile({
        "1: 부품": {
          "T1.1": ["run: git switch -q -c other"],
          "T1.2": ["run: mkdir in && git -C in init -q && touch in/a && git -C in add a"],
        },
      }),
    });
    const strayed = (await lab.cli(["run", "--yes"])).stdout;
    expect(strayed).toContain("에이전트가 자기 브랜치 task/1-bupum/t1-1을 떠나 other에 있습니다");
    expect(strayed).toContain("in이 별도의 저장소라서 그 안의 파일을 잃게 됩니다");
    await using other = openRepositoryLab({
      "espalier.yaml": `${config}worktree: { setup: ["exit 3"] }\n`,
      "TASKS.md": tasksFile({ "1: 부품": { "T1.1": ["run: touch one.txt"] } }),
    });
    const unprepared = (await other.cli(["run", "--yes"])).stdout;
    expect(unprepared).toContain("worktree.setup exit 3 종료 코드 3");
    // The tags of the log are those of document 004 in every language.
    for (const said of [strayed, unprepared])
      expect(isEnglish(said.replace(/^\[[A-Z-]+\]/gm, ""))).toBe(false);
  });

  it("show no phase as open once everything is done", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({ "1: a": { "T1.1": ["run: echo 1 > one.txt"] } }),
    });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    expect((await lab.ask("phase", "list")).stdout).toBe("1  a  1/1  (merged into main)\n");
  });
});
