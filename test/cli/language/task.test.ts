import { describe, expect, it } from "vitest";
import { because, type Reason } from "../../../src/ports/index.ts";
import { reasonText } from "../../../src/text/index.ts";
import { itWhole } from "../../sample.ts";
import { TALKER } from "../agents/talker.ts";
import { openLab } from "../lab.ts";

const HANGUL = /[\uac00-\ud7a3]/;
const ONE = "# A\n## Phase 1: p\n### [ ] T1.1: a\n- run: test -e open\n### [ ] T1.2: b\n- run: true\n";
const KO = "locale: ko\nbackoff: { first: 0s }\nmaxAttempts: 1\n";

describe.concurrent("espalier task in Korean", { timeout: 120_000 }, () => {
  it("names what is not there, and what was meant", async () => {
    await using lab = openLab({ "TASKS.md": ONE, "espalier.yaml": KO });
    expect((await lab.cli(["run", "--yes"])).code).toBe(1);
    const shown = await lab.ask("task", "show", "T1.3");
    expect([shown.code, shown.stderr]).toEqual([
      2,
      "NO_SUCH_TASK: 이 실행에 태스크 T1.3 없음\n  혹시 T1.1인가요? 목록 보기: espalier status\n",
    ]);
    const far = await lab.ask("task", "show", "elsewhere");
    expect(far.stderr).toBe("NO_SUCH_TASK: 이 실행에 태스크 elsewhere 없음\n  목록 보기: espalier status\n");
    const said = async (...args: string[]) => (await lab.ask("task", ...args)).stdout;
    expect(await said("skip", "T9")).toBe("이 계획에 태스크 T9 없음\n");
    expect(await said("skip", "T1.2")).toBe("T1.2는 완료되었습니다; 건너뛸 것이 없습니다\n");
    expect(await said("resume", "T1.2")).toBe("T1.2는 일시 중지된 상태가 아닙니다 (완료)\n");
    expect(await said("retry", "T1.1")).toBe(
      'T1.1을 처음부터 다시 시작합니다; "espalier resume"으로 이어서 실행합니다\n',
    );
    expect(await said("pause", "T1.1")).toMatch(/^T1\.1을 일시 중지합니다; /);
    expect(await said("pause", "T1.1")).toBe("T1.1은 이미 일시 중지되었습니다\n");
    expect((await lab.ask("status")).stdout).toContain("사용자가 일시 중지함");
    expect((await lab.ask("task", "show", "T1.1")).stdout).toContain("사용자가 일시 중지함");
  });

  const OF = { task: "T1" };
  it.each<[string, Reason]>([
    ["T1 starts afresh", because("acted", { ...OF, action: "retry", resume: false })],
    ["T1 is skipped", because("acted", { ...OF, action: "skip", resume: false })],
    ["T1 counts as completed (unverified)", because("acted", { ...OF, action: "done", resume: false })],
    ["T1 is paused", because("acted", { ...OF, action: "pause", resume: false })],
    ["T1 goes on", because("acted", { ...OF, action: "resume", resume: false })],
    ["T1 is cancelled", because("acted", { ...OF, action: "cancel", resume: false })],
    ["T1 is outside this run (--only)", because("task-outside", OF)],
    ["T1 is running; pause or cancel it first", because("task-running", OF)],
    ["T1 is blocked by T0: retry or skip that task instead", because("task-blocked", { ...OF, by: "T0" })],
    ["T1 completes with its tasks: act on those instead", because("task-groups", { ...OF, children: [] })],
    [
      "T1 completes with its tasks: act on T1.1, T1.2 instead",
      because("task-groups", { ...OF, children: ["T1.1", "T1.2"] }),
    ],
    [
      "T1 is completed; nothing to cancel",
      because("task-stands", { ...OF, status: "completed", not: "cancellable" }),
    ],
    ...(["completed", "failed", "skipped", "blocked", "cancelled"] as const).map(
      (status): [string, Reason] => [
        `T1 is already ${status}`,
        because("task-stands", { ...OF, status, not: "changed" }),
      ],
    ),
  ])("says %j in Korean", (english, reason) => {
    expect(reasonText(reason, "en")).toBe(english);
    const korean = reasonText(reason, "ko");
    expect(korean).toMatch(HANGUL);
    expect(korean.replaceAll(/T1(?:\.\d)?|T0|--only/g, "")).not.toMatch(/[a-z]{2}/i);
  });
});

describe.concurrent("the log in Korean", { timeout: 120_000 }, () => {
  it("[XM7] hands on what an agent and a person said as they said it", async () => {
    const said = "blocked by the firewall; espalier resume asks";
    const task = (id: string, run: string) => `### [ ] ${id}: a\n- run: ${run}\n`;
    await using lab = openLab({
      "TASKS.md": `# A\n## Phase 1: p\n${task("T1.1", "sh say")}${task("T1.2", "sh hush")}`,
      "espalier.yaml": "locale: ko\nbackoff: { first: 0s }\nmaxAttempts: 5\n",
      say: `echo "${said}" >&2\nexit 1\n`,
      hush: "echo 'paused by a person' >&2\nexit 1\n",
    });
    const run = await lab.cli(["run", "--yes"]);
    expect(run.code).toBe(5);
    const status = await lab.ask("status");
    const shown = await lab.ask("task", "show", "T1.1");
    for (const { stdout } of [run, status, shown]) {
      expect(stdout).toContain(said);
      expect(stdout).not.toMatch(/때문에 차단됨|물어봅니다|사용자가 일시 중지함/);
    }
    expect(lab.read(".espalier/orchestrate.log")).toContain(`[PAUSED] T1.1: ${said} (`);
    expect((await lab.ask("task", "skip", "T1.1", "--note", said)).code).toBe(0);
    expect((await lab.ask("status")).stdout).toContain(said);
  });

  itWhole("tells that a run began from a checkpoint", async () => {
    await using lab = openLab({ "TASKS.md": ONE, "espalier.yaml": KO });
    expect((await lab.cli(["run", "--yes"])).code).toBe(1);
    lab.write("open", "");
    const { code, stdout } = await lab.cli(["resume", "--from", "chk-001", "--yes"]);
    expect(code).toBe(0);
    expect(stdout).toContain("[CHECKPOINT] chk-001에서 시작: 태스크 2개 중 1개 완료\n");
  });

  it("tells why a run stops for want of budget", async () => {
    const task = (n: number, more: string) => `### [ ] T1.${n}: say\n- role: "02"\n${more}`;
    const waits = (n: number) => `- depends_on: [T1.${n}]\n`;
    await using lab = openLab({
      "TASKS.md": `# A\n## Phase 1: p\n${task(1, "")}${task(2, waits(1))}${task(3, waits(2))}`,
      "espalier.yaml": `${KO}${TALKER}`,
      "said.txt": "# Beds\n\n**Decision**: keep the oak\n\n- it takes 3 ms in src/rake.ts\n".repeat(60),
    });
    const { code, stdout } = await lab.cli(["run", "--yes", "--max-tokens", "2000"]);
    expect(code).toBe(5);
    expect(stdout).toMatch(
      /사용자 확인 대기: 예산 도달: 2,000 토큰 중 [\d,]+ 사용; 남은 태스크 \d개, 약 [\d,]+ 토큰 더 필요; 계속하려면 --max-tokens \d+/,
    );
  });

  itWhole("tells why a run stops whose tasks are not approved any more", async () => {
    const edit =
      "sed -i s/harmless/changed/ TASKS.md\nwhile ! grep -q PLAN .espalier/orchestrate.log; do sleep 0.02; done\n";
    await using lab = openLab({
      "TASKS.md":
        "# A\n## Phase 1: p\n### [ ] T1.1: a\n- run: sh edit\n### [ ] T1.2: b\n- depends_on: [T1.1]\n- run: echo harmless > out\n",
      "espalier.yaml": KO,
      edit,
    });
    const { code, stdout } = await lab.cli(["run", "--yes"]);
    expect(code).toBe(5);
    const told = "run: 블록이 아직 승인되지 않았습니다; espalier resume이 물어봅니다";
    expect(stdout).toContain(`[PAUSED] T1.2: ${told} (수동 개입 필요: espalier task show T1.2)`);
    expect((await lab.ask("status")).stdout).toContain(told);
    // The reason is a code of the state, in English whatever the language: what was approved meanwhile goes on.
    expect((await lab.ask("task", "show", "T1.2", "--json")).stdout).toContain(
      "its run: block is not approved yet",
    );
    expect((await lab.cli(["resume", "--yes"])).code).toBe(0);
  });
});
