import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CANDIDATE_PATHS, DEFAULT_LIMITS, planJson, type Reading, readPlan } from "../../src/plan/index.ts";
import { fieldKey } from "../../src/plan/syntax/field-key.ts";
import { fieldTable, TAUGHT } from "../../src/plan/syntax/fields.ts";
import { blocksOf, readPage, spansOf, tableOf } from "./page.ts";

const page = readPage("docs/task-files.md");
const examples = blocksOf(page).filter(({ lang }) => lang === "markdown");

function read(text: string, path = "TASKS.md"): Reading {
  return readPlan(new TextEncoder().encode(text), { path });
}

function errorsOf(reading: Reading): string[] {
  return reading.diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code, message }) => `${code} ${message}`);
}

/** What a reading says apart from words. */
function shapeOf({ plan }: Reading): unknown {
  return plan.tasks.map(({ id, phase, done, dependsOn, parallelWith, specialist, files, tdd }) => ({
    id,
    phase,
    done,
    dependsOn,
    parallelWith,
    specialist,
    files,
    tdd,
  }));
}

describe("docs/task-files.md", () => {
  it("shows Markdown examples that read without errors", () => {
    expect(examples.length).toBeGreaterThanOrEqual(8);
    for (const { text } of examples) {
      const reading = read(text);
      expect(errorsOf(reading)).toEqual([]);
      expect(reading.plan.tasks.length).toBeGreaterThan(1);
    }
  });

  it("shows JSON examples that read without errors, with the containers and fills it tells of", () => {
    const plans = blocksOf(page)
      .filter(({ lang }) => lang === "json")
      .map(({ text }) => read(text, "tasks.json"));
    for (const reading of plans) expect(errorsOf(reading)).toEqual([]);
    expect(plans.map(({ plan }) => plan.format)).toEqual(["task-master", "planner-json"]);
    const [master, planner] = plans.map(({ plan }) => plan);
    expect(master?.tasks.find(({ id }) => id === "2")?.children).toEqual(["2.1", "2.2"]);
    expect(master?.tasks.find(({ id }) => id === "2.2")?.dependsOn).toEqual(["2.1"]);
    expect(master?.tasks.find(({ id }) => id === "3")?.skip).toBe(true);
    expect(planner?.tasks.map(({ kind }) => kind)).toEqual(["context-fill", "worker"]);
  });

  it("gives the same plan in English and in Korean", () => {
    const [english, korean] = examples;
    expect(shapeOf(read(english?.text ?? ""))).toEqual(shapeOf(read(korean?.text ?? "")));
    expect(read(english?.text ?? "").plan.tasks[1]?.parallelWith).toEqual(["P1-T1.2"]);
  });

  it("tells containers and groups apart as it says", () => {
    const { plan } = read(examples[2]?.text ?? "");
    expect(plan.tasks.find(({ id }) => id === "P1-T1")?.children).toEqual(["P1-T1.1", "P1-T1.2"]);
    expect(plan.tasks.some(({ id }) => id === "P1-S3")).toBe(false);
    expect(plan.tasks.find(({ id }) => id === "P2-T1")?.dependsOn).toEqual(["P1-T1", "P1-S3-T1", "P1-S3-T2"]);
  });

  it("reads the diagram, the table and the fields as it says", () => {
    const mermaid = read(examples[3]?.text ?? "").plan.tasks;
    expect(mermaid.map(({ dependsOn }) => dependsOn)).toEqual([[], ["T1.1"], ["T1.1"]]);
    const table = read(examples[4]?.text ?? "").plan.tasks;
    expect(table.map(({ id, done, specialist }) => [id, done, specialist])).toEqual([
      ["P0-T0.1", true, "ops"],
      ["P0-T0.2", false, "dev"],
    ]);
    const [own, fill] = read(examples[5]?.text ?? "").plan.tasks;
    expect(own).toMatchObject({
      run: "mkdir -p out\ndate > out/report.txt",
      verify: "test -s out/report.txt",
      test: "npm test -- report",
      role: "writer",
      files: ["out/report.txt"],
      expects: ["out/report.txt"],
      contextRef: "ctx-report",
      risk: "critical",
      tdd: true,
    });
    expect(fill).toMatchObject({ kind: "context-fill", fills: "ctx-api", agent: "command" });
  });

  it.each(tableOf(page, "value", "waits for"))("reads the dependency %s as %s", (value, waits) => {
    const plan = [
      "# Plan",
      "## M1: First",
      ...["P1-T1", "P1-T2", "P1-T3", "P1-R1-T1", "P1-R1-T2"].map(id => `### [ ] ${id}: work`),
      "## Phase 2",
      "### [ ] P2-T1: work",
      "### [ ] P2-T2: work",
      `- depends_on: ${value?.slice(1, -1)}`,
    ];
    const reading = read(plan.join("\n"));
    expect(errorsOf(reading)).toEqual([]);
    const expected = waits === "nothing" ? [] : waits?.split(", ");
    expect(reading.plan.tasks.find(({ id }) => id === "P2-T2")?.dependsOn).toEqual(expected);
  });

  it("[L67] lists the fields as the table of fields tells them", () => {
    expect(tableOf(page, "field", "also", "example")).toEqual(fieldTable());
  });

  it("knows every field name it lists, each alias meaning the same", () => {
    const rows = tableOf(page, "field", "also", "example");
    expect(rows.length).toBeGreaterThan(15);
    const wrong = rows.flatMap(([field, also]) => {
      const key = fieldKey(spansOf(field ?? "")[0] ?? "");
      const names = (also ?? "").split(", ").filter(text => text !== "");
      return key === undefined ? [field] : names.filter(name => fieldKey(name) !== key);
    });
    expect(wrong).toEqual([]);
    const listed = new Set(rows.map(([field]) => fieldKey(spansOf(field ?? "")[0] ?? "")));
    expect(TAUGHT.filter(name => !listed.has(fieldKey(name)))).toEqual([]);
  });

  it("lists every diagnostic and no other", () => {
    const known = new Set<string>();
    for (const file of globSync("src/plan/**/*.ts")) {
      const found = readFileSync(file, "utf8").matchAll(/"([A-Z]+_[A-Z0-9_]+|MORE|UTF16)"/g);
      for (const [, code] of found) known.add(code ?? "");
    }
    const listed = tableOf(page, "code", "severity").map(([code]) => spansOf(code ?? "")[0] ?? "");
    expect(listed.toSorted()).toEqual([...known].toSorted());
  });

  it("lists every key of the JSON", () => {
    const rows = tableOf(page, "in", "keys");
    const listed = (name: string) =>
      spansOf(rows.find(([place]) => place === `\`${name}[]\``)?.[1] ?? "").map(key => key.replace("[]", ""));
    const planner = planJson(
      read(blocksOf(page).filter(({ lang }) => lang === "json")[1]?.text ?? "", "a.json"),
    );
    const broken = planJson(read("# Nothing"));
    expect(Object.keys(planner.tasks[0] ?? {})).toEqual(listed("tasks"));
    expect(Object.keys(planner.phases[0] ?? {})).toEqual(listed("phases"));
    expect(Object.keys(planner.contextNodes[0] ?? {})).toEqual(listed("contextNodes"));
    expect(Object.keys(broken.diagnostics[0] ?? {})).toEqual(listed("diagnostics"));
    expect(page).toContain(`{${Object.keys(planner).join(", ")}}`);
  });

  it("tells the limits and the places as they are", () => {
    const limits = tableOf(page, "what", "at most").map(([, limit]) => limit?.replaceAll(",", ""));
    const { bytes, lineLength, tasks, edges, diagnostics } = DEFAULT_LIMITS;
    const expected = [`${bytes / 1024 ** 2} MiB`, lineLength, tasks, edges, diagnostics];
    expect(limits).toEqual(expected.map(String));
    const listed = [...page.matchAll(/^\d\. `([^`]+)`/gm)].map(([, path]) => path);
    expect(listed.filter(path => path !== "FILE")).toEqual([...CANDIDATE_PATHS]);
  });
});
