import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pullRequest, type ReportedTask, type RunReport } from "../../src/text/index.ts";

const task = (id: string, more: Partial<ReportedTask> = {}): ReportedTask => ({
  id,
  title: "x",
  state: "proved",
  proof: ["npm test"],
  standing: "",
  ...more,
});
const report = (...tasks: readonly ReportedTask[]): RunReport => ({
  project: "Shop",
  phases: [{ label: "1", title: "Pay", tasks }],
  tokens: 1234.4,
  estimated: 0,
  cost: 1.5,
  unpriced: 0,
  attempts: 3,
});

describe("the text of a pull request", () => {
  it("[HO22] holds what was done, what proved it, and what nobody proved", () => {
    const tasks = [
      task("T1.1"),
      task("T1.2", { state: "unproved", proof: [] }),
      task("T1.3", { state: "open", standing: "paused: exit code 3" }),
      task("T1.4", { state: "skipped" }),
    ];
    expect(pullRequest(report(...tasks), "en")).toEqual({
      title: "Shop – Phase 1: Pay",
      body: [
        "Nobody proved: `T1.2`",
        "",
        "## Phase 1 `Pay`",
        "",
        "2 of 3 tasks completed, 1 of them unverified.",
        "",
        "- [x] `T1.1: x` – proved by `npm test`",
        "- [x] `T1.2: x` – **unverified**",
        "- [ ] `T1.3: x` – `paused: exit code 3`",
        "- [x] `T1.4: x` – skipped",
        "",
        "3 attempts, 1,234 tokens, $1.50.",
        "",
      ].join("\n"),
    });
    expect(pullRequest(report(...tasks), "ko").body).toContain("태스크 3개 중 2개 완료, 그중 미검증 1개.");
  });

  it.each([
    ["en", "3 attempts, ≈ 1,234 tokens, $1.50 (without 2 of no known price).\n"],
    ["ko", "시도 3회, ≈ 1,234 토큰, $1.50 (가격을 모르는 2회 제외).\n"],
  ] as const)("[HO22] tells an estimate as one, and what the cost knows nothing of: %s", (locale, text) => {
    const about = { ...report(task("T1.1")), estimated: 1, unpriced: 2 };
    expect(pullRequest(about, locale).body).toContain(text);
  });

  it("[E126] says who completed on a context that had changed", () => {
    const { body } = pullRequest(report(task("T1.1", { standing: "stale: GC v1 of v3" })), "en");
    expect(body).toContain("proved by `npm test`; `stale: GC v1 of v3`\n");
  });

  it("[HO22] tells what reviewers took of it", () => {
    const reviewed = { ...report(task("T1.1")), reviews: { tokens: 1042, cost: 0.25 } };
    expect(pullRequest(reviewed, "en").body).toContain(
      "3 attempts, 1,234 tokens, $1.50. Of it reviews: 1,042 tokens, $0.25.\n",
    );
    expect(pullRequest(reviewed, "ko").body).toContain("그중 검토: 1,042 토큰, $0.25.\n");
  });

  it("[HO22] tells what became of reviews", () => {
    const approved = { kind: "approved", by: "co`dex", rounds: 2 } as const;
    const tasks = [
      task("T1.1", { review: approved }),
      task("T1.2", { state: "unproved", proof: [], review: { kind: "unreviewed" } }),
    ];
    const { body } = pullRequest(report(...tasks), "en");
    expect(body).toContain("proved by `npm test`; reviewed by ``co`dex``: approved after 2 rounds\n");
    expect(body).toContain("**unverified**; **not reviewed**\n");
    expect(pullRequest(report(...tasks), "ko").body).toContain("검토 2회, 승인");
  });

  it("[HO22] lets nothing foreign out of its code span", () => {
    const foreign = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.string({
        unit: fc.constantFrom("`", "``", "\n", "- [x]", "@a", "#1", "<b>", "|", "\\", " ", "x"),
        maxLength: 20,
      }),
    );
    fc.assert(
      fc.property(foreign, foreign, (title, standing) => {
        const { body } = pullRequest(report(task("T1.1", { title, state: "open", standing })), "en");
        const lines = body.split("\n");
        expect(lines.filter(line => line.startsWith("- ["))).toHaveLength(1);
        const [line = ""] = lines.filter(one => one.startsWith("- ["));
        // Code spans as Markdown reads them: a run of backticks up to the next one of that length.
        const outside = line.replaceAll(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, "");
        expect(outside).toMatch(/^- \[ \] (?: – )?$/);
      }),
    );
  });

  it("[HO22] is bounded, and says what is left out", () => {
    const tasks = Array.from({ length: 5000 }, (_, at) =>
      task(`T1.${at}`, { title: "long title of a task" }),
    );
    const { body } = pullRequest(report(...tasks), "en");
    expect(body.length).toBeLessThan(65_000);
    expect(body).toMatch(/… and \d{4} more\n/);
    expect(body).toContain("3 attempts");
  });

  it("[HO127] fits in a variable of the environment, in whatever script", () => {
    const title = "비밀번호를 잊은 사용자에게 안내 문구를 보여 준다 ".repeat(6);
    const tasks = Array.from({ length: 1000 }, (_, at) => task(`T1.${at}`, { title }));
    const { body } = pullRequest(report(...tasks), "ko");
    // Linux takes 128 KiB for one.
    expect(new TextEncoder().encode(body).length).toBeLessThan(2 ** 17 - 1000);
    expect(body).toMatch(/… 외 \d{3}개\n/);
  });
});
