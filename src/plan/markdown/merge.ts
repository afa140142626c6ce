import { told } from "../../text/index.ts";
import type { Report } from "../report.ts";
import type { Phase } from "../types.ts";
import { type Definition, phaseOf, plainTitle } from "./definition.ts";
import type { Draft } from "./document.ts";

/** How much of a definition a draft is: 0 is a heading with its box, the last are mere mentions. */
function rank(draft: Draft): number {
  const detailed = draft.fields.length > 0 || draft.criteria > 0;
  const boxed = draft.head.box !== undefined;
  if (draft.origin === "heading") return boxed ? 0 : detailed ? 1 : 3;
  if (draft.origin === "item") return boxed ? (detailed ? 2 : 4) : detailed ? 4 : 5;
  return 6;
}

function isInside(draft: Draft, outer: Draft): boolean {
  for (let at = draft.parent; at !== undefined; at = at.parent) if (at === outer) return true;
  return false;
}

function isSameTitle(a: Draft, b: Draft): boolean {
  const x = plainTitle(a.head.title);
  const y = plainTitle(b.head.title);
  return x === y || x === "" || y === "" || x.includes(y) || y.includes(x);
}

/** Two drafts of one id that cannot both be meant. */
function contradict(primary: Draft, other: Draft): boolean {
  if (isInside(primary, other) || isInside(other, primary)) return false;
  const [a, b] = [rank(primary), rank(other)];
  if (a <= 2 && b <= 2) {
    const both = (d: Draft) => d.fields.length > 0 || d.criteria > 0;
    return !isSameTitle(primary, other) || (both(primary) && both(other));
  }
  const alike = primary.origin === other.origin && primary.origin !== "row";
  return alike && !isSameTitle(primary, other);
}

/** Makes one definition of all drafts of an id; contradicting ones are reported with both lines. */
export function mergeById(
  drafts: readonly Draft[],
  report: Report,
  phaseFor: (draft: Draft) => Phase = phaseOf,
): Definition[] {
  const byId = new Map<string, Draft[]>();
  for (const draft of drafts) {
    const id = draft.head.id;
    if (id === undefined) continue;
    const same = byId.get(id);
    if (same === undefined) byId.set(id, [draft]);
    else same.push(draft);
  }
  const definitions: Definition[] = [];
  for (const [id, same] of byId) {
    let primary = same[0]!;
    for (const draft of same) if (rank(draft) < rank(primary)) primary = draft;
    const others = same.filter(draft => draft !== primary);
    for (const other of others) {
      if (!contradict(primary, other)) continue;
      const [first, second] = primary.start < other.start ? [primary, other] : [other, primary];
      report.add(
        "error",
        "DUPLICATE_ID",
        { line: second.line, column: second.column, length: id.length },
        told`${id} is defined on line ${first.line} ("${first.head.title}") and again on line ${second.line} ("${second.head.title}")`,
        told`give one of them another id`,
      );
    }
    definitions.push({
      id,
      phase: phaseFor(primary),
      draft: primary,
      others,
      parent: undefined,
      children: [],
      group: false,
    });
  }
  return definitions.sort((a, b) => a.draft.start - b.draft.start);
}

/** Whether an id goes on from another: `P1-T1.2` from `P1-T1`. */
export function extendsId(id: string, base: string): boolean {
  return id.length > base.length && id.startsWith(base) && "-._".includes(id[base.length]!);
}

/** A task of its own holds only tasks whose ids go on from its own; what else stands below it came by loose headings. */
function mayHold(parent: Definition, child: Definition): boolean {
  return parent.draft.head.box === undefined || extendsId(child.id, parent.id);
}

/** Joins every definition to the nearest one whose block it stands in. */
export function linkByStructure(definitions: readonly Definition[]): void {
  const owner = new Map<Draft, Definition>();
  for (const definition of definitions) {
    owner.set(definition.draft, definition);
    for (const other of definition.others) if (other.origin === "heading") owner.set(other, definition);
  }
  for (const definition of definitions) {
    for (let at = definition.draft.parent; at !== undefined; at = at.parent) {
      const parent = owner.get(at);
      if (parent === undefined || parent === definition || !mayHold(parent, definition)) continue;
      definition.parent = parent;
      parent.children.push(definition);
      break;
    }
  }
}
