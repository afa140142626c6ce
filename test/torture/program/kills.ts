import type { Findings } from "../proof.ts";
import { Random } from "../random.ts";
import { Ground, type Round, RUN, withCompiled } from "./ground.ts";
import { type Broken, KINDS } from "./promises.ts";
import type { Moment } from "./start.ts";

/** How much is killed, and where the work is done. */
export interface KillOptions {
  readonly kills: number;
  /** The first of as many seeds as there are kills; a seed fixes every choice but the kernel's. */
  readonly seed: number;
  readonly inRepository?: boolean;
  /** Runs that are killed side by side. */
  readonly lanes?: number;
}

/** On a slow machine most starts die before they get anywhere: after so many kills a run is let finish. */
const KILLS_PER_RUN = 150;
/** Broken promises after which nothing new is tried. */
const ENOUGH = 10;

interface Tally {
  kills: number;
  readonly counts: Record<string, number>;
  readonly broken: string[];
  /** Milliseconds until a start says its first word, as seen so far. */
  first: number;
}

/** Kills the whole program at moments all over its life and compares after each what it told with what is on disk. */
export async function killRuns(options: KillOptions): Promise<Findings> {
  const { kills, seed, inRepository = false, lanes = Math.min(3, Math.ceil(kills / 20)) } = options;
  const zero = Object.fromEntries(KINDS.map(kind => [kind, 0]));
  const tally: Tally = {
    kills: 0,
    counts: { runs: 0, told: 0, executions: 0, agentsKilled: 0, ...zero },
    broken: [],
    first: 400,
  };
  await withCompiled(async cache => {
    let at = 0;
    const lane = async () => {
      while (tally.kills < kills && tally.broken.length < ENOUGH) {
        const random = new Random(seed + at);
        using ground = new Ground({ random, cache, inRepository });
        await new KilledRun(seed + at++, random, ground, tally).live(kills);
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  });
  return { counts: { kills: tally.kills, ...tally.counts }, broken: tally.broken };
}

/** One plan, started and killed until all of it is done. */
class KilledRun {
  readonly #seed: number;
  readonly #random: Random;
  readonly #ground: Ground;
  readonly #tally: Tally;
  #left: number;

  constructor(seed: number, random: Random, ground: Ground, tally: Tally) {
    this.#seed = seed;
    this.#random = random;
    this.#ground = ground;
    this.#tally = tally;
    this.#left = ground.job.ids.length;
  }

  async live(kills: number): Promise<void> {
    const { counts, broken } = this.#tally;
    for (let starts = 0; ; starts++) {
      const mortal = this.#tally.kills < kills && starts < KILLS_PER_RUN;
      const before = broken.length;
      const { ended } = await this.#once(RUN, mortal ? this.#moment() : { kind: "never" });
      if (ended.code !== null) this.#tell(this.#ground.atEnd(ended));
      else if (this.#random.below(16) === 0) await this.#act();
      if (ended.code !== null || broken.length > before) break;
    }
    counts["runs"]! += 1;
    counts["told"]! += this.#ground.promises.told;
    counts["executions"]! += this.#ground.executions().length;
  }

  async #once(args: readonly string[], moment: Moment): Promise<Round> {
    const round = await this.#ground.once(args, moment);
    const { ended, alive, left, broken } = round;
    if (ended.first !== undefined) this.#tally.first += (ended.first - this.#tally.first) / 8;
    if (ended.code === null) this.#tally.kills++;
    this.#tally.counts["agentsKilled"]! += alive;
    this.#left = left;
    this.#tell(broken);
    return round;
  }

  /** Now and then a person looks in before the run goes on. */
  async #act(): Promise<void> {
    const { last } = this.#ground.job;
    const dies = this.#random.chance(0.3);
    const { ended } = await this.#once(["task", "pause", last], dies ? this.#effect(0) : { kind: "never" });
    const paused = this.#ground.statusOf(last);
    if (ended.code === 0 && paused !== "paused")
      this.#tell([{ kind: "lost", sentence: `${last} was paused and is ${paused}` }]);
    await this.#once(["task", "resume", last], { kind: "never" });
    if (this.#ground.statusOf(last) === "paused")
      this.#tell([{ kind: "lost", sentence: `${last} was resumed and is paused` }]);
  }

  /** A moment somewhere in what is left of the run's life. */
  #moment(): Moment {
    const random = this.#random;
    const dice = random.below(20);
    if (dice < 3) return { kind: "time", ms: random.below(1.2 * this.#tally.first) };
    const far = random.chance(0.05) ? 2 * this.#left + 8 : 5;
    if (dice < 6) return { kind: "line", begins: "", times: 1 + random.below(far), ms: random.below(30) };
    if (dice < 10) return { kind: "line", begins: "[DONE]", times: 1 + random.below(6), ms: random.below(3) };
    return this.#effect(far);
  }

  #effect(lines: number): Moment {
    const random = this.#random;
    const at = 1 + random.below(120 + 33 * lines);
    return { kind: "strike", strike: { at, after: random.chance(0.5) } };
  }

  #tell(all: readonly Broken[]): void {
    for (const { kind, sentence } of all) {
      this.#tally.counts[kind]! += 1;
      this.#tally.broken.push(`seed ${this.#seed}: ${kind}: ${sentence}`);
    }
  }
}
