import { emptyReplica, type Replica } from "../../src/sync/index.ts";
import { Random } from "./random.ts";

/** Numbers from 0 to 1, the same for the same seed. */
export function fractions(seed: number): () => number {
  const source = new Random(seed);
  return () => source.below(2 ** 30) / 2 ** 30;
}

/** The documents and the team of the proof. */
export const LABELS: readonly string[] = ["GC", "API"];
export const DESK_TEAM: readonly { readonly id: string; readonly fetches: boolean }[] = [
  { id: "ann", fetches: false },
  { id: "ben", fetches: false },
  { id: "cho", fetches: true },
];

/** What a child begins with: the world outside the lead, which no kill of the lead touches. */
export interface TeamStart {
  readonly now: number;
  readonly maxGap: number | "any";
  /** By `label teammate`. */
  readonly replicas: readonly (readonly [string, Replica])[];
  readonly answers: readonly { readonly teammate: string; readonly answer: string }[];
}

/** Copies that hold nothing yet. */
export function emptyReplicas(): (readonly [string, Replica])[] {
  return LABELS.flatMap(label => DESK_TEAM.map(({ id }) => [`${label} ${id}`, emptyReplica(label)] as const));
}

/** A text a few lines away from another. */
export function nextText(text: string, next: () => number): string {
  const lines = (text === "" ? "# Page\n\n## One\n\n## Two\n" : text).split("\n");
  for (let edits = 1 + Math.floor(next() * 3); edits > 0; edits--) {
    const at = 2 + Math.floor(next() * (lines.length - 2));
    const line = `- item ${Math.floor(next() * 1000)}: ${"word ".repeat(1 + Math.floor(next() * 6)).trim()}`;
    const choice = next();
    if (choice < 0.5 || lines.length < 8) lines.splice(at, 0, line);
    else if (choice < 0.75) lines[at] = line;
    else lines.splice(at, 1);
  }
  return lines.slice(0, 60).join("\n");
}
