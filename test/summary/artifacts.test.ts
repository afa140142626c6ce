import { describe, expect, it } from "vitest";
import { artifactText, readSource, summarize } from "../../src/summary/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { longOutput, YAML_OUTPUT } from "./outputs.ts";

describe("the artifact index", () => {
  const filesOf = (text: string) =>
    Object.fromEntries(readSource(text).artifacts.files.map(({ path, status }) => [path, status]));

  it("[UF3] is told as far as it has room: decisions first, the rest counted and pointed at", () => {
    const names = (kind: string, count: number) =>
      Array.from({ length: count }, (_, at) => `src/${kind}/module_${at}.ts`);
    const index = {
      files: [
        ...names("made", 200).map(path => ({ path, status: "created" as const })),
        ...names("seen", 200).map(path => ({ path, status: "modified" as const })),
        { path: "src/old.ts", status: "deleted" as const },
      ],
      decided: ["D-7", "ADR-002"],
      left: 12,
    };
    const where = "espalier task show T1.2";
    expect(artifactText(index, { tokens: 100_000, where })).toBe(artifactText(index));
    for (const tokens of [80, 150, 500, 1500]) {
      const text = artifactText(index, { tokens, where });
      expect(countTokens(text)).toBeLessThanOrEqual(tokens + 20);
      const lines = text.split("\n");
      expect(lines.map(line => line.split(":")[0])).toEqual([
        "created",
        "modified",
        "deleted",
        "decided",
        "and 12 more",
        "whole",
      ]);
      expect(lines).toContain("decided: D-7, ADR-002");
      expect(lines).toContain("deleted: src/old.ts");
      expect(lines.at(-1)).toBe(`whole: ${where}`);
      // What is listed and what is counted are all there is.
      const created = lines[0]!;
      const listed = created.split("src/made/").length - 1;
      const more = Number(/(?:and |: )(\d+)(?: more)?$/.exec(created)?.[1] ?? 0);
      expect(listed + more).toBe(200);
    }
  });

  it("[UF3] lists what was done to files and what was decided", () => {
    const { artifacts } = readSource(YAML_OUTPUT);
    expect(artifactText(artifacts)).toBe(
      "created: src/queue.ts\nmodified: src/route.ts\ndeleted: src/cron.ts\ndecided: D-4, ADR-7",
    );
  });

  it("[UF6] takes an id for decided only where what decides names it, not where it is mentioned beside", () => {
    const decidedIn = (text: string) => readSource(text).artifacts.decided;
    const list = [
      "- **D-7**: exports go through a queue, as R3 asked for",
      "- [TD-2.1] tsc only",
      "- Enumeration expanded from R3's 22 sites; confirmed in `d02ed78`, E2E",
      "- Decision D-8: the queue of GATE-13 stays",
    ];
    expect(decidedIn(`# Report\n\n## Decisions\n\n${list.join("\n")}\n`)).toEqual(["D-7", "TD-2.1", "D-8"]);
    const table = "| # | 결정 | 근거 |\n|---|---|---|\n| TD-02 | ESLint 9 | TD-01과 같은 방식 |\n";
    expect(decidedIn(`# 보고\n\n## 결정\n\n${table}`)).toEqual(["TD-02"]);
    expect(decidedIn("We adopted ADR-2 and D-4, and ADR-9 was accepted.")).toEqual(["ADR-2", "D-4", "ADR-9"]);
    expect(decidedIn("ADR-3을 채택했다. ADR-4는 다음에 결정한다.")).toEqual(["ADR-3"]);
    expect(decidedIn("ADR-5 was not accepted. T1.2 says what was decided.")).toEqual([]);
  });

  it("[UF3] reads verbs before the file in English and behind it in Korean", () => {
    expect(filesOf("Created src/a.ts and src/b.ts, then removed src/c.ts.")).toEqual({
      "src/a.ts": "created",
      "src/b.ts": "created",
      "src/c.ts": "deleted",
    });
    expect(filesOf("`src/a.ts` 생성, `src/b.ts` 수정, `src/c.ts` 삭제")).toEqual({
      "src/a.ts": "created",
      "src/b.ts": "modified",
      "src/c.ts": "deleted",
    });
    expect(filesOf("- src/a.ts: updated")).toEqual({ "src/a.ts": "modified" });
  });

  it("[UF3] takes a heading's word for its list and a table's cell for its row", () => {
    expect(filesOf("## Files created\n\n- src/a.ts\n- src/b.ts\n")).toEqual({
      "src/a.ts": "created",
      "src/b.ts": "created",
    });
    expect(filesOf("| File | Status |\n|---|---|\n| src/a.ts | modified |\n| src/b.ts | new |\n")).toEqual({
      "src/a.ts": "modified",
      "src/b.ts": "created",
    });
  });

  it("[UF3] leaves alone what is only mentioned, addresses, and code", () => {
    expect(filesOf("See src/a.ts and https://example.org/new/x.ts.")).toEqual({});
    expect(filesOf("```sh\nrm deleted src/a.ts\n```\n")).toEqual({});
  });

  it("[UF4] says nothing of a file that its output does not say in so many words", () => {
    for (const text of [
      "Rows are deleted by src/a.ts and nothing changed in src/b.ts.",
      "Removed the flag from src/a.ts.",
      "src/a.ts was not deleted; src/b.ts is unchanged.",
      "- src/a.ts - Added a hook that removes stale rows",
      "## Files Created/Modified\n\n- `src/a.ts` - Added a hook\n",
      "`src/a.ts` 변경 없음. src/b.ts에서 오래된 행을 삭제한다.",
      "src/a.ts reads the deleted rows that src/b.ts has created before",
      "The new src/a.ts: deleted rows stay visible",
    ])
      expect(filesOf(text)).not.toMatchObject({ "src/a.ts": "deleted" });
    expect(filesOf("Rows are deleted by src/a.ts and nothing changed in src/b.ts.")).toEqual({});
    expect(filesOf("`src/a.ts` 변경 없음. src/b.ts에서 오래된 행을 삭제한다.")).toEqual({});
    expect(filesOf("## Files Created/Modified\n\n- `src/a.ts` - Added a hook\n")).toEqual({});
  });

  it("[UF4] leaves a file out of which two things are said that do not go together", () => {
    expect(filesOf("Created src/a.ts.\n\nDeleted src/a.ts.")).toEqual({});
    expect(filesOf("Updated src/a.ts.\n\nCreated src/a.ts.")).toEqual({ "src/a.ts": "created" });
  });

  it("[UF4] reads lists by their keys, in front matter as well", () => {
    const text = "---\nkey-files:\n  created:\n    - src/x.ts\n  modified:\n    - src/y.ts\n---\n# A\n";
    expect(filesOf(text)).toEqual({ "src/x.ts": "created", "src/y.ts": "modified" });
  });

  it("[UF3] is bounded and counts the rest", () => {
    const text = Array.from({ length: 2500 }, (_, at) => `- created src/x${at}.ts`).join("\n");
    const { artifacts } = readSource(text);
    expect(artifacts.files).toHaveLength(2000);
    expect(artifacts.left).toBe(500);
    expect(artifactText(artifacts)).toMatch(/and 500 more$/);
    expect(artifactText(readSource("nothing").artifacts)).toBe("");
  });

  it("[UF3] is no part of a level", () => {
    const any = readSource(longOutput(200));
    expect(summarize(any, 3).text).not.toContain("created: ");
  });
});
