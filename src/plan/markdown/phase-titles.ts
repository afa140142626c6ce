import { comparePhases } from "../syntax/phase.ts";
import type { Phase, PhaseInfo, Task } from "../types.ts";
import type { Definition } from "./definition.ts";
import { findSection, type MarkdownDocument, type Section } from "./document.ts";

/** The phases of the tasks that stand below each heading of a phase or milestone. */
function phasesBelow(definitions: readonly Definition[]): ReadonlyMap<Section, ReadonlySet<string>> {
  const below = new Map<Section, Set<string>>();
  for (const { draft, phase } of definitions)
    for (let section = draft.section; section !== undefined; section = section.parent) {
      if (section.phase === undefined) continue;
      const phases = below.get(section);
      if (phases === undefined) below.set(section, new Set([String(phase)]));
      else phases.add(String(phase));
    }
  return below;
}

/**
 * The title of a phase: that of a heading of its name which holds its tasks, else of one that holds none of any phase, else of the
 * only heading that holds its tasks and no others.
 */
function titleOf(
  phase: string,
  sections: readonly Section[],
  below: ReturnType<typeof phasesBelow>,
): string | undefined {
  const named = sections.filter(section => String(section.phase) === phase);
  const isItsOwn = (section: Section) =>
    below.get(section)?.size === 1 && below.get(section)?.has(phase) === true;
  const outermost = sections.filter(
    section => isItsOwn(section) && findSection(section.parent, isItsOwn) === undefined,
  );
  const found =
    named.find(section => below.get(section)?.has(phase) === true) ??
    named.find(section => !below.has(section)) ??
    (outermost.length === 1 ? outermost[0] : undefined);
  return found?.title;
}

/** The phases that have tasks, in order, with the titles of their headings. */
export function phaseInfos(
  { sections }: MarkdownDocument,
  definitions: readonly Definition[],
  tasks: readonly Task[],
): PhaseInfo[] {
  const below = phasesBelow(definitions);
  const outer = sections.filter(({ phase }) => phase !== undefined);
  const seen = new Map<string, Phase>(tasks.map(task => [String(task.phase), task.phase]));
  return [...seen.values()]
    .sort(comparePhases)
    .map(phase => ({ phase, title: titleOf(String(phase), outer, below) ?? "" }));
}
