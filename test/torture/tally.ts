import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { addCounts, type Findings } from "./proof.ts";

/** A part that was begun: its seeds are used up, whatever becomes of it. */
interface Begun {
  readonly id: string;
  readonly proof: string;
  /** What was tried: a commit, with `+` when the checkout held other changes. */
  readonly commit: string;
  readonly seed: number;
  readonly count: number;
}

/** What a part came to. */
interface Ended extends Findings {
  readonly id: string;
  readonly seconds: number;
}

/** What all parts of one proof came to. */
export interface Sum extends Findings {
  readonly proof: string;
  readonly commits: readonly string[];
  readonly parts: number;
  /** Parts that were begun and never ended. */
  readonly unended: number;
  readonly seconds: number;
}

/** A file of what proofs came to, one line of JSON each: lines are only ever added, so that parts may run side by side and be killed. */
export class TallyFile {
  readonly #path: string;
  readonly #commit: string;

  constructor(path: string, commit: string) {
    this.#path = path;
    this.#commit = commit;
  }

  /** Claims `count` seeds that no part of this proof ever had, from `first` on. */
  begin(proof: string, count: number, first: number): Begun {
    const ends = this.#read().begun.flatMap(part => (part.proof === proof ? [part.seed + part.count] : []));
    const part = { id: randomUUID(), proof, commit: this.#commit, seed: Math.max(first, ...ends), count };
    this.#add(part);
    // Whoever claimed the same seeds in the meantime stands before this line or behind it; the first has them.
    const rivals = this.#read().begun.filter(
      other =>
        other.proof === proof && other.seed < part.seed + count && part.seed < other.seed + other.count,
    );
    return rivals[0]?.id === part.id ? part : this.begin(proof, count, first);
  }

  /** Writes down what a part came to. */
  end({ id }: Begun, { counts, broken }: Findings, seconds: number): void {
    this.#add({ id, counts, broken, seconds });
  }

  /** What each proof came to so far, in all parts. */
  sums(): Sum[] {
    const { begun, ended } = this.#read();
    return [...new Set(begun.map(({ proof }) => proof))].map(proof => {
      const own = begun.filter(part => part.proof === proof);
      const done = own.flatMap(({ id }) => ended.get(id) ?? []);
      return {
        proof,
        commits: [...new Set(own.map(({ commit }) => commit))],
        parts: done.length,
        unended: own.length - done.length,
        seconds: done.reduce((sum, { seconds }) => sum + seconds, 0),
        counts: addCounts(done.map(({ counts }) => counts)),
        broken: own.flatMap(({ id, commit }) =>
          (ended.get(id)?.broken ?? []).map(sentence => `${sentence} (${commit})`),
        ),
      };
    });
  }

  #add(line: object): void {
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }

  #read(): { readonly begun: readonly Begun[]; readonly ended: ReadonlyMap<string, Ended> } {
    const lines = existsSync(this.#path) ? readFileSync(this.#path, "utf8").split("\n").filter(Boolean) : [];
    const parts = lines.map(line => JSON.parse(line) as Begun | Ended);
    return {
      begun: parts.filter(part => "proof" in part),
      ended: new Map(parts.flatMap(part => ("counts" in part ? [[part.id, part]] : []))),
    };
  }
}
