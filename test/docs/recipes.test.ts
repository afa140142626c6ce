import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { itWhole, sampleOf } from "../sample.ts";
import { readPage, spansOf, tableOf } from "./page.ts";

/** A change of one file: the first of these words is replaced by the second. */
type Edit = readonly [from: string, to: string];
type Edits = Readonly<Record<string, readonly Edit[]>>;

const FIELDS: Edits = {
  "src/plan/syntax/fields.ts": [
    [
      "  feature: {",
      `  customer: {
    taught: { names: "customer", also: "고객", example: "\`customer: Kim\`", effect: "kept" },
    names: "customer 고객",
    value: "text",
    isHandedDown: true,
  },
  billable: {
    taught: { names: "billable", example: "\`billable: yes\`", effect: "kept" },
    names: "billable",
    value: "yesNo",
  },
  feature: {`,
    ],
  ],
  "docs/task-files.md": [
    [
      "boxes below it | criteria |\n",
      "boxes below it | criteria |\n| `customer` | 고객 | `customer: Kim` | kept |\n| `billable` | | `billable: yes` | kept |\n",
    ],
    [
      "(what the containers around it wait for), `uses[]`, `retry`, `review`, `tries`, `machine[]`, `origin` |",
      "(what the containers around it wait for), `uses[]`, `retry`, `review`, `tries`, `machine[]`, `origin`, `customer`, `billable` |",
    ],
  ],
  "test/plan/output.test.ts": [
    ['    "origin",\n  ];', '    "origin",\n    "customer",\n    "billable",\n  ];'],
  ],
};

const AGENT: Edits = {
  "src/ports/agent-names.ts": [['  "qwen",\n', '  "qwen",\n  "newcomer",\n']],
  "src/adapters/agent/known/": [
    [
      "",
      `import type { PresetFacts } from "./facts.ts";

export const NEWCOMER: PresetFacts = {
  name: "newcomer",
  title: "Newcomer",
  from: "newcomer-cli",
  env: ["NEWCOMER_*"],
  keeps: [".newcomer", ".cache"],
  how: { by: "acp", command: ["newcomer", "--acp"] },
};
`,
    ],
  ],
  "src/adapters/agent/presets.ts": [
    ["\n  qwen: QWEN,", "\n  qwen: QWEN,\n  newcomer: NEWCOMER,"],
    ["import { QWEN }", 'import { NEWCOMER } from "./known/newcomer.ts";\nimport { QWEN }'],
  ],
  "src/adapters/agent/jail/home.ts": [
    ['  ".claude.json": [],', '  ".claude.json": [],\n  ".newcomer": [["settings.json", "{}"]],'],
  ],
  "docs/agents.md": [
    [
      "`.qwen` `.mcp.json` |\n",
      "`.qwen` `.mcp.json` |\n| `newcomer` | ACP | `newcomer` | `newcomer-cli` | – | – |\n",
    ],
  ],
};

const SETTING: Edits = {
  "src/config/schema.ts": [
    ["  heartbeat: () =>", '  mood: () => z.enum(["calm", "lively"]).default("calm"),\n  heartbeat: () =>'],
  ],
  "docs/configuration.md": [["| `heartbeat` |", "| `mood` | `calm` | how it feels |\n| `heartbeat` |"]],
};

const RECIPES = [
  ["### Add a task field", FIELDS],
  ["### Add an agent", AGENT],
  ["### Add a configuration setting", SETTING],
] as const;

/** What a program of the copy prints about the three changes. */
const PROBE = `
import { planJson, readPlan } from "./src/plan/index.ts";
import { fieldTable } from "./src/plan/syntax/fields.ts";
import { lookOf } from "./src/cli/views/look.ts";
import { taskView, taskViewFacts } from "./src/cli/views/task-view.ts";
import { configSchema, readConfig } from "./src/config/index.ts";
import { PRESETS } from "./src/adapters/agent/index.ts";
const text = "# P\\n## Phase 1\\n### [ ] P1-T1: Both\\n- customer: **Kim**\\n#### [ ] P1-T1.1: a\\n- billable: yes\\n" +
  "#### [ ] P1-T1.2: b\\n- custommer: Lee\\n- agent: Newcomer\\n#### [ ] P1-T1.3: c\\n- 고객: Park\\n";
const reading = readPlan(new TextEncoder().encode(text), { path: "TASKS.md" });
const json = planJson(reading);
const misspelt = readConfig("mod: calm\\n");
console.log(JSON.stringify({
  keys: Object.keys(json.tasks[0]),
  tasks: json.tasks.map(({ id, customer, billable, agent }) => [id, customer, billable, agent]),
  found: json.diagnostics.map(({ code, hint }) => [code, hint]),
  shown: taskView(
    taskViewFacts({ stored: { tasks: [] }, plan: reading.plan }, "P1-T1.1", {
      attempts: [], file: "TASKS.md", maxAttempts: 10, now: 0, attemptLog: () => undefined,
    }),
    lookOf({}, {}, "en"),
  ),
  table: fieldTable(),
  agents: PRESETS.map(({ name }) => name),
  mood: ["mood: lively\\n", "{}\\n"].map(yaml => readConfig(yaml).value.mood),
  meant: misspelt.ok ? "" : misspelt.failure[0].hint,
  settings: Object.keys(configSchema().shape),
}));
`;

interface Probed {
  readonly keys: string[];
  readonly tasks: unknown[];
  readonly found: string[][];
  readonly shown: string[];
  readonly table: string[][];
  readonly agents: string[];
  readonly mood: string[];
  readonly meant: string;
  readonly settings: string[];
}

/** The files that a recipe of the page names, one at the head of each item. */
function filesOf(heading: string): string[] {
  const page = readPage("docs/architecture.md");
  const from = page.indexOf(`\n${heading}\n`);
  const recipe = page.slice(from + heading.length + 2).split(/^#/m)[0] ?? "";
  return Array.from(recipe.matchAll(/^- `([^`]+)`/gm), ([, file = ""]) => file);
}

/** A text with an edit applied; what is to be replaced must stand there once. */
function edited(text: string, edits: readonly Edit[], file: string): string {
  return edits.reduce((now, [from, to]) => {
    if (now.split(from).length !== 2) throw new Error(`${file} has not exactly one ${from}`);
    return now.replace(from, () => to);
  }, text);
}

let folder = "";

/** Makes edits in the copy; of a folder, the new file in it. */
function write(file: string, edits: readonly Edit[]): void {
  if (file.endsWith("/")) writeFileSync(join(folder, file, "newcomer.ts"), edits[0]?.[1] ?? "");
  else writeFileSync(join(folder, file), edited(readFileSync(file, "utf8"), edits, file));
}

/** What the type checker says of the copy; nothing where it is content. */
function typeErrors(): string {
  const args = ["--noEmit", "--pretty", "false"];
  return spawnSync(resolve("node_modules/.bin/tsc"), args, { cwd: folder, encoding: "utf8" }).stdout;
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "espalier-recipes-"));
  cpSync("src", join(folder, "src"), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  const { compilerOptions } = JSON.parse(readFileSync("tsconfig.json", "utf8")) as {
    compilerOptions: object;
  };
  const files = ["src/plan/index.ts", "src/adapters/agent/presets.ts", "src/cli/views/task-view.ts"];
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  writeFileSync(join(folder, "probe.ts"), PROBE);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the recipes of docs/architecture.md", () => {
  it.each(RECIPES)("%s: names exactly the files that are touched", (heading, edits) => {
    expect(filesOf(heading)).toEqual(Object.keys(edits));
  });

  const [[from, to]] = FIELDS["src/plan/syntax/fields.ts"] as readonly [Edit];
  it.each(
    sampleOf(
      [
        [
          "a field without a word of what it does",
          { "src/plan/syntax/fields.ts": [[from, to.replace(', effect: "kept"', "")]] as const },
          /^src\/plan\/syntax\/fields\.ts.*'effect' is missing/m,
        ],
        [
          "an agent without a preset",
          { "src/ports/agent-names.ts": AGENT["src/ports/agent-names.ts"] },
          /^src\/adapters\/agent\/presets\.ts.*'newcomer' is missing/m,
        ],
        [
          "an agent that keeps a folder in which nothing is guarded",
          { ...AGENT, "src/adapters/agent/jail/home.ts": [] },
          /^src\/adapters\/agent\/known\/newcomer\.ts.*'"\.newcomer"' is not assignable/m,
        ],
      ] as const,
      2,
    ),
  )(
    "notice %s",
    (_, half, error) => {
      const files = Object.entries(half).filter(([file]) => file.startsWith("src/"));
      for (const [file, edits = []] of files) write(file, edits);
      expect(typeErrors()).toMatch(error);
      for (const [file] of files) write(file, []);
    },
    120_000,
  );

  itWhole(
    "[L67] hold: with these files edited, everything else follows",
    () => {
      for (const edits of [FIELDS, AGENT, SETTING])
        for (const [file, own] of Object.entries(edits)) if (file.startsWith("src/")) write(file, own);
      expect(typeErrors()).toBe("");
      const { stdout, stderr } = spawnSync(process.execPath, ["--no-warnings", "probe.ts"], {
        cwd: folder,
        encoding: "utf8",
      });
      expect(stderr).toBe("");
      const probed = JSON.parse(stdout) as Probed;
      expect(probed.tasks).toEqual([
        ["P1-T1", "Kim", null, null],
        ["P1-T1.1", "Kim", true, null],
        ["P1-T1.2", "Kim", null, "newcomer"],
        ["P1-T1.3", "Park", null, null],
      ]);
      expect(probed.found).toEqual([["FIELD_NAME", "did you mean customer?"]]);
      expect(probed.shown).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^ {2}customer +Kim$/),
          expect.stringMatching(/^ {2}billable +true$/),
        ]),
      );
      expect(probed.agents).toContain("newcomer");
      expect([probed.mood, probed.meant]).toEqual([["lively", "calm"], expect.stringContaining("mood")]);

      // The pages and the published keys are the files that remain, and each of them is needed.
      const page = (file: string, edits: Edits) => edited(readPage(file), edits[file] ?? [], file);
      const fields = page("docs/task-files.md", FIELDS);
      const keysIn = (text: string) =>
        spansOf(tableOf(text, "in", "keys")[0]?.[1] ?? "").map(key => key.replace("[]", ""));
      expect(tableOf(fields, "field", "also", "example")).toEqual(probed.table);
      expect(tableOf(readPage("docs/task-files.md"), "field", "also", "example")).not.toEqual(probed.table);
      expect(keysIn(fields)).toEqual(probed.keys);
      expect(keysIn(readPage("docs/task-files.md"))).not.toEqual(probed.keys);
      const published = (text: string) =>
        Array.from((/KEYS = \[([^\]]+)\]/.exec(text)?.[1] ?? "").matchAll(/"(\w+)"/g), ([, key]) => key);
      expect(published(page("test/plan/output.test.ts", FIELDS))).toEqual(probed.keys);
      expect(published(readPage("test/plan/output.test.ts"))).not.toEqual(probed.keys);
      const agentsIn = (text: string) =>
        tableOf(text, "name", "driven by").map(([name = ""]) => spansOf(name)[0]);
      expect(agentsIn(page("docs/agents.md", AGENT))).toEqual(probed.agents);
      expect(agentsIn(readPage("docs/agents.md"))).not.toEqual(probed.agents);
      const settingsIn = (text: string) => [
        ...new Set(tableOf(text, "key", "default").map(([key = ""]) => spansOf(key)[0]?.split(".")[0])),
      ];
      expect(settingsIn(page("docs/configuration.md", SETTING))).toEqual(probed.settings);
      expect(settingsIn(readPage("docs/configuration.md"))).not.toEqual(probed.settings);
    },
    120_000,
  );
});
