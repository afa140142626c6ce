import { phasePrefix } from "../syntax/ids.ts";
import { toPhase } from "../syntax/phase.ts";
import type { Phase } from "../types.ts";
import { type Draft, findSection, type Section } from "./document.ts";

/** A task or group found in a Markdown file. */
export interface Definition {
  readonly id: string;
  readonly phase: Phase;
  readonly draft: Draft;
  /** Other places that speak of the same id: summary lines, table rows, headings around it. */
  readonly others: Draft[];
  /** The container or group it stands in. */
  parent: Definition | undefined;
  readonly children: Definition[];
  /** A heading without a box that only holds tasks: named by dependencies, never a task itself. */
  group: boolean;
}

/** The phase that headings above say. */
export function phaseOfHeadings(section: Section | undefined): Phase | undefined {
  const inner = findSection(section, s => s.phase !== undefined && !s.weak);
  if (inner?.phase === undefined) return undefined;
  const outer = findSection(inner.parent, s => s.phase !== undefined && !s.weak);
  // `### Phase 1.2` inside `## Phase 1` is a part of it.
  return outer?.phase !== undefined && String(inner.phase).startsWith(`${outer.phase}.`)
    ? outer.phase
    : inner.phase;
}

/** The phase a draft belongs to: its own words, its id, the headings above, in this order. */
export function phaseOf(draft: Draft): Phase {
  const { head, section } = draft;
  if (head.phase !== undefined && !head.weak) return head.phase;
  const prefix = head.id === undefined ? undefined : phasePrefix(head.id);
  if (prefix !== undefined && /^\d/.test(prefix)) return toPhase(prefix);
  if (prefix !== undefined && /^[A-Z]$/.test(prefix)) return `P${prefix}`;
  const said = phaseOfHeadings(section);
  if (said !== undefined) return said;
  const major = /^[Tt](\d+)\.\d/.exec(head.id ?? "")?.[1];
  if (major !== undefined) return toPhase(major);
  return head.phase ?? findSection(section, s => s.phase !== undefined)?.phase ?? 1;
}

/** Title text for comparing: letters and digits only. */
export function plainTitle(title: string): string {
  return title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
