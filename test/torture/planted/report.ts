import { roomOf } from "./bug.ts";
import type { Fate } from "./run.ts";

type Say = (line: string) => void;

/** Two lines about a bug when it has been tried. */
export function tellFate({ mutant, named, caught, untried, seconds }: Fate, say: Say): void {
  const fate = caught !== undefined ? "caught" : untried === undefined ? "SURVIVED" : "NOT TRIED";
  say(`  ${fate} ${seconds.toFixed(0)} s  ${mutant.file}: ${mutant.name}`);
  const noticed = untried === undefined ? (caught ?? "nobody noticed") : `without any bug: ${untried}`;
  say(`    ${named === undefined ? "drawn" : "named"}; ${noticed}`);
}

function proofOf({ named }: Fate): readonly string[] {
  if (named === undefined) return [];
  const proof = "proof" in named.by ? [`torture ${named.by.proof}`] : [];
  return named.suite === undefined ? proof : [...proof, `conformance suite ${named.suite}`];
}

/** What all of it came to: by room, by proof, and who survived. Returns how many did. */
export function tellAll(fates: readonly Fate[], say: Say): number {
  say("\nroom: caught of planted");
  const rooms = Map.groupBy(fates, ({ mutant }) => roomOf(mutant.file));
  for (const [room, own] of [...rooms].sort(([a], [b]) => (a < b ? -1 : 1)))
    say(`  ${room}: ${own.filter(({ caught }) => caught !== undefined).length} of ${own.length}`);
  const proofs = Map.groupBy(
    fates.flatMap(fate => proofOf(fate).map(proof => ({ proof, fate }))),
    ({ proof }) => proof,
  );
  if (proofs.size > 0) say("\nproof: what it has been seen to catch");
  for (const [proof, own] of proofs) {
    const caught = own.filter(({ fate }) => fate.caught !== undefined).map(({ fate }) => fate.mutant.name);
    say(`  ${proof}: ${caught.length === 0 ? "nothing" : caught.join("; ")}`);
  }
  const survivors = fates.filter(({ caught }) => caught === undefined);
  say(`\n${fates.length - survivors.length} of ${fates.length} planted bugs caught`);
  for (const { mutant } of survivors)
    say(`  SURVIVED ${mutant.file}: ${mutant.name} → ${mutant.replacement}`);
  return survivors.length;
}
