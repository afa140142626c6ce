import { existsSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHECKPOINT, deltaOf, LATER } from "../../checkpoint/documents.ts";
import { CONFIG, json, lab, names, out, ran } from "../budget/bakery.ts";
import type { Lab } from "../lab.ts";

describe.concurrent("espalier checkpoint", { timeout: 120_000 }, () => {
  /** One for all that only look at it. */
  let shared: Lab;
  beforeAll(async () => {
    shared = await ran();
  });
  afterAll(() => shared[Symbol.asyncDispose]());

  it("a run leaves checkpoints, proved deltas and a table of contents", async () => {
    const one = shared;
    expect(names(one)).toEqual(["INDEX.md", "chk-001.md", "chk-002.md", "delta-001-002.md"]);
    expect(await out(one, "doctor")).toBe("2 checkpoints and 1 delta checked\neverything fits together\n");
    expect(await out(one, "validate", "chk-001", "chk-002", ".espalier/checkpoints/delta-001-002.md")).toBe(
      "chk-001: checkpoint, no departures\nchk-002: checkpoint, no departures\n.espalier/checkpoints/delta-001-002.md: delta, no departures\n",
    );
    expect((await out(one, "validate")).split("\n")).toHaveLength(4);
    expect(await out(one, "doctor", "--deep")).toContain("everything fits together");
    const log = one.read(".espalier/orchestrate.log");
    expect(log).toContain("[CHECKPOINT] chk-001: Phase 1 ended, 2 of 2 tasks completed");
  });

  it("show tells somebody who was away where the work stands", async () => {
    const one = shared;
    const shown = await out(one, "show");
    expect(shown).toContain("chk-002  current");
    expect(shown).toContain("Where it stands\n  Phase 2 has ended; 2 of 3 tasks are completed, 1 failed.");
    expect(shown).toContain("Waits for a person\n  failed   T2.1 Shop");
    expect(shown).toContain("Latest decisions\n  one oven (T1.1, shell)");
    expect(shown).toContain("Since the one before\n  Phase 2 ended, 0 of 1 tasks completed");
    expect(await out(one, "show", "--raw")).toBe(one.read(".espalier/checkpoints/chk-002.md"));
    expect(await json(one, "show", "chk-001")).toMatchObject({ id: "chk-001", standing: "superseded" });
  });

  it("list names every one, and list --json its problems", async () => {
    const one = shared;
    expect((await out(one, "list")).split("\n").map(line => line.slice(0, 7))).toEqual([
      "chk-001",
      "chk-002",
      "",
    ]);
    const listed = await json(one, "list");
    expect(listed).toMatchObject({ current: "chk-002", problems: [] });
    expect(listed.checkpoints.map(({ standing }: { standing: string }) => standing)).toEqual([
      "superseded",
      "current",
    ]);
  });

  it("create writes one on demand, also when nothing has run yet that way", async () => {
    await using one = await ran();
    const made = await json(one, "create", "--why", "Before the holidays");
    expect(made).toMatchObject({ id: "chk-003", delta: "delta-002-003.md" });
    expect(made.summary).toMatch(/^Before the holidays: /);
    expect(await out(one, "create")).toContain(
      "chk-004 written, with delta-003-004.md, which was applied and compared\n",
    );
  });

  it("create without any run says what to do", async () => {
    await using one = lab();
    const { code, stderr } = await one.ask("checkpoint", "create");
    expect([code, stderr.split(":")[0]]).toEqual([2, "NO_RUN"]);
    expect((await one.ask("checkpoint", "show")).stderr).toContain("there is no checkpoint yet");
    expect(await out(one, "list")).toContain("there is no checkpoint yet");
  });

  it("delta prints the stored one, and makes one between files", async () => {
    const one = shared;
    expect(await out(one, "delta", "chk-001", "chk-002")).toBe(
      one.read(".espalier/checkpoints/delta-001-002.md"),
    );
    one.write("a.md", CHECKPOINT);
    one.write("b.md", LATER);
    expect(await out(one, "delta", "a.md", "b.md")).toBe(deltaOf(CHECKPOINT, LATER, ["chk-002", "chk-003"]));
    expect(await json(one, "delta", "a.md", "a.md")).toMatchObject({ stored: false, from: "chk-002" });
  });

  it("apply gives the target byte for byte, and refuses what is not for it or tells something else", async () => {
    const one = shared;
    const target = one.read(".espalier/checkpoints/chk-002.md");
    expect(await out(one, "apply", "delta-001-002")).toBe(target);
    const wrong = await one.ask("checkpoint", "apply", "delta-001-002", "chk-002");
    expect([wrong.code, wrong.stderr.split(":")[0], wrong.stdout]).toEqual([1, "DELTA_BASE", ""]);
    const honest = one.read(".espalier/checkpoints/delta-001-002.md");
    const forged = honest.replace("## Merge Instructions\n\n1.", "## Merge Instructions\n\n1. Nothing.\n2.");
    one.write("forged.md", forged);
    const refused = await one.ask("checkpoint", "apply", "forged.md");
    expect([refused.code, refused.stderr.split(":")[0], refused.stdout]).toEqual([1, "DELTA_TOLD", ""]);
    const anyway = await one.ask("checkpoint", "apply", "forged.md", "--anyway");
    expect([anyway.code, anyway.stdout]).toEqual([0, target]);
    expect(anyway.stderr).toContain("forged.md: The delta was edited after it was made");
    one.write("prose.md", "# Delta: chk-002 vs chk-001\n\n## New Items\n\n- x\n");
    const prose = await one.ask("checkpoint", "apply", "prose.md", "chk-001");
    expect([prose.code, prose.stderr.split(":")[0]]).toEqual([1, "DELTA_PROSE"]);
    expect(prose.stderr).toContain("take over by hand");
    // `delta apply` takes them the other way round.
    const swapped = await one.ask("checkpoint", "apply", "prose.md", "forged.md");
    expect(swapped.stderr).toContain("the delta comes first: espalier checkpoint apply DELTA CHECKPOINT");
    expect((await one.ask("checkpoint", "apply", "prose.md")).stderr).toContain("NO_BASE");
  });

  it("replay goes forward and back", async () => {
    const one = shared;
    const [first, second] = ["chk-001", "chk-002"].map(id => one.read(`.espalier/checkpoints/${id}.md`));
    const forward = await one.ask("checkpoint", "replay", "chk-001", "chk-002");
    expect([forward.code, forward.stdout]).toEqual([0, second]);
    expect(forward.stderr).toMatch(/^chk-001 → chk-002: 1 delta applied, [0-9a-f]{12}\n$/);
    expect((await one.ask("checkpoint", "replay", "chk-002", "chk-001")).stdout).toBe(first);
    const unknown = await one.ask("checkpoint", "replay", "chk-001", "chk-009");
    expect([unknown.code, unknown.stderr.split(":")[0]]).toEqual([2, "CHECKPOINT_UNKNOWN"]);
  });

  it("validate names departures with their line, and exits 1 on an error", async () => {
    await using one = lab({
      "bad.md": CHECKPOINT.replace("2026-03-01T09:00:00Z", "soon").replace("status: active", "status: great"),
    });
    const { code, stdout } = await one.ask("checkpoint", "validate", "bad.md");
    expect(code).toBe(1);
    expect(stdout).toContain('bad.md:3: error BAD_DATE: `created:` is "soon", not an ISO-8601 date');
    expect(stdout).toContain("bad.md:6: warning BAD_STATUS:");
    expect(stdout).toContain("1 error, 1 warning\n");
    const machine = JSON.parse((await one.ask("checkpoint", "validate", "bad.md", "--json")).stdout);
    expect(machine).toMatchObject({ errors: 1, warnings: 1, files: [{ kind: "checkpoint" }] });
    one.write("binary.md", Buffer.from([0x61, 0xff, 0x62]));
    const several = await one.ask("checkpoint", "validate", "missing.md", "binary.md", "bad.md", "chk-404");
    expect([several.code, several.stderr]).toEqual([2, ""]);
    expect(several.stdout).toContain("missing.md: error INPUT_NOT_FOUND: no file at missing.md\n");
    expect(several.stdout).toContain(
      "binary.md: error INPUT_UNREADABLE: binary.md: Not UTF-8: byte 1 (0xff)\n",
    );
    expect(several.stdout).toContain("bad.md:3: error BAD_DATE:");
    expect(several.stdout).toContain("chk-404: error CHECKPOINT_UNKNOWN: There is no checkpoint chk-404\n");
    expect(several.stdout).toContain("4 errors, 1 warning\n");
  });

  it("merge prints, shows conflicts, and saves only without them", async () => {
    await using one = await ran();
    one.write("work.md", "### Decisions\n\n- D-9: rye\n");
    const printed = await out(one, "merge", "work.md");
    expect(printed).toContain("- one oven (T1.1, shell)\n- D-9: rye\n");
    expect(await out(one, "merge", "work.md", "--save")).toContain("chk-003 written");
    expect(one.read(".espalier/checkpoints/chk-003.md")).toContain("- D-9: rye");
    one.write("clash.md", "## Problem\n\nSell cars.\n");
    const clash = await one.ask("checkpoint", "merge", "clash.md", "--save");
    expect(clash.code).toBe(5);
    expect(clash.stderr).toContain("§Problem stays as it is");
    expect(clash.stderr).toContain("not taken: Sell cars.");
    expect(names(one)).not.toContain("chk-004.md");
  });

  it("prune drops full states that deltas lead to; show and replay still have them", async () => {
    await using one = await ran();
    for (const why of ["a", "b", "c"]) await out(one, "create", "--why", why);
    const before = one.read(".espalier/checkpoints/chk-003.md");
    expect(await out(one, "prune", "--states", "--keep", "1", "--dry-run")).toContain("would remove 3 files");
    expect(names(one)).toContain("chk-003.md");
    expect(await out(one, "prune", "--states", "--keep", "1")).toContain("removed 3 files");
    expect(names(one).filter(name => name.startsWith("chk"))).toEqual(["chk-001.md", "chk-005.md"]);
    expect(await out(one, "show", "chk-003", "--raw")).toBe(before);
    expect(await out(one, "doctor")).toContain("everything fits together");
    expect(await out(one, "prune", "--states", "--keep", "1")).toBe("nothing to prune\n");
  });

  it("[CL57] archive closes the history with what was learned, and the next one begins anew", async () => {
    await using one = await ran();
    const code = "```sh\n# heat it\n```\n";
    const parts = "Next Actions\n============\n\n- rest\n\n##### Deep\n";
    one.write(
      "learned.md",
      `---\n# Oven\ntitle: Hot\nby:\n  - ann\n---\n\n# What we learned\n\n- ovens are hot\n\n${code}\n${parts}`,
    );
    expect(await out(one, "archive", "--learnings", "learned.md")).toBe(
      "chk-003 closes the history; 5 files are in archive/\n",
    );
    expect(names(one)).toEqual(["INDEX.md", "archive"]);
    const last = one.read(".espalier/checkpoints/archive/chk-003.md");
    expect(last).toContain(
      `## Completion\n\n- # Oven\n- title: Hot\n- by:\n  - ann\n\n#### What we learned\n\n- ovens are hot\n\n${code}\n**Next Actions**\n\n- rest\n\n##### Deep\n`,
    );
    expect(last.split("### Next Actions")).toHaveLength(2);
    expect(await out(one, "doctor")).toContain("everything fits together");
    expect(await out(one, "create")).toBe("chk-004 written\n");
    expect((await one.ask("checkpoint", "replay", "chk-001", "chk-003")).code).toBe(0);
  });

  it("doctor finds what a crash left out, and mends it", async () => {
    await using one = await ran();
    const delta = one.read(".espalier/checkpoints/delta-001-002.md");
    rmSync(one.path(".espalier/checkpoints/delta-001-002.md"));
    const found = await one.ask("checkpoint", "doctor");
    expect([found.code, found.stdout]).toEqual([
      1,
      expect.stringContaining("can be mended: The delta from chk-001 to chk-002 is missing"),
    ]);
    expect(await out(one, "doctor", "--fix")).toContain("✓ made the delta from chk-001 to chk-002 again");
    const again = one.read(".espalier/checkpoints/delta-001-002.md");
    expect(again.slice(again.indexOf("## Changes"))).toBe(delta.slice(delta.indexOf("## Changes")));
  });

  it("doctor tells an edited checkpoint to a person, and changes nothing", async () => {
    await using one = await ran();
    const edited = one.read(".espalier/checkpoints/chk-001.md").replace("Oven", "Kiln");
    one.write(".espalier/checkpoints/chk-001.md", edited);
    const found = await one.ask("checkpoint", "doctor", "--fix");
    expect(found.code).toBe(1);
    const deep = await one.ask("checkpoint", "doctor", "--deep");
    expect(deep.stdout).toContain("needs you: delta-001-002.md: The delta is for");
    expect(found.stdout).toContain("needs you: delta-001-002.md begins at chk-001 with the hash");
    expect(one.read(".espalier/checkpoints/chk-001.md")).toBe(edited);
  });

  it("[KW2] a shift that a person declares stands among the decisions of the state", async () => {
    await using one = await ran();
    await out(one, "create", "--shift", "--why", "Cakes before bread");
    const id = JSON.parse((await one.ask("checkpoint", "list", "--json")).stdout).current;
    expect(one.read(`.espalier/checkpoints/${id}.md`)).toContain("- Cakes before bread (a person)\n");
    await out(one, "create", "--why", "An ordinary one");
    expect(one.read(".espalier/checkpoints/chk-004.md")).not.toContain("- An ordinary one");
  });

  it("[KH8] doctor says how the original of an edited checkpoint is had again, where its delta can make it", async () => {
    await using one = await ran();
    const path = ".espalier/checkpoints/chk-002.md";
    const original = one.read(path);
    one.write(path, `${original}\nand more\n`);
    const command = "espalier checkpoint apply delta-001-002 > chk-002.original.md";
    const found = await one.ask("checkpoint", "doctor");
    expect([found.code, found.stdout]).toEqual([
      1,
      expect.stringContaining(`the original of chk-002, byte for byte: ${command}\n`),
    ]);
    const told = JSON.parse((await one.ask("checkpoint", "doctor", "--json")).stdout);
    expect(told.originals).toEqual([{ id: "chk-002", command }]);
    expect(await out(one, "apply", "delta-001-002")).toBe(original);
    one.write(path, original);
    one.write(".espalier/checkpoints/chk-001.md", `${one.read(".espalier/checkpoints/chk-001.md")}\nmore\n`);
    expect((await one.ask("checkpoint", "doctor")).stdout).not.toContain("the original of");
  });

  it("where there is none nothing is pruned, and nothing fails", async () => {
    await using one = lab();
    expect(await out(one, "prune")).toBe("nothing to prune\n");
    expect(await out(one, "prune", "--states")).toBe("nothing to prune\n");
    expect(existsSync(one.path(".espalier/checkpoints"))).toBe(false);
  });

  it("[KC8] speaks Korean where the project does", async () => {
    await using one = lab({ "espalier.yaml": `${CONFIG}locale: ko\n` });
    await one.ask("run", "--yes");
    const shown = await out(one, "show");
    expect(shown).toContain("현재 상태\n");
    expect(shown).toContain("종료     1: Build");
    expect(shown).toContain("실패     T2.1 Shop");
    expect(await out(one, "doctor")).toContain("모두 맞습니다");
    expect(one.read(".espalier/checkpoints/delta-001-002.md")).toContain("단계 2 종료");
    one.write(
      "bad.md",
      CHECKPOINT.replace("2026-03-01T09:00:00Z", "soon").replace("## Problem", "## Author"),
    );
    const checked = await one.ask("checkpoint", "validate", "bad.md");
    expect(checked.stdout).toContain(
      'bad.md:3: 오류 BAD_DATE: `created:`: "soon"은 2026-01-31T09:30:00Z 같은',
    );
    expect(checked.stdout).toContain('bad.md: 오류 MISSING_SECTION: 섹션 "## Problem" 없음\n');
    const machine = JSON.parse((await one.ask("checkpoint", "validate", "bad.md", "--json")).stdout);
    expect(machine.files[0].departures[0]).toEqual({
      code: "MISSING_SECTION",
      severity: "error",
      line: 0,
      message: 'No section "## Problem"',
    });
    one.write("work.md", CHECKPOINT.replace("Sell bread online.", "Sell cakes."));
    const merged = await one.ask("checkpoint", "merge", "work.md", "--into", "chk-001");
    expect(merged.stderr).toContain("그대로 이어받습니다");
    const first = ".espalier/checkpoints/chk-001.md";
    one.write(first, one.read(first).replace("Oven", "Kiln"));
    expect((await one.ask("checkpoint", "doctor")).stdout).toMatch(
      /delta-001-002\.md: chk-001에서 시작 \(해시 [0-9a-f]{12}\); chk-001\.md의 해시는 [0-9a-f]{12}\n/,
    );
  });

  it("[KC74] an unfinished merge in a checkpoint is told by whoever reads it, and no new work", async () => {
    await using one = await ran();
    const path = ".espalier/checkpoints/chk-002.md";
    const whole = one.read(path);
    const half = whole.replace("\n### Current State", "\n<<<<<<< HEAD\nours\n=======\n\n### Current State");
    one.write(path, half);
    const told = "an unfinished merge left both of its sides there";
    for (const args of [["show"], ["show", "--raw"], ["show", "--json"], ["delta", "chk-001", path]]) {
      const { code, stderr } = await one.ask("checkpoint", ...args);
      expect([args, code, stderr]).toEqual([args, 0, expect.stringContaining(told)]);
    }
    one.write(path, whole);
    one.write("work.md", half);
    for (const args of [
      ["merge", "work.md", "--save"],
      ["archive", "--learnings", "work.md"],
    ]) {
      const { code, stderr } = await one.ask("checkpoint", ...args);
      expect([args, code, stderr]).toEqual([
        args,
        2,
        expect.stringContaining("CONFLICT_MARKERS: work.md, line"),
      ]);
    }
    expect(names(one)).toHaveLength(4);
  });

  it("[KC75] a parent that was cut off is told where a checkpoint is made from it", async () => {
    for (const last of ["chk-001.md", "chk-002.md"]) {
      await using one = await ran();
      const path = `.espalier/checkpoints/${last}`;
      if (last === "chk-001.md") {
        rmSync(one.path(".espalier/checkpoints/chk-002.md"));
        rmSync(one.path(".espalier/checkpoints/delta-001-002.md"));
      }
      const text = one.read(path);
      one.write(path, text.slice(0, text.indexOf("### Current State")));
      const { code, stderr } = await one.ask("checkpoint", "create");
      expect([code, stderr]).toEqual([
        0,
        // What is missing stands in no line.
        expect.stringMatching(`^${last.slice(0, 7)}, which it is made from: (delta-|No section "#)`),
      ]);
    }
  });

  it("[KC73] tells failures of its commands in Korean where the project speaks it", async () => {
    await using one = lab({ "espalier.yaml": `${CONFIG}locale: ko\n` });
    await one.ask("run", "--yes");
    const [first, link] = ["chk-001.md", "delta-001-002.md"].map(name => `.espalier/checkpoints/${name}`);
    const refusal = async (...args: string[]) => (await one.ask("checkpoint", ...args)).stderr;
    expect(await refusal("show", "chk-404")).toContain("체크포인트 없음: chk-404");
    expect(await refusal("apply", "delta-001-002", "chk-002")).toMatch(
      /delta-001-002: 델타는 [0-9a-f]{4}에 대한 것인데, 이 체크포인트는 [0-9a-f]{12}입니다\. 아무것도/,
    );
    const delta = one.read(link!);
    one.write(link!, delta.replace(/\n- [A-Z]+ §/, "\n- REMOVED §Nowhere\n$&"));
    const broken = await refusal("replay", "chk-001", "chk-002");
    expect(broken).toContain("delta-001-002: 작업의 위치를 찾을 수 없습니다: - REMOVED §Nowhere");
    expect(await refusal("apply", "delta-001-002")).toContain("작업의 위치를 찾을 수 없습니다");
    rmSync(one.path(link!));
    expect(await refusal("replay", "chk-002", "chk-001")).toContain(
      "chk-001에서 chk-002로 이어지는 델타 delta-001-002가 없습니다",
    );
    expect((await one.ask("checkpoint", "doctor", "--fix")).stdout).toContain(
      "✓ chk-001에서 chk-002로 이어지는 델타를 다시 만들었습니다\n✓ 목차를 새로 썼습니다\n",
    );
    rmSync(one.path(first!));
    expect(await refusal("show", "chk-001")).not.toMatch(/ (?:is|cannot) /);
    // Korean text as other programs keep it.
    for (const file of ["cp949.md", ".espalier/checkpoints/chk-003.md"])
      writeFileSync(one.path(file), Buffer.from([0xc7, 0xd1]));
    const foreign = "바이트 0 (0xc7): UTF-8이 아닙니다";
    for (const args of [["apply"], ["merge", "--save"], ["archive", "--learnings"]])
      expect(await refusal(...args, "cp949.md")).toBe(`INPUT_UNREADABLE: cp949.md: ${foreign}\n`);
    const from = async (file: string) => (await one.ask("resume", "--from", file)).stderr;
    expect(await from("cp949.md")).toContain(
      `CHECKPOINT_UNREADABLE: cp949.md를 읽을 수 없습니다: ${foreign}`,
    );
    expect(await from("gone/chk-001.md")).toContain("CHECKPOINT_UNREADABLE: gone/chk-001.md가 없습니다");
    expect(await refusal("list")).toContain(`chk-003.md를 읽을 수 없습니다: ${foreign}`);
  });

  it("foreign words never reach the terminal raw", async () => {
    await using one = lab({
      ".espalier/checkpoints/chk-001.md": CHECKPOINT.replace("chk-002", "chk-001")
        .replace("parent: chk-001\n", "")
        .replace("Sell bread online.", "Sell \u001b[2J bread"),
    });
    const shown = await out(one, "show");
    expect(shown).not.toContain("\u001b");
    expect(shown).toContain("\\x1b[2J");
  });
});
