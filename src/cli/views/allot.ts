/** A wish for lines of a section. Wishes are granted in order, as far as lines are left. */
export interface Wish<Section extends string> {
  readonly section: Section;
  /** Lines the section should have in all after this wish. */
  readonly lines: number;
}

/**
 * Shares `lines` out among sections. A section that gets any also pays `overhead` lines for what stands above it;
 * a wish that cannot be granted even in part is passed over.
 */
export function allot<Section extends string>(
  lines: number,
  overhead: number,
  wishes: readonly Wish<Section>[],
): Map<Section, number> {
  const granted = new Map<Section, number>();
  let left = lines;
  for (const { section, lines: wanted } of wishes) {
    const have = granted.get(section) ?? 0;
    const cost = have === 0 ? overhead : 0;
    const more = Math.min(wanted - have, left - cost);
    if (more <= 0) continue;
    granted.set(section, have + more);
    left -= more + cost;
  }
  return granted;
}
