import { nearest, told } from "../../text/index.ts";
import type { Limits } from "../limits.ts";
import type { Piece } from "../markdown/document.ts";
import { NOWHERE, type Report } from "../report.ts";
import { comparePhases } from "../syntax/phase.ts";
import type { Ref } from "../syntax/ref.ts";
import { type Refs, readParallel, readRefs } from "../syntax/refs.ts";
import type { Linkable, Links, Origin } from "./links.ts";
import { reportMissing } from "./missing.ts";
import { settlePartners } from "./partners.ts";
import type { Resolver, Where } from "./resolve.ts";
import { createByTitle } from "./titles.ts";

/** A value that was read: what it names, whether it draws a chain with arrows, and the tasks whose titles it is. */
interface Said {
  readonly refs: Refs;
  readonly arrows: boolean;
  readonly first: Piece | undefined;
  readonly titled: readonly number[] | undefined;
}

export interface LinkOptions {
  readonly numbers: boolean;
  readonly allowMissing: boolean;
  readonly limits: Limits;
  /** Arrows of diagrams: every `to` after every `from`. */
  readonly arrows: readonly {
    readonly from: readonly number[];
    readonly to: readonly number[];
    readonly line: number;
  }[];
}

/** Nearest ids are searched for this many missing ones; the search is not free. */
const MAX_HINTS = 20;
const STEPS_PER_EDGE = 10;

/** Looks up all dependencies and partners and reports what cannot be. */
export function linkTasks(
  tasks: readonly Linkable[],
  resolver: Resolver,
  options: LinkOptions,
  report: Report,
): Links {
  const isId = (id: string) => resolver.find(id, {}) !== undefined;
  const byTitle = createByTitle(tasks.map(({ title }) => title));
  const dependsOn = tasks.map(() => new Map<number, Origin>());
  const parallelWith = tasks.map(() => new Map<number, boolean>());
  let edges = 0;
  // What names the same tasks over and over adds no edges, but takes time all the same.
  let steps = 0;
  const isFull = () => edges >= options.limits.edges || steps >= options.limits.edges * STEPS_PER_EDGE;
  const isWithin = (inner: number, outer: number): boolean => {
    for (let at = tasks[inner]!.parent; at !== undefined; at = tasks[at]!.parent)
      if (at === outer) return true;
    return false;
  };
  const add = (from: number, to: number, origin: Origin): void => {
    const mine = dependsOn[from]!;
    steps++;
    if (mine.has(to) || isFull() || isWithin(from, to) || isWithin(to, from)) return;
    edges++;
    mine.set(to, origin);
  };

  function missing(task: Linkable, ref: Ref, name: string, archived: boolean): void {
    if (archived || ref.kind === "phase") {
      report.add(
        "info",
        "ARCHIVED_DEP",
        ref.at,
        told`${task.id} waits for ${name}, which is not in this file; it counts as done`,
        told`nothing to do if it was finished earlier`,
      );
      return;
    }
    const close =
      ref.kind === "id" && name.length > 2 && report.count("MISSING_DEP") < MAX_HINTS
        ? nearest(
            name,
            tasks.filter(other => other !== task).map(other => other.id),
          )
        : undefined;
    reportMissing(report, options.allowMissing, { id: task.id, name, place: ref.at, close });
  }

  /** An id like none of the file is a word to us, but perhaps not to its author. */
  function foreign(task: Linkable, ref: Ref, name: string): void {
    report.add(
      "info",
      "DEP_PROSE",
      ref.at,
      told`"${name}" in the dependencies of ${task.id} is like no id of this file; it is not read as one`,
      told`name the task by the id it has here`,
    );
  }

  /** Words that sound like an edge and are none. */
  function mention(index: number, piece: Piece, where: Where): void {
    const task = tasks[index]!;
    for (const ref of readRefs([piece], options.numbers).refs) {
      const named = resolver.resolve(ref, where)?.tasks ?? [];
      if (isFull()) return;
      steps += named.length;
      if (named.length === 0 || named.some(other => other === index || dependsOn[index]!.has(other)))
        continue;
      report.add(
        "info",
        "DEP_PROSE",
        ref.at,
        told`"${piece.text.slice(0, 80)}" only mentions ${nameOf(ref)}; ${task.id} does not wait for it`,
        told`write "depends: ${nameOf(ref)}" below it if it has to wait`,
      );
      return;
    }
  }

  /** Adds the edges of one value. Returns whether it named a task or said "none". */
  function apply(index: number, { refs, arrows, first, titled }: Said, where: Where): boolean {
    const task = tasks[index]!;
    let named = refs.none;
    const reported = new Set<string>();
    if (refs.either !== undefined) {
      report.add(
        "warning",
        "DEP_EITHER",
        refs.either,
        told`"or" says nothing between dependencies: ${task.id} waits for all that is named`,
        told`name only what it has to wait for`,
      );
    }
    for (const ref of refs.refs) {
      if (isFull()) return true;
      const meaning = resolver.resolve(ref, where);
      if (meaning === undefined) {
        const isTask =
          ref.kind !== "id" ||
          ref.shape === "task" ||
          ref.shape === "milestone" ||
          ref.shape === "number" ||
          resolver.isFamily(ref.id);
        const name = nameOf(ref);
        if (isTask && !reported.has(name)) missing(task, ref, name, ref.kind === "id" && ref.archived);
        if (!isTask && !reported.has(name)) foreign(task, ref, name);
        reported.add(name);
        edges++;
        named ||= isTask;
        continue;
      }
      named = true;
      for (const other of meaning.tasks) {
        if (other !== index || (meaning.single && !(arrows && refs.refs.length > 1)))
          add(index, other, "field");
      }
    }
    if (!named && refs.unread) {
      if (titled !== undefined) {
        for (const other of titled) {
          if (isFull()) break;
          if (other !== index) add(index, other, "field");
        }
        return true;
      }
      const place =
        first === undefined
          ? NOWHERE
          : { line: first.line, column: first.column, length: Math.max(1, first.text.length) };
      report.add(
        "info",
        "DEP_PROSE",
        place,
        told`the dependencies of ${task.id} name no task: "${(first?.text ?? "").slice(0, 80)}"`,
        told`name task ids if it has to wait for some`,
      );
    }
    return named;
  }

  function block(index: number, said: Said, where: Where): void {
    if (said.refs.refs.length === 0)
      for (const other of said.titled ?? []) {
        if (isFull()) return;
        if (other !== index) add(other, index, "field");
      }
    for (const ref of said.refs.refs) {
      if (isFull()) return;
      for (const other of resolver.resolve(ref, where)?.tasks ?? [])
        if (other !== index) add(other, index, "field");
    }
  }

  const read = (pieces: readonly Piece[]): Said => {
    const refs = readRefs(pieces, options.numbers, isId);
    return {
      refs,
      arrows: pieces.some(piece => piece.text.includes("→") || piece.text.includes("->")),
      first: pieces[0],
      titled: refs.unread ? byTitle(pieces) : undefined,
    };
  };
  const known = new Map<readonly Piece[], Said>();
  const readOnce = (pieces: readonly Piece[]): Said => {
    const said = known.get(pieces) ?? read(pieces);
    known.set(pieces, said);
    return said;
  };

  const explicit = new Set<number>();
  const afters: { index: number; refs: readonly Ref[] }[] = [];
  for (const [index, task] of tasks.entries()) {
    if (isFull()) break;
    const where = { phase: task.phase, id: task.id };
    if (task.depends !== undefined && apply(index, read(task.depends), where)) explicit.add(index);
    for (const group of task.inherited)
      if (apply(index, readOnce(group.pieces), group.where)) explicit.add(index);
    if (task.blocks.length > 0) block(index, read(task.blocks), where);
    for (const group of task.inheritedBlocks) block(index, readOnce(group.pieces), group.where);
    if (task.parallel.length > 0) {
      const parallel = readParallel(task.parallel, options.numbers, isId);
      partners(index, parallel, where);
      if (parallel.after.length > 0) afters.push({ index, refs: parallel.after });
    }
  }
  for (const { index, refs } of afters) {
    if (explicit.has(index) || isFull()) continue;
    const where = { phase: tasks[index]!.phase, id: tasks[index]!.id };
    for (const ref of refs)
      for (const other of resolver.resolve(ref, where)?.tasks ?? [])
        if (other !== index) add(index, other, "diagram");
  }
  for (const arrow of options.arrows) {
    if (isFull()) break;
    const sources = new Set(arrow.from);
    steps += arrow.from.length + arrow.to.length;
    for (const to of arrow.to) {
      // `T1 --> T1.1` draws a tree: that a task is one of its group says nothing of their order.
      if (explicit.has(to) || sources.has(to)) continue;
      for (const from of arrow.from)
        if (comparePhases(tasks[from]!.phase, tasks[to]!.phase) <= 0) add(to, from, "diagram");
    }
  }

  for (const [index, { mentions, phase, id }] of tasks.entries())
    for (const piece of mentions) mention(index, piece, { phase, id });

  function partners(index: number, parallel: Refs, where: Where): void {
    const task = tasks[index]!;
    for (const ref of parallel.refs) {
      const meaning = resolver.resolve(ref, where);
      const isTask =
        ref.kind === "range" || (ref.kind === "id" && (ref.shape === "task" || resolver.isFamily(ref.id)));
      if (meaning === undefined && isTask) {
        report.add(
          "warning",
          "MISSING_PARALLEL",
          ref.at,
          told`${task.id} names ${nameOf(ref)} as parallel, which is no task`,
          told`correct the id, or leave it out`,
        );
      }
      for (const other of meaning?.tasks ?? []) {
        steps++;
        if (other === index || isFull() || isWithin(other, index) || isWithin(index, other)) continue;
        edges++;
        parallelWith[index]!.set(other, (parallelWith[index]!.get(other) ?? false) || meaning!.single);
      }
    }
  }

  if (isFull()) {
    report.add(
      "error",
      "TOO_MANY_EDGES",
      NOWHERE,
      told`dependencies and partners add up to more than ${options.limits.edges}`,
      told`name phases or groups less often, or split the plan`,
    );
  }
  settlePartners(tasks, { dependsOn, parallelWith }, report);
  return { dependsOn, parallelWith };
}

/** A ref as it was written. */
function nameOf(ref: Ref): string {
  switch (ref.kind) {
    case "id":
      return ref.base === undefined ? ref.id : `${ref.base}-${ref.id}`;
    case "range":
      return `${ref.from}~${ref.to}`;
    case "prefix":
      return `${ref.prefix}*`;
    case "phase":
      return `Phase ${ref.phase}`;
  }
}
