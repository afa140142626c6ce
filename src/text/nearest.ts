/** Edit distance of two short strings (insert, delete, replace, swap of neighbours each cost 1). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(replace, row[j]! + 1, next[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, before[j - 2]! + 1);
      next.push(best);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}

/** Longest string compared, and most candidates looked at: a hint is not worth more. */
const MAX_LENGTH = 64;
const MAX_CANDIDATES = 5000;

/** The candidate closest to what was written, when it is close enough to be meant; case does not count. */
export function nearest(written: string, candidates: Iterable<string>): string | undefined {
  if (written.length > MAX_LENGTH) return undefined;
  const wanted = written.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(written.length / 3)) + 1;
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > MAX_CANDIDATES) break;
    if (Math.abs(candidate.length - written.length) >= bestDistance) continue;
    const d = distance(wanted, candidate.toLowerCase());
    if (d < bestDistance) {
      bestDistance = d;
      best = candidate;
    }
  }
  return best;
}

/** Candidates in the order of their distance to what was written, case aside; those beyond the limits follow as they stood. */
export function closestFirst(written: string, candidates: readonly string[]): string[] {
  const wanted = written.slice(0, MAX_LENGTH).toLowerCase();
  const compared = candidates.slice(0, MAX_CANDIDATES).map(candidate => ({
    candidate,
    far: distance(wanted, candidate.slice(0, MAX_LENGTH).toLowerCase()),
  }));
  compared.sort((a, b) => a.far - b.far);
  return [...compared.map(({ candidate }) => candidate), ...candidates.slice(MAX_CANDIDATES)];
}
