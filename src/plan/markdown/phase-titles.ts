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

/** The only phase whose tasks stand below a heading. */
function onlyBelow(section: Section, below: ReturnType<typeof phasesBelow>): string | undefined {
  const phases = below.get(section);
  return phases?.size === 1 ? [...phases][0] : undefined;
}

/**
 * The titles of phases: that of a heading of its name which holds its tasks, else of one that holds none of any phase, else of the
 * only heading that holds its tasks and no others.
 */
function titles(
  sections: readonly Section[],
  below: ReturnType<typeof phasesBelow>,
): (phase: string) => string | undefined {
  const named = Map.groupBy(sections, section => String(section.phase));
  const outermost = Map.groupBy(sections, section => {
    const only = onlyBelow(section, below);
    const isInner = findSection(section.parent, outer => onlyBelow(outer, below) === only) !== undefined;
    return isInner ? undefined : only;
  });
  return phase => {
    const own = outermost.get(phase) ?? [];
    const found =
      named.get(phase)?.find(section => below.get(section)?.has(phase) === true) ??
      named.get(phase)?.find(section => !below.has(section)) ??
      (own.length === 1 ? own[0] : undefined);
    return found?.title;
  };
}

/** The phases that have tasks, in order, with the titles of their headings. */
export function phaseInfos(
  { sections }: MarkdownDocument,
  definitions: readonly Definition[],
  tasks: readonly Task[],
): PhaseInfo[] {
  const below = phasesBelow(definitions);
  const titleOf = titles(
    sections.filter(({ phase }) => phase !== undefined),
    below,
  );
  const seen = new Map<string, Phase>(tasks.map(task => [String(task.phase), task.phase]));
  return [...seen.values()]
    .sort(comparePhases)
    .map(phase => ({ phase, title: titleOf(String(phase)) ?? "" }));
}
