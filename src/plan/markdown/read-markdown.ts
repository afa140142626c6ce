import { told } from "../../text/index.ts";
import { readContextSection } from "../context/section.ts";
import { withContext } from "../context/with-context.ts";
import { linkTasks } from "../graph/link-tasks.ts";
import type { GroupValue, Linkable } from "../graph/links.ts";
import { leftOut } from "../graph/put-off.ts";
import { createResolver } from "../graph/resolve.ts";
import { validate } from "../graph/validate.ts";
import type { ReadContext } from "../read-context.ts";
import { NOWHERE, type Report } from "../report.ts";
import type { FieldKey } from "../syntax/fields.ts";
import type { Plan, Task } from "../types.ts";
import { collect } from "./collect.ts";
import type { Definition } from "./definition.ts";
import { diagramEdges } from "./diagram-edges.ts";
import type { MarkdownDocument, Piece } from "./document.ts";
import { createDrafting, type RawTask, rawTask } from "./draft-task.ts";
import { judgeKiro, judgeSpecKit } from "./judge-numbered.ts";
import { judgeTasksMd } from "./judge-tasks-md.ts";
import { reportRows, reportSeveral } from "./left-out.ts";
import { phaseInfos } from "./phase-titles.ts";
import { featureName, projectName } from "./project-name.ts";
import { reportHidden } from "./report-hidden.ts";
import { titleFields } from "./title-fields.ts";
import { reportUnread } from "./unread.ts";

export type MarkdownFormat = "tasks-md" | "spec-kit" | "kiro";

function judge(format: MarkdownFormat, document: MarkdownDocument, report: Report): Definition[] {
  if (format === "spec-kit") return judgeSpecKit(document, report);
  return format === "kiro" ? judgeKiro(document, report) : judgeTasksMd(document, report);
}

/** Names by which dependencies may mean several tasks: group headings, containers without a task of that id, milestones. */
function groupsOf(numbers: ReadonlyMap<Definition, number>): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  const put = (name: string, task: number) => {
    const members = groups.get(name);
    if (members === undefined) groups.set(name, [task]);
    else if (members.at(-1) !== task) members.push(task);
  };
  for (const [definition, task] of numbers) {
    for (let at = definition.parent; at !== undefined; at = at.parent) if (at.group) put(at.id, task);
    for (let section = definition.draft.section; section !== undefined; section = section.parent) {
      if (section.milestone !== undefined) put(section.milestone, task);
    }
  }
  return groups;
}

/** Takes a Markdown task file apart and decides what in it is a task. */
export function defineMarkdown(
  text: string,
  format: MarkdownFormat,
  context: ReadContext,
): { document: MarkdownDocument; definitions: Definition[] } {
  const grammar = { numbers: format === "kiro" };
  const document = collect(text, grammar, context.limits, context.report);
  const definitions = judge(format, document, context.report);
  reportRows(document, definitions, context.report);
  reportSeveral(document, definitions, context.report);
  reportHidden(document.hidden, definitions, context.report);
  reportUnread(document, definitions, grammar.numbers, context.report);
  return { document, definitions };
}

/** Where each definition's own block ends: where the next one begins, if that is inside of it. Definitions are in file order. */
function blockEnds(definitions: readonly Definition[]): Map<Definition, number> {
  return new Map(
    definitions.map((definition, index) => {
      const next = definitions[index + 1]?.draft.start ?? Number.POSITIVE_INFINITY;
      return [definition, Math.min(definition.draft.end, Math.max(next, definition.draft.start))];
    }),
  );
}

/** Reads a Markdown task file of a known format. */
export function readMarkdown(text: string, format: MarkdownFormat, context: ReadContext): Plan {
  const { limits, report } = context;
  const { document, definitions } = defineMarkdown(text, format, context);
  const chosen = definitions.filter(definition => !definition.group);
  if (chosen.length > limits.tasks) {
    report.add(
      "error",
      "TOO_MANY_TASKS",
      NOWHERE,
      told`the file holds ${chosen.length} tasks; at most ${limits.tasks} are read`,
      told`split the plan into several task files`,
    );
    chosen.length = limits.tasks;
  }
  const ends = blockEnds(definitions);
  const drafting = createDrafting(document, report);
  const raw = chosen.map(definition => rawTask(definition, ends.get(definition)!, drafting));
  const numbers = new Map(chosen.map((definition, index) => [definition, index]));
  const resolver = createResolver(chosen, groupsOf(numbers));
  const arrows =
    format === "tasks-md"
      ? diagramEdges(
          document,
          resolver,
          chosen.map(definition => definition.id),
        )
      : [];
  const usesNumbers = chosen.some(definition => /^(?:P[^-]*-)?\d/.test(definition.id));
  const fieldsOf = createGroupFields();
  const links = linkTasks(
    raw.map(task => linkable(task, numbers, fieldsOf)),
    resolver,
    { numbers: usesNumbers, allowMissing: context.allowMissing, limits, arrows },
    report,
  );
  const nodes = [...context.contextNodes, ...readContextSection(text, limits, report)];
  const tree = { nodes, isStrict: nodes.length > 0 };
  const prepared = withContext(
    raw.map((task, index) => toTask(task, index)),
    tree,
    report,
    limits,
  );
  const tasks = validate(prepared.tasks, links, report);

  function toTask(task: RawTask, index: number): Task {
    const { definition, values } = task;
    const { state: _, ...said } = values;
    const children = definition.children.filter(child => !child.group).map(child => child.id);
    const inOrder = (list: Iterable<number>) => [...list].sort((a, b) => a - b).map(other => raw[other]!.id);
    return {
      id: task.id,
      phase: definition.phase,
      title: task.title,
      done: task.state === "done",
      ...said,
      dependsOn: inOrder(links.dependsOn[index]!.keys()),
      parallelWith: inOrder(links.parallelWith[index]!.keys()),
      ...leftOut(task.state),
      ...(definition.draft.head.box?.optional === true ? { optional: true } : {}),
      ...(format === "tasks-md" || children.length > 0
        ? {}
        : { order: definition.draft.head.parallel ? "parallel" : "sequential" }),
      ...(children.length > 0 ? { children } : {}),
      line: definition.draft.line,
      text: task.text,
    };
  }

  const feature = featureName(document);
  return {
    format,
    project: projectName(document, context.path),
    ...(feature === undefined ? {} : { feature }),
    phases: phaseInfos(document, chosen, tasks),
    tasks,
    contextNodes: prepared.contextNodes,
  };
}

/** What the fields of groups say, read once however many tasks stand in a group. */
function createGroupFields(): (group: Definition) => GroupFields {
  const known = new Map<Definition, GroupFields>();
  return group => {
    let fields = known.get(group);
    if (fields === undefined) {
      const { head, line, column } = group.draft;
      const said = [...group.draft.fields, ...titleFields(head.title, line, column)];
      const pieces = (key: FieldKey) =>
        said.filter(field => field.key === key).flatMap(field => [field as Piece, ...field.below]);
      const where = { phase: group.phase, id: group.id };
      fields = { depends: { pieces: pieces("depends"), where }, blocks: { pieces: pieces("blocks"), where } };
      known.set(group, fields);
    }
    return fields;
  };
}

interface GroupFields {
  readonly depends: GroupValue;
  readonly blocks: GroupValue;
}

function linkable(
  task: RawTask,
  numbers: ReadonlyMap<Definition, number>,
  fieldsOf: (group: Definition) => GroupFields,
): Linkable {
  const inherited: GroupFields[] = [];
  let parent: number | undefined;
  for (let at = task.definition.parent; at !== undefined; at = at.parent) {
    parent ??= numbers.get(at);
    if (at.group) inherited.push(fieldsOf(at));
  }
  const { id, definition, depends, mentions, blocks, parallel } = task;
  return {
    id,
    phase: definition.phase,
    title: task.title,
    done: task.state === "done",
    line: definition.draft.line,
    column: definition.draft.column,
    depends,
    inherited: inherited.map(group => group.depends).filter(value => value.pieces.length > 0),
    mentions,
    blocks,
    inheritedBlocks: inherited.map(group => group.blocks).filter(value => value.pieces.length > 0),
    parallel,
    parent,
  };
}
