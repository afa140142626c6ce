import { oneLine, writeRow } from "./table.ts";
import type { Identity, Work, WorkPhase, WorkTask } from "./work.ts";

/** Tasks listed one by one; of larger plans, those of ended phases and those to come share rows. */
const MOST_ROWS = 200;
const LONGEST_LINE = 400;

/** Writes a checkpoint of what is known of a run's work, in the sections and the order of the specification. */
export function composeCheckpoint(work: Work, identity?: Identity): string {
  const none = work.none ?? { decisions: "None yet.", next: "Nothing is left to do." };
  const lines = [
    ...(identity === undefined ? [] : [...frontMatter(identity), ""]),
    ...section("## Problem", work.problem === undefined ? [] : [line(work.problem)]),
    ...section("## Session Intent", work.intent === undefined ? [] : [line(work.intent)]),
    "## Essential Information",
    "",
    ...section(
      "### Decisions",
      items(
        work.decisions.map(({ text, by }) => `${text} (${by})`),
        work.problem === undefined ? undefined : none.decisions,
      ),
    ),
    ...section("### Technical Context", items(work.facts.map(([name, value]) => `${name}: ${value}`))),
    ...section("### Breadcrumbs", crumbTable(work)),
    ...section("### Play-By-Play", items(work.steps.map(playLine))),
    ...section("### Artifact Trail", fileTable(work)),
    ...section("### Current State", currentState(work)),
    ...section("### Next Actions", numbered(work.next, none.next)),
    ...section("## User Rules", items(work.rules)),
  ];
  while (lines.at(-1) === "") lines.pop();
  return `${lines.join("\n")}\n`;
}

function frontMatter({
  checkpoint,
  created,
  anchor,
  parent,
  status,
  supersedes,
  lastDelta,
}: Identity): string[] {
  return [
    "---",
    `checkpoint: ${checkpoint}`,
    `created: ${created}`,
    ...(anchor === undefined ? [] : [`anchor: ${anchor}`]),
    ...(parent === undefined ? [] : [`parent: ${parent}`]),
    `status: ${status}`,
    ...(supersedes === undefined ? [] : [`supersedes: ${supersedes}`]),
    ...(lastDelta === undefined ? [] : [`last_delta: ${lastDelta}`]),
    "---",
  ];
}

/** A heading with its text; nothing where there is none. */
function section(heading: string, body: readonly string[]): string[] {
  return body.length === 0 ? [] : [heading, "", ...body, ""];
}

/** Foreign text as one line that opens no heading, fence, table or rule. */
export function line(text: string): string {
  const flat = oneLine(text, LONGEST_LINE);
  const opens = "#>|=+-~".includes(flat[0] ?? " ") || flat.startsWith("* ") || flat.startsWith("```");
  return opens ? `\\${flat}` : flat;
}

function items(texts: readonly string[], none?: string): string[] {
  if (texts.length === 0) return none === undefined ? [] : [none];
  return texts.map(text => `- ${line(text)}`);
}

function numbered(texts: readonly string[], none: string): string[] {
  if (texts.length === 0) return [none];
  return texts.map((text, at) => `${at + 1}. ${line(text)}`);
}

/** `Phase → Action → Outcome`. */
function playLine({ phase, action, outcome }: Work["steps"][number]): string {
  return `Phase ${phase} → ${oneLine(action, 160)} → ${oneLine(outcome, 160)}`;
}

function crumbTable({ crumbs }: Work): string[] {
  if (crumbs.length === 0) return [];
  const rows = crumbs.map(({ type, reference, hint }) => writeRow([type, reference, hint]));
  return ["| Type | Reference | Hint |", "|---|---|---|", ...rows];
}

function fileTable({ files }: Work): string[] {
  if (files.length === 0) return [];
  const rows = files.map(({ path, status, change }) =>
    writeRow([`\`${oneLine(path, 120)}\``, status, change]),
  );
  return ["| File | Status | Key Change |", "|---|---|---|", ...rows];
}

function currentState({ state, phases, tasks }: Work): string[] {
  const lines = [line(state)];
  if (phases.length > 0) {
    const rows = phases.map(({ label, title, standing, completed, counted }) =>
      writeRow([title === "" ? label : `${label}: ${title}`, standing, `${completed} of ${counted}`]),
    );
    lines.push("", "| Phase | Status | Completed |", "|---|---|---|", ...rows);
  }
  if (tasks.length > 0)
    lines.push("", "| Task | Status | Note |", "|---|---|---|", ...taskRows(tasks, phases));
  return lines;
}

function taskRows(tasks: readonly WorkTask[], phases: readonly WorkPhase[]): string[] {
  if (tasks.length <= MOST_ROWS) return tasks.map(taskRow);
  const open = new Set(phases.filter(({ standing }) => standing === "open").map(({ label }) => label));
  const rows: string[] = [];
  const shared = Map.groupBy(tasks, ({ phase, status }) =>
    open.has(phase) ? undefined : `${phase}\0${status}`,
  );
  for (const [key, group] of shared) {
    if (key === undefined) rows.push(...group.map(taskRow));
    else {
      const ids = group.map(({ id }) => id).join(", ");
      rows.push(
        `| ${ids.replaceAll("|", "\\|")} | ${group[0]!.status} | phase ${writeCell(group[0]!.phase)} |`,
      );
    }
  }
  return rows;
}

function writeCell(text: string): string {
  return writeRow([text]).slice(2, -2);
}

function taskRow({ id, title, status, note }: WorkTask): string {
  return writeRow([`${id} ${title}`.trim(), status, note]);
}
