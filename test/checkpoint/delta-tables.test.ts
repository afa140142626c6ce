import { describe, expect, it } from "vitest";
import { changesSection, ROOMS } from "../../src/checkpoint/delta-body.ts";
import { apart } from "../../src/checkpoint/excerpt.ts";
import { differences, proveDelta, writeDelta } from "../../src/checkpoint/index.ts";
import { deltaWords } from "../../src/checkpoint/words.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { itWhole } from "../sample.ts";
import { falseLines } from "../torture/human-half.ts";
import { CHECKPOINT, CREATED, deltaOf, LATER, must, REST, toldOf } from "./documents.ts";

describe("the tables", () => {
  const found = differences(CHECKPOINT, LATER);
  const TRAIL = ["File", "Status", "Key Change"];

  it("[KD2] tell what was added, modified and removed", () => {
    expect(found.added).toEqual([
      { section: "Decisions", text: "D-3: One table for orders", kind: "item", name: "D-3" },
      {
        section: "Artifact Trail",
        text: "| `src/order.ts` | created | the form |",
        kind: "row",
        name: "`src/order.ts`",
        titles: TRAIL,
      },
    ]);
    expect(found.removed).toEqual([]);
    expect(found.modified).toEqual([
      {
        section: "Current State",
        place: "Current State: The menu",
        name: "The menu",
        kind: "changed",
        before: "The menu stands.",
        after: "The menu and the prices stand.",
      },
      {
        section: "Next Actions",
        place: "Next Actions",
        name: "Begin T2.1",
        kind: "changed",
        before: "Finish T1.2",
        after: "Begin T2.1",
      },
    ]);
    expect(differences(LATER, CHECKPOINT).removed).toEqual(found.added);
  });

  it("[KD28] a sentence that a colon came into is told as changed, not as gone and come", () => {
    const state = (end: string) =>
      `### Current State\n\nPhase 2 has ended; 7 of 7 tasks are completed. ${end}\n\n- Every task was proved ${end}\n`;
    const { added, removed, modified } = differences(
      state("The run is going on."),
      state("The run has ended: everything is done."),
    );
    expect([added, removed]).toEqual([[], []]);
    expect(modified.map(({ before, after }) => [before.slice(-9), after.slice(-5)])).toEqual([
      ["going on.", "done."],
      ["going on.", "done."],
    ]);
  });

  it("[KD28] so is one that begins otherwise and stands in its place", () => {
    const { added, removed, modified } = differences(
      "### Current State\n\n단계 2 진행 중; 5개 완료. 실행이 계속되고 있습니다.\n\n- x\n",
      "### Current State\n\n단계 2 종료; 7개 완료. 실행이 끝났습니다: 모두 완료되었습니다.\n\n- x\n",
    );
    expect([added, removed]).toEqual([[], []]);
    expect(modified.map(({ place }) => place)).toEqual(["Current State: 단계 2"]);
  });

  it("[KD27] a step of one task has not become the step of another", () => {
    const steps = (phase: number) =>
      `## Play-By-Play\n\n- Phase ${phase} → T${phase}.1 Menu ${phase} → completed\n- Phase ${phase} → the phase ended\n`;
    const { added, removed, modified } = differences(steps(2), steps(3));
    expect(added.map(({ text }) => text)).toEqual(["Phase 3 → T3.1 Menu 3 → completed"]);
    expect(removed.map(({ text }) => text)).toEqual(["Phase 2 → T2.1 Menu 2 → completed"]);
    expect(modified.map(({ before, after }) => [before, after])).toEqual([
      ["Phase 2 → the phase ended", "Phase 3 → the phase ended"],
    ]);
    const state = (id: string, is: string) =>
      differences(`## A\n\n- Now T1.1 runs\n`, `## A\n\n- Now ${id} ${is}\n`);
    expect(state("T1.1", "waits").modified).toHaveLength(1);
    expect(state("T1.2", "runs").modified).toHaveLength(0);
    // An id with points in it is one, whatever follows it.
    const next = differences(
      "## Next Actions\n\n1. T2.1 Menu\n2. T2.2 Pay\n",
      "## Next Actions\n\n1. T2.2 Pay first\n2. T2.3 Ship\n",
    );
    expect(next.modified.map(({ before, after }) => [before, after])).toEqual([
      ["T2.2 Pay", "T2.2 Pay first"],
    ]);
    expect(next.removed.map(({ name }) => name)).toEqual(["T2.1"]);
    expect(next.added.map(({ name }) => name)).toEqual(["T2.3"]);
  });

  it("[KD8] files stand under what became of them", () => {
    const trail = (...rows: string[]) =>
      `## Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n| a | created | x |\n${rows.join("\n")}\n`;
    const states = ["created", "**modified**", "Deleted (by hand)", "renamed", "3 lines"];
    const next = trail(...states.map((status, at) => `| f${at} | ${status} | what |`));
    const head = "| File | Status | Key Change |\n|---|---|---|";
    const groups = (text: string) => [...text.matchAll(/^\*\*(.+)\*\*\n\n(?:\|.*\n){2}((?:\|.*\n)+)/gm)];
    const come = toldOf(trail(), next);
    expect(come).toContain(`**New files created**\n\n${head}\n| f0 | created | what |\n\n**Files modified**`);
    expect(groups(come).map(([, heading, rows]) => [heading, rows?.split(" ")[1]])).toEqual([
      ["New files created", "f0"],
      ["Files modified", "f1"],
      ["Files deleted", "f2"],
      ["Files moved", "f3"],
      ["Files", "f4"],
    ]);
    expect(groups(toldOf(next, trail())).map(([, heading]) => heading)).toEqual(["Files no longer listed"]);
  });

  it("[KD8] rows of files keep the titles of their table", () => {
    const trail =
      "### Artifact Trail\n\n| Path | Purpose | Estado |\n|---|---|---|\n| `a` | to add | modificado |\n";
    const text = toldOf("## Essential Information\n", `## Essential Information\n\n${trail}`);
    expect(text).toContain(
      "**Files modified**\n\n| Path | Purpose | Estado |\n|---|---|---|\n| `a` | to add | modificado |\n\n#",
    );
    expect(text).not.toContain("**Files**");
  });

  it("[KD9] the Merge Instructions name every section, or say how many steps more there are", () => {
    const sections = (count: number) =>
      Array.from({ length: count }, (_, at) => `\n## S${at}\n\ntext ${at}\n`).join("");
    const steps = (text: string) => text.split("\n").filter(line => /^\d+\. /.test(line));
    const few = steps(toldOf("# A\n- [ ] x: y\n", `# A\n- [x] x: y\n${sections(3)}`));
    expect(few.slice(0, -1)).toEqual(["1. Add §S0, §S1, §S2.", '2. Set "x: y" → done.']);
    const lists = (more: string) =>
      Array.from({ length: 20 }, (_, at) => `\n## S${at}\n\n- K-${at} one\n${more}`).join("");
    const many = steps(toldOf(lists(""), lists("- and another\n")));
    expect(many.slice(12, 15)).toEqual([
      '13. Add "and another" to §S12.',
      '14. Add "and another" to §S13.',
      "15. And 6 more such steps.",
    ]);
  });

  it("[KD9] each instruction is named for its operation, and says with what", () => {
    const from =
      "## A\n\n- D-1: x\n- gone is this\n\n## B\n\n- E-1: y\n\n## C\n\n- F-1: z\n\n## Old\n\ntext\n\n## End\n\n- keeps: all\n";
    const to =
      "## A\n\n- D-1: xx\n- D-2: new\n\n## C\n\n- F-1: z\n\n## B\n\n- E-1: y\n\n## New\n\ntext\n\n## End\n\n- keeps: all\n- status: x\n";
    const text = toldOf(from, to);
    expect(text).toMatch(/\d\. Change D-1 in §A\./);
    expect(text).toMatch(/\d\. Move §[BC]: it stands after §[A-C]\./);
    expect(text).toMatch(/\d\. Add status to §End\./);
    expect(text).toMatch(/\d\. Remove §Old\./);
    expect(toldOf("## Old\n\n- k: v\n", "## New\n\n- k: v\n")).toContain("1. Rename §Old to §New.");
    const long = "What was found in the code of the whole shop when it was read";
    expect(toldOf(`## ${long} (June)\n`, `## ${long} (July)\n`)).toContain("Rename §…(June) to §…(July).");
    expect(toldOf("## A\n\n- k: v\n\n## B\n\n- l: w\n", "## A\n\n## B\n\n- l: w\n- k: v\n")).toContain(
      "Move k from §A to §B.",
    );
    expect(text).toMatch(/\| §[BC] \| after §[A-C] \| after §[A-C] \|/);
    expect(proveDelta(text, from + REST, to + REST)).toEqual([]);
  });

  itWhole(
    "[KD12] people are told within a share of the target, and the whole is hardly larger than it",
    () => {
      const ids = Array.from({ length: 60 }, (_, at) => at);
      const texts = [
        CHECKPOINT,
        LATER,
        ids.map(at => `## Part ${at}\n\n- D-${at}: keep the choice number ${at} as it is\n`).join("\n"),
        ids.map(at => `## Part ${at}\n\n- D-${at}: drop the choice number ${at} at once\n`).join("\n"),
        ids.map(at => `### Step ${at}\n\n| T${at} | done |\n`).join("\n"),
        ids.map(at => `## 부분 ${at}\n\n- 결정 ${at}: 가격은 정수로 둡니다\n`).join("\n"),
        "a\n",
      ];
      let [told, whole] = [0, 0];
      for (const from of texts)
        for (const to of texts) {
          const made = must(
            writeDelta({ id: "chk-001", text: from }, { id: "chk-002", text: to }, { created: CREATED }),
          );
          const [all, block, target] = [made.text, made.block, to].map(text => countTokens(text));
          expect(all!).toBeLessThanOrEqual(target! + 200);
          expect(all! - block!).toBeLessThanOrEqual(Math.max(260, 0.3 * target!));
          expect(proveDelta(made.text, from, to)).toEqual([]);
          expect(falseLines(made.text, from, to)).toEqual([]);
          told += all! - block!;
          whole += target!;
        }
      expect(told / whole).toBeLessThan(0.3);
    },
  );

  it("[KD12] what is not told is counted", () => {
    const list = (from: number, to: number) =>
      `## L\n\n${Array.from({ length: to - from }, (_, at) => `- K-${from + at}: entry of many`).join("\n")}\n`;
    for (const [many, rest] of [
      [60, ""],
      [60, REST],
      [9, ""],
    ] as const) {
      const text = deltaOf(`## L\n${rest}`, `${list(0, many)}${rest}`);
      const added = text.slice(text.indexOf("### Added"), text.indexOf("## Merge Instructions"));
      const more = Number(/(\d+) more/.exec(added)?.[1] ?? 0);
      expect((added.match(/K-\d+/g) ?? []).length + more).toBe(many);
    }
  });

  it("[KD2] two cells that differ are shown where they differ", () => {
    const [from, to] = ["old", "new"].map(
      word => `- note: ${"left ".repeat(60)}${word} ${"right ".repeat(60)}\n`,
    );
    for (const rest of ["", REST]) {
      const rows = deltaOf(from! + rest, to! + rest)
        .split("\n")
        .filter(line => line.includes("left"));
      for (const row of rows) expect(row).toMatch(/old.*\|.*new/);
    }
    expect(apart(`${"x".repeat(99)}a`, `${"x".repeat(99)}b`, 20)[0]).toMatch(/^…x+a$/);
  });

  it("[KD3] a status is that of a column of both tables", () => {
    const table = (title: string, row: string) => `| Phase | ${title} |\n|---|---|\n${row}\n`;
    const found = differences(table("Ended", "| 1 | 2026-02-16 |"), table("Status", "| 1 | Complete |"));
    expect(found.transitions).toEqual([]);
  });

  it("[KD2] a heading that moved is neither gone nor another's new name", () => {
    const found = differences(
      "## A\n\n- x\n\n## B\n\n- y\n\n## C\n\n- z\n",
      "## D\n\n- z\n\n## A\n\n- x\n\n## B\n\n- y\n",
    );
    expect([found.added, found.removed].flat().map(({ name }) => name)).not.toContain("A");
    expect(found.removed.map(({ name }) => name)).not.toContain("B");
  });

  it("[KD2] what the header tells already is not repeated", () => {
    const renamed = CHECKPOINT.replace("chk-002", "chk-009").replace("session 7", "session 8");
    expect(differences(CHECKPOINT, renamed)).toMatchObject({
      added: [],
      modified: [],
      removed: [],
      layout: 0,
    });
  });

  it("[KD2] a section that comes or goes whole is one entry", () => {
    const more = `${CHECKPOINT}\n## Risks\n\n- fire\n- flood\n`;
    const risks = { section: "Risks", text: "5", kind: "section", name: "Risks" };
    expect(differences(CHECKPOINT, more).added).toEqual([risks]);
    expect(differences(more, CHECKPOINT).removed).toEqual([risks]);
    const below = `${more}\n### Small ones\n\n- rain\n`;
    expect(differences(CHECKPOINT, below).added).toEqual([{ ...risks, text: "9", inner: ["Small ones"] }]);
  });

  it("[KD2] what moved to another section is neither gone nor come", () => {
    const from = "## A\n\n- one thing\n- other\n\n## B\n\n- third\n";
    const to = "## A\n\n- other\n\n## B\n\n- third\n- one thing\n";
    expect(differences(from, to)).toMatchObject({
      added: [],
      removed: [],
      modified: [{ place: "one thing", before: "§A", after: "§B" }],
    });
  });

  it("[KD2] what moved within its section is layout", () => {
    const found = differences("## A\n\n- x1: a\n- y\n- z\n", "## A\n\n- y\n- z\n- x1: a\n");
    expect(found).toMatchObject({ added: [], removed: [], modified: [] });
    expect(found.layout).toBe(1);
  });

  it("[KD2] a renamed heading is a modification", () => {
    expect(differences("## A\n\nx\n", "## A B\n\nx\n").modified).toEqual([
      { section: "A B", place: "Heading", name: "A B", kind: "renamed", before: "A", after: "A B" },
    ]);
  });

  it("[KD2] long lists end in a count, and are told as truth", () => {
    const list = (count: number) =>
      `## L\n\n${Array.from({ length: count }, (_, at) => `- entry ${at} of many`).join("\n")}\n`;
    const [from, to] = [list(0), list(60)];
    const text = toldOf(from, to);
    expect(text).toContain("\n\n… and 36 more\n");
    expect(proveDelta(text, from + REST, to + REST)).toEqual([]);
  });

  it("[KD70] of lines with keys that stand together, the ones that changed", () => {
    const from = "## Session\n\nLast session: 2026-02-17\nStopped at: Roadmap\nNext: Phase 5\n";
    expect(differences(from, from.replace("Roadmap", "Phase 11")).modified).toMatchObject([
      { place: "Session: Stopped at", name: "Stopped at", before: "Roadmap", after: "Phase 11" },
    ]);
    expect(differences(from, `${from}Owner: Kim\n`).added).toMatchObject([
      { name: "Owner", text: "Owner: Kim" },
    ]);
    const wrapped = "## A\n\nNote: what is told here\ngoes on in one sentence.\n";
    expect(differences(wrapped, wrapped.replace("one", "a")).modified).toMatchObject([{ name: "Note" }]);
  });

  it("[KD70] of lines with keys right behind a list, which Markdown takes for a part of its last item", () => {
    const from = "## Phase 12\n\n1. A handoff can be made\n2. A consumer takes it\n**Plans**: TBD\n";
    const { modified, added } = differences(
      from,
      from.replace("TBD\n", "2 plans\nPlans:\n- [ ] 12-01: types\n"),
    );
    expect(modified).toMatchObject([{ name: "Plans", before: "TBD", after: "2 plans" }]);
    expect(added.map(({ name }) => name)).toEqual(["Plans", "12-01"]);
  });

  it("[KD71] call what changed by words that changed or that name it", () => {
    const code = (more: string) => `## A\n\n\`\`\`sh\n# 1. Look\nls\n${more}\`\`\`\n`;
    expect(differences(code(""), code("\n# 2. Count\nwc -l\n")).modified).toMatchObject([
      { name: "# 2. Count" },
    ]);
    const sentence = "The amount of errors is within the budget of the service.\n";
    expect(
      differences(sentence, sentence.replace("amount of errors", "number of failures")).modified,
    ).toMatchObject([{ place: "", name: "The number of failures is within the budget of the service." }]);
    const added = "## A\n\nx\n\n**Order** (from above): a\n";
    expect(differences("## A\n\nx\n", added).added).toMatchObject([{ name: "**Order** (from above)" }]);
  });

  it("[KD71] a name is shown whole where its section is long", () => {
    const section =
      "What operators can look at to determine how the service is, from the first day on and later";
    const from = `### ${section}\n\n- Name of the metric: \`steps_total\`\n`;
    expect(toldOf(from, from.replace("steps", "decisions"))).toMatch(
      /^\| What operators .*…: Name of the metric \| /m,
    );
    expect(toldOf("## **A** b\n\nx\n", "## **A** b\n\nx\n- y\n")).toContain("\n**A** b\n\n- y\n");
  });

  it("[KD2] the status of a document that is no checkpoint's is told", () => {
    const status = (word: string) => `---\nstatus: ${word}\n---\n\nx\n`;
    expect(differences(status("in-progress"), status("unknown")).modified).toMatchObject([
      { name: "status", before: "in-progress", after: "unknown" },
    ]);
    expect(differences(status("current"), status("archived")).modified).toEqual([]);
  });

  it("[KD2] what is counted under a heading is of its kind", () => {
    const list = (word: string, count: number) =>
      Array.from({ length: count }, (_, at) => `- ${word.repeat(1 + (at % 7))} stands at ${at}`).join("\n");
    const found = differences(`## A\n\n${list("old", 60)}\n`, `## B\n\n${list("new", 9)}\n`);
    const [, heading, , line] = changesSection(found, deltaWords("en"), ROOMS.at(-1)!).slice(1);
    expect(heading).toBe("### Added");
    expect(found.removed.length).toBeGreaterThan(40);
    expect(line).toMatch(new RegExp(` and ${found.added.length - 1} more$`));
  });

  it("[KD2] tables that were invented are told", () => {
    const honest = toldOf(CHECKPOINT, LATER);
    const forged = honest.replace("Begin T2.1 |", "Go home |").replace(/^seal: .*\n/m, "");
    expect(forged).not.toBe(honest);
    expect(proveDelta(forged, CHECKPOINT + REST, LATER + REST).map(({ code }) => code)).toEqual([
      "TABLES_DIFFER",
    ]);
  });
});
