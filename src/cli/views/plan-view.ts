import { agentsNamed, type Diagnostic, type Plan, type Task } from "../../plan/index.ts";
import { byPhase, taskFacts } from "../../run/index.ts";
import { visible } from "../../text/index.ts";
import { cell, type Look, line } from "./look.ts";
import { MARKS, NOTICE } from "./terminal/marks.ts";
import type { Piece } from "./terminal/paint.ts";
import { columnWidth, textWidth } from "./terminal/width.ts";

/** What `espalier plan` shows. Everything is computed by the plan room and handed in. */
export interface PlanFacts {
  readonly plan: Plan;
  /** The task file, as people open it. */
  readonly file: string;
  /** Ids of the longest chain of dependencies, first to last. */
  readonly criticalPath: readonly string[];
  /** Ids of the most tasks that can run at once. */
  readonly widestFront: readonly string[];
  /** Ids of the most that can where only so many may use the same resource. */
  readonly allowedFront?: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** The context tree, drawn; empty where there is none. */
  readonly tree?: readonly string[];
  /** The diagnostics as a compiler prints them, safe to show; may be fewer than there are. */
  readonly rendered: readonly string[];
}

/** Columns of a title beyond which it is cut even on a wide terminal. */
const TITLE = 60;
const LENGTH = 300;
/** Ids named in a list of a task's line. */
const NAMED = 6;
/** Ids named in the lines about the whole graph. */
const NAMED_IN_GRAPH = 24;

function idList(ids: readonly string[], most: number, separator = ", "): string {
  const shown = ids.slice(0, most).map(id => visible(id, LENGTH));
  return shown.join(separator) + (ids.length > most ? `${separator}+${ids.length - most}` : "");
}

function notes(task: Task, look: Look): Piece[] {
  const { labels } = look.words;
  const pieces: Piece[] = [];
  const note = (text: string, style: Piece["style"]) => {
    pieces.push({ text: "  " }, { text, style: style ?? "plain" });
  };
  if (task.risk === "critical") note("! critical", "red");
  if (task.dependsOn.length > 0) note(`← ${idList(task.dependsOn, NAMED)}`, "plain");
  if (task.preparedBy !== undefined) note(`⇐ ${idList(task.preparedBy, NAMED)}`, "cyan");
  if (task.parallelWith.length > 0) note(`${MARKS.paused.sign} ${idList(task.parallelWith, NAMED)}`, "cyan");
  if (task.children !== undefined) note(`⊃ ${idList(task.children, NAMED)}`, "dim");
  if (task.fills !== undefined) note(`${labels.fills} ${visible(task.fills, LENGTH)}`, "cyan");
  if (task.contextRef !== undefined) note(`${labels.context} ${visible(task.contextRef, LENGTH)}`, "dim");
  const role = task.role ?? task.specialist;
  if (role !== undefined) note(`@${visible(role, LENGTH)}`, "dim");
  if (task.uses !== undefined) note(`${labels.uses} ${idList(task.uses, NAMED)}`, "dim");
  if (task.agent !== undefined) note(`${labels.agent} ${idList(agentsNamed(task), NAMED)}`, "dim");
  if (task.tries !== undefined && task.tries > 1) note(`${labels.tries} ${task.tries}`, "cyan");
  const [file] = task.files;
  if (file !== undefined) {
    const others = task.files.length > 1 ? ` +${task.files.length - 1}` : "";
    note(`${visible(file, LENGTH)}${others}`, "dim");
  }
  return pieces;
}

function taskLine(task: Task, idWidth: number, titleWidth: number, look: Look): string {
  const isLeftOut = task.skip === true && !task.done;
  const isOpen = !task.done && !isLeftOut;
  const style = isOpen ? "plain" : "dim";
  const box = isOpen ? " " : isLeftOut ? MARKS.skipped.sign : "x";
  return line(
    look,
    { text: `  [${box}] `, style: task.done ? "green" : style },
    { text: cell(look, visible(task.id, LENGTH), idWidth), style: isOpen ? "bold" : "dim" },
    { text: `  ${cell(look, visible(task.title, LENGTH), titleWidth)}`, style },
    ...notes(task, look),
  );
}

function phaseBlocks(plan: Plan, look: Look): string[] {
  const idWidth = columnWidth(plan.tasks, task => visible(task.id, LENGTH), 20);
  const share = Math.floor((look.width - idWidth - 8) * 0.6);
  const titleWidth = columnWidth(
    plan.tasks,
    task => visible(task.title, LENGTH),
    Math.max(10, Math.min(TITLE, share)),
  );
  return byPhase(plan.phases, taskFacts(plan, [])).flatMap(phase => {
    const done = phase.tasks.filter(facts => facts.task.done).length;
    return [
      "",
      line(
        look,
        { text: look.words.phase(visible(phase.label, LENGTH)), style: "bold" },
        { text: `  ${visible(phase.title, LENGTH)}` },
        { text: `  ${done}/${phase.tasks.length}`, style: "dim" },
      ),
      ...phase.tasks.map(facts => taskLine(facts.task, idWidth, titleWidth, look)),
    ];
  });
}

function head(facts: PlanFacts, look: Look): string[] {
  const { plan } = facts;
  const { words } = look;
  const edges = plan.tasks.reduce(
    (sum, task) => sum + new Set([...task.dependsOn, ...(task.preparedBy ?? [])]).size,
    0,
  );
  const done = plan.tasks.filter(task => task.done).length;
  const phases = new Set(plan.tasks.map(task => task.phase)).size;
  const numbers = [words.tasks(plan.tasks.length), words.phases(phases), words.edges(edges)];
  if (done > 0) numbers.push(words.doneOf(done, plan.tasks.length));
  return [
    line(
      look,
      { text: visible(plan.project, LENGTH), style: "title" },
      { text: `  ${visible(facts.file, LENGTH)}  (${plan.format})`, style: "dim" },
    ),
    line(look, { text: numbers.join("   ") }),
  ];
}

function graph(facts: PlanFacts, look: Look): string[] {
  const { words } = look;
  const { criticalPath, widestFront, allowedFront = widestFront } = facts;
  if (facts.plan.tasks.length === 0) return [];
  const isLess = allowedFront.length < widestFront.length;
  const titles = [
    words.headings.critical,
    words.headings.widest,
    ...(isLess ? [words.headings.allowed] : []),
  ];
  const width = Math.max(...titles.map(textWidth));
  const row = (title: string, count: string, ids: string) =>
    line(
      look,
      { text: cell(look, title, width), style: "bold" },
      { text: `  ${count}  ` },
      { text: ids, style: "dim" },
    );
  return [
    "",
    row(
      words.headings.critical,
      words.tasks(criticalPath.length),
      idList(criticalPath, NAMED_IN_GRAPH, " → "),
    ),
    row(words.headings.widest, words.atOnce(widestFront.length), idList(widestFront, NAMED_IN_GRAPH)),
    ...(isLess
      ? [row(words.headings.allowed, words.atOnce(allowedFront.length), idList(allowedFront, NAMED_IN_GRAPH))]
      : []),
  ];
}

/** Which documents hang where, and who prepares and reads them. */
function tree(facts: PlanFacts): string[] {
  const lines = facts.tree ?? [];
  return lines.length === 0 ? [] : ["", ...lines];
}

function findings(facts: PlanFacts, look: Look): string[] {
  const { words } = look;
  const count = (severity: Diagnostic["severity"]) =>
    facts.diagnostics.filter(d => d.severity === severity).length;
  const errors = count("error");
  const warnings = count("warning");
  const infos = count("info");
  if (errors + warnings + infos === 0)
    return ["", line(look, { text: `${MARKS.completed.sign} `, style: "green" }, { text: words.noFindings })];
  const summary: Piece[] = [];
  if (errors > 0) summary.push({ text: `${MARKS.failed.sign} ${words.errors(errors)}   `, style: "red" });
  if (warnings > 0) summary.push({ text: `${NOTICE.sign} ${words.warnings(warnings)}   `, style: "yellow" });
  if (infos > 0) summary.push({ text: words.notes(infos), style: "dim" });
  const left = facts.diagnostics.length - facts.rendered.length;
  return [
    "",
    ...facts.rendered.flatMap(text => [...text.split("\n"), ""]),
    ...(left > 0 ? [line(look, { text: words.more(left), style: "dim" }), ""] : []),
    line(look, ...summary),
  ];
}

/** `espalier plan` as lines: phases with their tasks, one line each, then the graph, then the diagnostics. */
export function planView(facts: PlanFacts, look: Look): string[] {
  return [
    ...head(facts, look),
    ...phaseBlocks(facts.plan, look),
    ...graph(facts, look),
    ...tree(facts),
    ...findings(facts, look),
  ];
}
