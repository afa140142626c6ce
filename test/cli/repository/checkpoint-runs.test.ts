import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CHECKPOINT } from "../../checkpoint/documents.ts";
import { CONFIG, json, lab, out, ran } from "../budget/bakery.ts";

describe.concurrent("checkpoints of runs", { timeout: 120_000 }, () => {
  it("[HO82] what resume --from takes over is told in the language of the project", async () => {
    await using one = await ran();
    one.write("open", "");
    one.write("espalier.yaml", `locale: ko\n${CONFIG}`);
    expect((await one.ask("resume", "--from", "chk-001", "--yes")).stderr).toContain(
      "chk-001: 완료된 태스크 2개를 이어받음; 체크아웃의 파일은 그대로 둡니다\n",
    );
  });

  it("[HO90] resume --from needs no run before it, and a file of another history is no ancestor", async () => {
    await using one = await ran();
    const kept = one.read(".espalier/checkpoints/chk-001.md");
    rmSync(one.path(".espalier"), { recursive: true });
    expect((await one.ask("resume", "--yes")).stderr).toContain("NO_RUN");
    one.write("open", "");
    one.write("theirs.md", kept);
    const first = await one.ask("resume", "--from", "theirs.md", "--yes");
    expect([first.code, first.stderr]).toEqual([
      0,
      expect.stringContaining("chk-001: 2 completed tasks taken over"),
    ]);
    expect(first.stdout).not.toContain("[DISPATCH] T1.1");
    const current = (await json(one, "list")).current;
    // By now another chk-001 is kept here.
    const again = await one.ask("resume", "--from", "theirs.md", "--yes");
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("started from theirs.md: ")]);
    const own = one.read(`.espalier/checkpoints/${(await json(one, "list")).current}.md`);
    expect(own).toContain(`\nparent: ${current}\n`);
  });

  it("[HO166] a file of another history gives its tasks' states alone, and all of it once it is the first of this one", async () => {
    await using one = await ran();
    one.write("theirs.md", one.read(".espalier/checkpoints/chk-001.md"));
    one.write("open", "");
    rmSync(one.path(".espalier"), { recursive: true });
    expect((await one.ask("resume", "--from", "theirs.md", "--yes")).code).toBe(0);
    expect(one.read(".espalier/checkpoints/chk-001.md")).not.toContain("one oven");
    rmSync(one.path(".espalier"), { recursive: true });
    expect(await out(one, "merge", "theirs.md", "--save")).toBe("chk-001 written\n");
    expect((await one.ask("resume", "--from", "chk-001", "--yes")).code).toBe(0);
    const next = one.read(".espalier/checkpoints/chk-002.md");
    expect(next).toContain("parent: chk-001\n");
    expect(next).toContain("- one oven (T1.1, shell)");
  });

  it("[E53] resume --from starts a new run in which completed tasks stay completed, unverified", async () => {
    await using one = await ran();
    one.write("open", "");
    const { code, stdout, stderr } = await one.ask("resume", "--from", "chk-001", "--yes");
    expect([code, stderr]).toEqual([0, expect.stringContaining("chk-001: 2 completed tasks taken over")]);
    expect(stdout).toContain("[CHECKPOINT] started from chk-001: 2 of 3 tasks completed");
    expect(stdout).not.toContain("[DISPATCH] T1.1");
    expect(stdout).toContain("[DONE] T2.1");
    expect(one.read(".espalier/checkpoints/chk-003.md")).toContain(
      "parent: chk-001\nstatus: active\nsupersedes: chk-002\n",
    );
    expect(await json(one, "list")).toMatchObject({ current: "chk-003" });
    const { tasks } = JSON.parse((await one.ask("status", "--json")).stdout) as {
      readonly tasks: readonly { readonly id: string; readonly verified: boolean | null }[];
    };
    expect(tasks.find(({ id }) => id === "T1.1")?.verified).toBe(false);
  });

  it("resume --from refuses what names no task, and what is not there", async () => {
    await using one = await ran();
    one.write("other.md", CHECKPOINT.replaceAll(/T[12]\./g, "X"));
    const other = await one.ask("resume", "--from", "other.md", "--yes");
    expect([other.code, other.stderr.split(":")[0]]).toEqual([2, "CHECKPOINT_WITHOUT_TASKS"]);
    const [done, open] = ["completed", "pending"].map(status =>
      CHECKPOINT.replace(/(\| T2\.1[^|]*\|)[^|]*\|/, `$1 ${status} |`),
    );
    const row = (text: string) => text.split("\n").find(line => line.startsWith("| T2.1"))!;
    const both = `<<<<<<< HEAD\n${row(done!)}\n=======\n${row(open!)}\n>>>>>>> theirs`;
    one.write(
      "half.md",
      done!.replace(row(done!), () => both),
    );
    const half = await one.ask("resume", "--from", "half.md", "--yes");
    expect([half.code, half.stderr]).toEqual([2, expect.stringMatching(/^CONFLICT_MARKERS: .*, line \d+: /)]);
    const gone = await one.ask("resume", "--from", "chk-009", "--yes");
    expect([gone.code, gone.stderr.split(":")[0]]).toEqual([2, "NO_CHECKPOINT"]);
  });

  it("writes one before it leaves on SIGTERM, and on demand while it runs", async () => {
    await using one = lab({ "TASKS.md": "# Slow\n## Phase 1: a\n### [ ] T1.1: Wait\n- run: sleep 30\n" });
    const running = one.start(["run", "--yes"]);
    await running.seen("[DISPATCH] T1.1");
    expect(await out(one, "create", "--why", "While it runs")).toContain("chk-001 written");
    running.signal("SIGTERM");
    expect((await running.ended).code).toBe(130);
    expect(one.read(".espalier/checkpoints/INDEX.md")).toContain("The run stops, asked by SIGTERM");
    expect(await out(one, "doctor")).toContain("everything fits together");
  });

  it("a lead's phase ends and its full window are written, too", async () => {
    await using one = lab({
      "TASKS.md": "# Lead\n## Phase 1: a\n### [ ] T1.1: one\n## Phase 2: b\n### [ ] T2.1: two\n",
      "espalier.yaml": "contextWindow: 1000\nbackoff: { first: 0s }\n",
    });
    /** Takes a task and hands in its signal; the prompt fills the lead's window. */
    const turn = async (task: string, word: string, reason = ""): Promise<void> => {
      await one.ask("next");
      const prompt = (await one.ask("start", "--print", task)).stdout;
      const id = /`DONE:`[^`]*`([^`]+)`/.exec(prompt)?.[1] ?? "";
      await one.ask("report", task, `${word}:${id}${reason}`);
    };
    await turn("T1.1", "DONE");
    expect(one.read(".espalier/orchestrate.log")).toContain("[CHECKPOINT] chk-001: Phase 1 ended");
    await one.ask("next");
    for (const reason of [":a", ":b", ":c", ":d"]) await turn("T2.1", "FAIL", reason);
    expect(one.read(".espalier/orchestrate.log")).toMatch(
      /\[CHECKPOINT\] chk-00\d: The lead's window is 8\d % full/,
    );
  });

  it("one that is asked for while nothing runs says how the run has ended", async () => {
    await using one = await ran();
    await out(one, "create", "--why", "before the weekend");
    const made = one.read(".espalier/checkpoints/chk-003.md");
    expect(made).toContain("The run has ended with failed tasks.");
    expect(made).not.toContain("is going on");
    expect(one.read(".espalier/checkpoints/delta-002-003.md")).not.toContain("Current State");
  });

  it("[K2] one that is asked for between two commands of a lead says that the run goes on", async () => {
    await using one = lab({ "TASKS.md": "# Lead\n## Phase 1: a\n### [ ] T1.1: one\n" });
    await one.ask("next");
    expect((await one.ask("start", "--print", "T1.1")).code).toBe(0);
    await out(one, "create");
    const made = one.read(".espalier/checkpoints/chk-001.md");
    expect(made).toContain("The run is going on.");
    expect(made).not.toContain("interrupted");
  });

  it("[K2] one of a completed run whose task file has grown does not say that everything is done", async () => {
    const done = "# Jam\n## Phase 1: a\n### [ ] T1.1: Pick\n- run: true\n";
    await using one = lab({ "TASKS.md": done });
    expect((await one.ask("run", "--yes")).code).toBe(0);
    expect(JSON.parse((await one.ask("checkpoint", "create", "--json")).stdout).id).toBe("chk-002");
    expect(one.read(".espalier/checkpoints/chk-002.md")).toContain("everything is done");
    one.write("TASKS.md", `${one.read("TASKS.md")}### [ ] T1.2: Boil\n- run: true\n`);
    expect((await one.ask("checkpoint", "create")).code).toBe(0);
    const made = one.read(".espalier/checkpoints/chk-003.md");
    expect(made).toContain("The run was interrupted; `espalier resume` goes on.");
    expect(made).not.toContain("everything is done");
  });
});
