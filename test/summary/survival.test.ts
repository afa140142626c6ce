import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { artifactText, readSource, type SummaryLevel, summarize, survival } from "../../src/summary/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { longOutput, YAML_OUTPUT } from "./outputs.ts";

describe("fact survival", () => {
  const source = readSource(
    "Decided D-1: keep `src/a.ts`, 30 ms, MAX_ROWS and src/b.ts; src/a.ts again in src/a.ts.",
  );

  it("[F1] counts by kind and lists what was lost, the most valuable first", () => {
    const report = survival(source, "D-1 keeps src/b.ts at 30ms");
    expect(report).toMatchObject({ kept: 3, total: 5, decisionKept: true });
    expect(report.byKind).toEqual({
      path: { kept: 1, total: 2 },
      id: { kept: 1, total: 1 },
      number: { kept: 1, total: 1 },
      code: { kept: 0, total: 1 },
    });
    expect(report.lost.map(({ entity }) => entity.key)).toEqual(["src/a.ts", "MAX_ROWS"]);
    expect(report.lost[0]?.count).toBe(3);
  });

  it("[F2] is 1 for the whole, 0 for nothing, 1 where there was nothing to lose", () => {
    expect(survival(source, source.text).retention).toBe(1);
    expect(survival(source, "").retention).toBe(0);
    expect(survival(readSource("Only words here."), "").retention).toBe(1);
  });

  it("[F2] never falls when a text says more", () => {
    const any = readSource(longOutput(30));
    const lines = any.text.split("\n");
    fc.assert(
      fc.property(fc.subarray(lines), fc.subarray(lines), (one, more) => {
        const less = survival(any, one.join("\n")).retention;
        expect(survival(any, [...one, ...more].join("\n")).retention).toBeGreaterThanOrEqual(less - 1e-9);
      }),
      { numRuns: 50 },
    );
  });

  it("[F1] tells whether the decision can still be read", () => {
    const decided = readSource("Decision: Write CSV as a stream of pages through `pipeCsv`\n");
    expect(survival(decided, "CSV goes as a stream of pages through pipeCsv").decisionKept).toBe(true);
    expect(survival(decided, "Something about CSV").decisionKept).toBe(false);
    expect(
      survival(decided, summarize(readSource(`${decided.text}\n${longOutput(90)}`), 3).text).decisionKept,
    ).toBe(true);
  });

  it("[F1] bounds what it lists", () => {
    const many = readSource(Array.from({ length: 3000 }, (_, at) => `src/x${at}/y.ts`).join(" "));
    const report = survival(many, "");
    expect(report.total).toBe(3000);
    expect(report.lost).toHaveLength(500);
  });

  it.each<SummaryLevel>([1, 2, 3])("[F2] says of level %i what its report says", level => {
    const any = readSource(longOutput(300));
    const summary = summarize(any, level);
    expect(summary.retention).toBe(survival(any, summary.text).retention);
  });
});

describe("the artifact index", () => {
  const filesOf = (text: string) =>
    Object.fromEntries(readSource(text).artifacts.files.map(({ path, status }) => [path, status]));

  it("[F3] is told as far as it has room: decisions first, what was read last, the rest counted and pointed at", () => {
    const names = (kind: string, count: number) =>
      Array.from({ length: count }, (_, at) => `src/${kind}/module_${at}.ts`);
    const index = {
      files: [
        ...names("made", 200).map(path => ({ path, status: "created" as const })),
        ...names("seen", 200).map(path => ({ path, status: "read" as const })),
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
        "deleted",
        "read",
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

  it("[F3] lists what was done to files and what was decided", () => {
    const { artifacts } = readSource(YAML_OUTPUT);
    expect(artifactText(artifacts)).toBe(
      "created: src/queue.ts\nmodified: src/route.ts\ndeleted: src/cron.ts\ndecided: D-4, ADR-7",
    );
  });

  it("[F3] reads verbs before the file in English and behind it in Korean", () => {
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

  it("[F3] takes a heading's word for its list and a table's cell for its row", () => {
    expect(filesOf("## Files created\n\n- src/a.ts\n- src/b.ts\n")).toEqual({
      "src/a.ts": "created",
      "src/b.ts": "created",
    });
    expect(filesOf("| File | Status |\n|---|---|\n| src/a.ts | modified |\n| src/b.ts | new |\n")).toEqual({
      "src/a.ts": "modified",
      "src/b.ts": "created",
    });
  });

  it("[F3] leaves alone what is only mentioned, addresses, and code", () => {
    expect(filesOf("See src/a.ts and https://example.org/new/x.ts.")).toEqual({});
    expect(filesOf("```sh\nrm deleted src/a.ts\n```\n")).toEqual({});
  });

  it("[F3] keeps the strongest statement about a file", () => {
    expect(filesOf("Read src/a.ts.\n\nUpdated src/a.ts.\n\nReviewed src/a.ts.")).toEqual({
      "src/a.ts": "modified",
    });
  });

  it("[F3] is bounded and counts the rest", () => {
    const text = Array.from({ length: 2500 }, (_, at) => `- created src/x${at}.ts`).join("\n");
    const { artifacts } = readSource(text);
    expect(artifacts.files).toHaveLength(2000);
    expect(artifacts.left).toBe(500);
    expect(artifactText(artifacts)).toMatch(/and 500 more$/);
    expect(artifactText(readSource("nothing").artifacts)).toBe("");
  });

  it("[F3] is no part of a level", () => {
    const any = readSource(longOutput(200));
    expect(summarize(any, 3).text).not.toContain("created: ");
  });
});
