import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { openLab } from "../lab.ts";

const TASKS = [
  "# Garden",
  "",
  "## Context",
  "",
  "- ctx-root",
  "  - ctx-api",
  "    - ctx-auth",
  "  - ctx-web",
  "",
  "## Phase 1: Build",
  "",
  "### [ ] T1.1: Auth",
  "- fills: ctx-auth",
  "- run: echo '# Auth'",
  "",
  "### [ ] T1.2: Web",
  "- context: ctx-web",
  "- run: while [ ! -e go ]; do sleep 0.05; done",
  "",
].join("\n");

const nodesOf = (json: string) =>
  Object.fromEntries(
    (JSON.parse(json) as { nodes: { id: string; status: string }[] }).nodes.map(({ id, status }) => [
      id,
      status,
    ]),
  );

describe("espalier context node", { timeout: 120_000 }, () => {
  it("[G16] [G17] goes through the process that runs, and what it does stays", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const run = lab.start(["run", "--yes"]);
    await run.seen("[DONE] T1.1");
    const early = await lab.ask("context", "node", "complete", "ctx-web");
    expect(early.code).toBe(2);
    expect(early.stderr).toContain("ctx-web still has tasks that have not ended: T1.2");
    expect(early.stderr).toContain("completes by itself");
    const merged = await lab.ask("context", "node", "merge", "auth", "--into", "web", "--json");
    expect(JSON.parse(merged.stdout)).toEqual({
      action: "merge",
      node: "ctx-auth",
      into: "ctx-web",
      labels: ["fill-T1.1"],
    });
    lab.write("go", "");
    expect((await run.ended).code).toBe(0);
    expect(nodesOf((await lab.ask("context", "tree", "--json")).stdout)).toEqual({
      "ctx-root": "active",
      "ctx-api": "completed",
      "ctx-auth": "merged",
      "ctx-web": "completed",
    });
  });

  itWhole("[G17] works where nothing runs, and says what stands against it", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, go: "" });
    const none = await lab.ask("context", "node", "abandon", "ctx-web");
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("NO_RUN");
    await lab.cli(["run", "--yes"]);
    const again = await lab.ask("context", "node", "complete", "ctx-web");
    expect(again.stderr).toContain("ctx-web is completed already");
    const abandoned = await lab.ask("context", "node", "abandon", "auth");
    expect(abandoned.stdout).toBe("ctx-auth is abandoned: it is still read, and takes nothing more\n");
    for (const [args, says] of [
      [["complete", "ctx-root"], "the root is read by every task"],
      [["abandon", "ctx-wep"], "did you mean ctx-web?"],
      [["merge", "ctx-web"], "--into NODE"],
      [["abandon", "../../etc"], "there is no context node ctx-../../etc"],
    ] as const) {
      const refused = await lab.ask("context", "node", ...args);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(says);
    }
    const odd = await lab.ask("context", "node", "destroy", "ctx-web");
    expect(odd.code).toBe(2);
    expect(odd.stderr).toContain("complete, abandon, merge");

    // A task that is tried again opens its node, and closes it again.
    expect((await lab.ask("task", "retry", "T1.2")).code).toBe(0);
    const resumed = await lab.cli(["resume", "--yes"]);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toContain("[DONE] T1.2");
    expect(nodesOf((await lab.ask("context", "tree", "--json")).stdout)["ctx-web"]).toBe("completed");
  });

  it("[G17] speaks Korean", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, go: "", "espalier.yaml": "locale: ko\n" });
    await lab.cli(["run", "--yes"]);
    expect((await lab.ask("context", "node", "complete", "ctx-none")).stderr).toContain(
      "컨텍스트 노드 ctx-none이 없습니다",
    );
    expect((await lab.ask("context", "node", "complete", "ctx-api")).stderr).toContain(
      "이미 완료 상태입니다",
    );
    expect((await lab.ask("context", "tree")).stdout).toContain("ctx-api  완료");
  });
});

describe("a node whose fill failed", { timeout: 120_000 }, () => {
  it("[G6] [G17] blocks its readers by that fill, is never told to be ready, and may be ended by hand", async () => {
    await using lab = openLab({
      "espalier.yaml": "maxAttempts: 1\n",
      "TASKS.md": [
        "### [ ] T1.1: Describe\n- fills: ctx-api\n- run: exit 1\n",
        "### [ ] T1.2: Build\n- context: ctx-api\n- run: true\n",
      ].join("\n"),
    });
    const { code, stdout } = await lab.cli(["run", "--yes"]);
    expect(code).toBe(1);
    expect(stdout).toContain("[BLOCKED] T1.2 by T1.1");
    expect(stdout).toContain("⊘ T1.2  by T1.1");
    expect((await lab.ask("context", "tree")).stdout).toContain("ctx-api  being prepared  filled by T1.1");
    expect((await lab.ask("context", "node", "complete", "ctx-api")).code).toBe(0);
    expect((await lab.ask("context", "tree")).stdout).toContain("ctx-api  completed  filled by T1.1");
  });
});
