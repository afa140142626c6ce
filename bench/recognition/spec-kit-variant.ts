import { encode, page, type Variant, variant } from "./page.ts";
import type { Random } from "./random.ts";
import type { TruthTask } from "./truth.ts";

const NOUNS = ["ledger", "parcel", "session", "invoice", "badge", "atlas", "queue", "webhook"];
const VERBS = ["Create", "Implement", "Wire", "Migrate", "Verify", "Document", "Add", "Refactor"];
const PHASES = [
  "Setup",
  "Foundational",
  "User Story 1 - Checkout (Priority: P1) 🎯 MVP",
  "User Story 2 - Refunds",
  "Polish",
];

/** A `tasks.md` as spec-kit and the models that imitate it write it. */
export function specKitVariant(random: Random, n: number): Variant {
  const tags: string[] = ["spec-kit"];
  const out = page();
  const tasks: TruthTask[] = [];
  const idShape = random.pick(["plain", "plain", "bold", "bold-with-p"] as const);
  const bullet = random.chance(0.9) ? "-" : "*";
  const dotted = random.chance(0.3);
  const colon = random.dare(0.3);
  tags.push(`id:${idShape}`, `bullet:${bullet}`);
  if (colon) tags.push("beyond:colon-after-id");
  const headings = random.dare(0.25);
  if (headings) tags.push("beyond:tasks-as-headings");
  const before = random.dare(0.5)
    ? random.pick(["depends:", "after", "blocked by", "requires"])
    : random.pick(["depends on", "depends on", "Depends on"]);
  if (!/^depends on$/i.test(before)) tags.push(`beyond:${before}`);

  if (random.chance(0.15)) {
    out.add("---", 'description: "Task list for the feature"', "---", "");
    tags.push("front-matter");
  }
  out.add(
    `# Tasks: ${random.pick(NOUNS)} service`,
    "",
    "**Input**: Design documents from `/specs/007-sample/`",
  );
  if (random.chance(0.6))
    out.add(
      "",
      "## Format: `[ID] [P?] [Story] Description`",
      "",
      "- **[P]**: Can run in parallel",
      "- **[Story]**: US1, US2",
    );
  if (random.chance(0.3)) {
    tags.push("fence");
    out.add(
      "",
      "```",
      "1. Load plan.md",
      "- [ ] T900 Sample line of the template",
      'Task: "T901 Sample"',
      "```",
    );
  }

  const count = random.int(4, 24);
  let phase = 0;
  for (let k = 1; k <= count; k += 1) {
    if (k === 1 || random.chance(0.25)) {
      phase += 1;
      out.add("", `## Phase ${dotted ? "3." : ""}${phase}: ${PHASES[(phase - 1) % PHASES.length]}`, "");
      if (random.chance(0.3)) out.add("**Purpose**: Shared groundwork", "");
      if (random.chance(0.2)) out.add("**⚠️ CRITICAL**: nothing below begins before this is complete", "");
    }
    const previous = tasks.at(-1);
    const inserted = previous && k > 3 && random.chance(0.05) && !previous.id.endsWith("a");
    const id = inserted ? `${previous.id}a` : `T${String(k).padStart(3, "0")}`;
    if (inserted) tags.push("inserted-id");
    const done = random.chance(0.5);
    const box = done ? (random.chance(0.1) ? "[X]" : "[x]") : "[ ]";
    const parallel = random.chance(0.4);
    const story = phase === 3 || phase === 4 ? ` [US${phase - 2}]` : "";
    const label = {
      plain: `${id}${parallel ? " [P]" : ""}`,
      bold: `**${id}**${parallel ? " [P]" : ""}`,
      "bold-with-p": parallel ? `**${id} [P]**` : `**${id}**`,
    }[idShape];
    const [deps, spelled] = dependencies(random, tasks, before, tags);
    const text = `${story} ${title(random, tasks, tags)}`;
    const line = headings
      ? out.add("", `### ${id}${parallel ? " [P]" : ""}:${text}${done ? " ✅" : ""}`)
      : out.add(`${bullet} ${box} ${label}${colon ? ":" : ""}${text}${spelled}`);
    if (headings) out.add(...fieldLines(deps));
    if (!headings && random.chance(0.15))
      out.add("  - covers the failing case too", "  - returns 409 when T004 style ids clash");
    tasks.push({ id, line, done, dependsOn: deps, specialist: null });
    if (random.chance(0.1)) out.add("", "**Checkpoint**: story works on its own", "");
  }

  if (random.chance(0.5))
    out.add(
      "",
      "## Dependencies & Execution Order",
      "",
      "- **Setup (Phase 1)**: No dependencies - can start immediately",
      "- **Polish**: Depends on all stories being complete",
    );
  if (random.chance(0.3))
    out.add(
      "",
      "### Parallel Opportunities",
      "",
      "- T001, T002 touch different files",
      "```bash",
      "Task T003: one",
      "T001 ──┬── a.ts",
      "```",
    );
  if (random.chance(0.3)) {
    tags.push("checklist");
    out.add(
      "",
      "## Validation Checklist",
      "",
      "- [x] All contracts have tests",
      "- [ ] Each task names its file",
    );
  }
  if (random.chance(0.2)) out.add("", "| Phase | Tasks |", "|---|---|", "| 1 | T001-T003 |");
  return variant("spec-kit", `specs/${n}/tasks.md`, encode(random, out.text(), tags), tasks, tags);
}

function dependencies(
  random: Random,
  earlier: readonly TruthTask[],
  before: string,
  tags: string[],
): [string[], string] {
  if (earlier.length < 2 || !random.chance(0.35)) return [[], ""];
  const plain = earlier.slice(-9).filter(task => !task.id.endsWith("a"));
  const first = plain[0];
  const last = plain.at(-1);
  const spanned = first && last ? earlier.slice(earlier.indexOf(first), earlier.indexOf(last) + 1) : [];
  // A range that spans an inserted id would be open to two readings.
  if (first && last && first !== last && spanned.length === plain.length && random.chance(0.3)) {
    tags.push("range");
    const join = random.dare(0.5) ? random.pick(["–", " to ", "~"]) : "-";
    if (join !== "-") tags.push(`beyond:range${join.trim()}`);
    return [plain.map(task => task.id), ` (${before} ${first.id}${join}${last.id})`];
  }
  const chosen = random.some(earlier, random.int(1, 3)).map(task => task.id);
  tags.push("list");
  return [chosen, ` (${before} ${chosen.join(random.dare(0.2) ? " and " : ", ")})`];
}

/** Fields of a task written as a heading. */
function fieldLines(deps: readonly string[]): string[] {
  return [
    "",
    "- **File**: `src/sample.ts`",
    `- **Dependencies**: ${deps.length > 0 ? deps.join(", ") : "None"}`,
  ];
}

function title(random: Random, earlier: readonly TruthTask[], tags: string[]): string {
  const noun = random.pick(NOUNS);
  const base = `${random.pick(VERBS)} ${noun} in \`src/${noun}.ts\``;
  if (random.chance(0.1)) return `Install dependencies: \`npm install ${noun}\``;
  if (random.chance(0.08)) return `${base} (uses dependency injection)`;
  if (earlier.length > 0 && random.chance(0.06)) {
    tags.push("id-in-title");
    return `${base} with the model of ${random.pick(earlier).id}`;
  }
  return random.chance(0.2) ? `${base} (returns 200, 404)` : base;
}
