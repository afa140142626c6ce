import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder } from "../../scratch.ts";
import type { Random } from "../random.ts";
import { completedIn, type Disk, readDisk } from "./disk.ts";
import { type Job, makeJob } from "./job.ts";
import { leftAlive } from "./living.ts";
import { type Broken, Promises, unfinished } from "./promises.ts";
import { endProblems, landedProblems, makeRepository } from "./repository.ts";
import { type Ended, type Moment, type Place, start } from "./start.ts";

/** How a plan is run: eight at once, everything approved. */
export const RUN: readonly string[] = ["run", "--yes", "--parallel", "8"];

/** What a process came to, and what was not as it had to be when it had ended. */
export interface Round {
  readonly ended: Ended;
  readonly broken: readonly Broken[];
  /** Processes of its own that were alive when it was killed. */
  readonly alive: number;
  /** Tasks that are not completed on disk. */
  readonly left: number;
}

/** What a ground is made for. */
export interface GroundOptions {
  readonly random: Random;
  /** Where Node keeps compiled code. */
  readonly cache: string;
  readonly inRepository?: boolean;
  /** How many tasks there are when each phase ends. */
  readonly phases?: readonly number[];
}

/** A project with a plan, on which the built program is started again and again and judged each time it has ended. */
export class Ground implements Disposable {
  readonly job: Job;
  readonly promises: Promises;
  readonly around: string;
  readonly #place: Place;
  readonly #witness: string;
  readonly #inRepository: boolean;

  constructor({ random, cache, inRepository = false, phases }: GroundOptions) {
    this.around = scratchFolder("espalier-kills-");
    this.#place = { project: join(this.around, "project"), home: join(this.around, "home"), cache };
    this.#witness = join(this.around, "witness");
    this.#inRepository = inRepository;
    this.job = makeJob(random, this.#witness, phases);
    this.promises = new Promises(this.job);
    const { project, home } = this.#place;
    for (const folder of [project, home]) mkdirSync(folder);
    writeFileSync(join(project, "TASKS.md"), this.job.text);
    writeFileSync(join(project, "espalier.yaml"), "phase: { merge: auto }\nbackoff: { first: 0ms }\n");
    if (inRepository) makeRepository(project);
  }

  [Symbol.dispose](): void {
    rmSync(this.around, { recursive: true, force: true });
  }

  /** Starts a process, kills it at a moment unless it ends before, and compares what it left with what it told. */
  async once(args: readonly string[], moment: Moment): Promise<Round> {
    const ended = await start(this.#place, args, moment);
    const killed = ended.code === null ? await leftAlive(this.around, ended.pid) : undefined;
    const disk = this.disk();
    this.promises.hear(ended.lines);
    const completed = completedIn(disk.database);
    const landed = this.#inRepository ? landedProblems(this.#place.project, completed) : [];
    const broken = [
      ...this.promises.compare(disk, this.executions(), ended.lines.length > 0),
      ...landed.map((sentence): Broken => ({ kind: "repository", sentence })),
      ...(killed?.forGood ?? []).map(
        (words): Broken => ({
          kind: "orphans",
          sentence: `alive after its orchestrator was killed: ${words}`,
        }),
      ),
    ];
    const how = `after ${args[0] === "run" ? "run" : args.join(" ")}, ${JSON.stringify(moment)}`;
    return {
      ended,
      broken: broken.map(({ kind, sentence }) => ({ kind, sentence: `${sentence}, ${how}` })),
      alive: killed?.atOnce ?? 0,
      left: this.job.ids.length - completed.size,
    };
  }

  disk(): Disk {
    return readDisk(this.#place.project, join(this.around, "copies"));
  }

  statusOf(id: string): string | undefined {
    return this.disk().database?.tasks.get(id)?.status;
  }

  /** The ids of all tasks that ever began, in their order. */
  executions(): string[] {
    return existsSync(this.#witness) ? readFileSync(this.#witness, "utf8").split("\n").filter(Boolean) : [];
  }

  /** What is not as it must be after a run that ended by itself. */
  atEnd({ code, lines, errors }: Ended): Broken[] {
    if (code !== 0) {
      const words = [...lines.slice(-5), errors.slice(-600)].join(" / ");
      return [{ kind: "unreadable", sentence: `exit ${code}: ${words}` }];
    }
    const left = this.#inRepository ? endProblems(this.#place.project, this.job) : [];
    return [
      ...unfinished(this.job, this.disk()),
      ...left.map((sentence): Broken => ({ kind: "repository", sentence })),
    ];
  }
}

/** Node keeps what it compiled when a process ends by itself, which those to come will not: `work` is given where. */
export async function withCompiled<T>(work: (cache: string) => Promise<T>): Promise<T> {
  const cache = scratchFolder("espalier-compiled-");
  const around = scratchFolder("espalier-kills-");
  try {
    writeFileSync(join(around, "TASKS.md"), "## Phase 1: one\n\n### [ ] T1.1: one\n\n- run: true\n");
    await start({ project: around, home: around, cache }, RUN, { kind: "never" });
    return await work(cache);
  } finally {
    for (const folder of [around, cache]) rmSync(folder, { recursive: true, force: true });
  }
}
