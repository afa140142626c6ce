import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder } from "../../scratch.ts";
import type { Findings } from "../proof.ts";
import { Random } from "../random.ts";
import { completedIn, type Disk, readDisk } from "./disk.ts";
import { type Job, makeJob } from "./job.ts";
import { leftAlive } from "./living.ts";
import { type Broken, KINDS, Promises, unfinished } from "./promises.ts";
import { endProblems, landedProblems, makeRepository } from "./repository.ts";
import { type Ended, type Moment, start } from "./start.ts";

/** How much is killed, and where the work is done. */
export interface KillOptions {
  readonly kills: number;
  /** The first of as many seeds as there are kills; a seed fixes every choice but the kernel's. */
  readonly seed: number;
  readonly inRepository?: boolean;
  /** Runs that are killed side by side. */
  readonly lanes?: number;
}

const RUN = ["run", "--yes", "--parallel", "8"];
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
  const cache = scratchFolder("espalier-compiled-");
  let at = 0;
  const lane = async () => {
    while (tally.kills < kills && tally.broken.length < ENOUGH) {
      const one = new KilledRun(seed + at++, inRepository, cache, tally);
      try {
        await one.live(kills);
      } finally {
        one.remove();
      }
    }
  };
  try {
    await compile(cache);
    await Promise.all(Array.from({ length: lanes }, lane));
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
  return { counts: { kills: tally.kills, ...tally.counts }, broken: tally.broken };
}

/** Node keeps what it compiled when a process ends by itself, which those to come will not. */
async function compile(cache: string): Promise<void> {
  const around = scratchFolder("espalier-kills-");
  writeFileSync(join(around, "TASKS.md"), "## Phase 1: one\n\n### [ ] T1.1: one\n\n- run: true\n");
  await start({ project: around, home: around, cache }, RUN, { kind: "never" });
  rmSync(around, { recursive: true, force: true });
}

/** One plan, started and killed until all of it is done. */
class KilledRun {
  readonly #seed: number;
  readonly #random: Random;
  readonly #tally: Tally;
  readonly #inRepository: boolean;
  readonly #around: string;
  readonly #project: string;
  readonly #home: string;
  readonly #cache: string;
  readonly #witness: string;
  readonly #job: Job;
  readonly #promises: Promises;
  #left: number;

  constructor(seed: number, inRepository: boolean, cache: string, tally: Tally) {
    this.#cache = cache;
    this.#seed = seed;
    this.#random = new Random(seed);
    this.#tally = tally;
    this.#inRepository = inRepository;
    this.#around = scratchFolder("espalier-kills-");
    this.#project = join(this.#around, "project");
    this.#home = join(this.#around, "home");
    this.#witness = join(this.#around, "witness");
    this.#job = makeJob(this.#random, this.#witness);
    this.#promises = new Promises(this.#job);
    this.#left = this.#job.ids.length;
    for (const folder of [this.#project, this.#home]) mkdirSync(folder);
    writeFileSync(join(this.#project, "TASKS.md"), this.#job.text);
    if (inRepository) makeRepository(this.#project);
    else writeFileSync(join(this.#project, "espalier.yaml"), "backoff: { first: 0ms }\n");
  }

  remove(): void {
    rmSync(this.#around, { recursive: true, force: true });
  }

  async live(kills: number): Promise<void> {
    const { counts } = this.#tally;
    for (let starts = 0; ; starts++) {
      const mortal = this.#tally.kills < kills && starts < KILLS_PER_RUN;
      const before = this.#tally.broken.length;
      const { code, errors, lines } = await this.#once(RUN, mortal ? this.#moment() : { kind: "never" });
      if (this.#tally.broken.length > before) break;
      if (code === null) {
        if (this.#random.below(16) === 0) await this.#act();
        continue;
      }
      if (code !== 0)
        this.#tell("unreadable", `exit ${code}: ${[...lines.slice(-5), errors.slice(-600)].join(" / ")}`);
      else for (const broken of this.#atEnd()) this.#tell(broken.kind, broken.sentence);
      break;
    }
    counts["runs"]! += 1;
    counts["told"]! += this.#promises.told;
    counts["executions"]! += this.#executions().length;
  }

  /** Starts a process, and compares what it left when it has ended. */
  async #once(args: readonly string[], moment: Moment): Promise<Ended> {
    const { counts } = this.#tally;
    const place = { project: this.#project, home: this.#home, cache: this.#cache };
    const ended = await start(place, args, moment);
    if (ended.first !== undefined) this.#tally.first += (ended.first - this.#tally.first) / 8;
    if (ended.code === null) {
      this.#tally.kills++;
      const { atOnce, forGood } = await leftAlive(this.#around, ended.pid);
      counts["agentsKilled"]! += atOnce;
      for (const words of forGood) this.#tell("orphans", `alive after its orchestrator was killed: ${words}`);
    }
    const disk = this.#disk();
    this.#promises.hear(ended.lines);
    const broken = this.#promises.compare(disk, this.#executions(), ended.lines.length > 0);
    const completed = completedIn(disk.database);
    const landed = this.#inRepository ? landedProblems(this.#project, completed) : [];
    const how = `after ${args[0] === "run" ? "run" : args.join(" ")}, killed ${JSON.stringify(moment)}`;
    for (const { kind, sentence } of broken) this.#tell(kind, `${sentence}, ${how}`);
    for (const sentence of landed) this.#tell("repository", `${sentence}, ${how}`);
    this.#left = this.#job.ids.length - completed.size;
    return ended;
  }

  /** Now and then a person looks in before the run goes on. */
  async #act(): Promise<void> {
    const { last } = this.#job;
    const dies = this.#random.chance(0.3);
    const paused = await this.#once(["task", "pause", last], dies ? this.#effect(0) : { kind: "never" });
    if (paused.code === 0 && this.#statusOf(last) !== "paused")
      this.#tell("lost", `${last} was paused and is ${this.#statusOf(last)}`);
    await this.#once(["task", "resume", last], { kind: "never" });
    if (this.#statusOf(last) === "paused") this.#tell("lost", `${last} was resumed and is paused`);
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
    return { kind: "effect", times: 1 + random.below(120 + 33 * lines), after: random.chance(0.5) };
  }

  #disk(): Disk {
    return readDisk(this.#project, join(this.#around, "copies"));
  }

  #statusOf(id: string): string | undefined {
    return this.#disk().database?.tasks.get(id)?.status;
  }

  #executions(): string[] {
    return existsSync(this.#witness) ? readFileSync(this.#witness, "utf8").split("\n").filter(Boolean) : [];
  }

  #atEnd(): Broken[] {
    const left = this.#inRepository ? endProblems(this.#project, this.#job) : [];
    return [
      ...unfinished(this.#job, this.#disk()),
      ...left.map((sentence): Broken => ({ kind: "repository", sentence })),
    ];
  }

  #tell(kind: Broken["kind"], sentence: string): void {
    this.#tally.counts[kind]! += 1;
    this.#tally.broken.push(`seed ${this.#seed}: ${kind}: ${sentence}`);
  }
}
