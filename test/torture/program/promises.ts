import { completedIn, type Database, type Disk } from "./disk.ts";
import type { Job } from "./job.ts";

/** Ways in which a promise is broken, as they are counted. */
export const KINDS = ["lost", "twice", "ahead", "unreadable", "orphans", "leftovers", "repository"] as const;

/** A broken promise. */
export interface Broken {
  readonly kind: (typeof KINDS)[number];
  readonly sentence: string;
}

const EMPTY: Database = { tasks: new Map(), events: [] };

/** What a program has told and left so far; compared with what is on disk each time one of its processes has ended. */
export class Promises {
  readonly #job: Job;
  /** Completions that a whole line of output told. */
  readonly #completed = new Set<string>();
  /** Retries that were told. */
  readonly #retries = new Map<string, number>();
  #before: Database = EMPTY;
  #executions = 0;
  #temporaries: readonly string[] = [];

  constructor(job: Job) {
    this.#job = job;
  }

  /** Completions and retries that were told. */
  get told(): number {
    return this.#completed.size + this.#retries.size;
  }

  /** Takes in what a process said before it ended. */
  hear(lines: readonly string[]): void {
    for (const line of lines) {
      const [, what, id = ""] = /^\[(DONE|FAIL)\] ([^\s:]+)/.exec(line) ?? [];
      if (what === "DONE") this.#completed.add(id);
      const retry = /\(retry (\d+)\//.exec(line)?.[1];
      if (what === "FAIL" && retry !== undefined) this.#retries.set(id, Number(retry));
    }
  }

  /**
   * Everything that is not as it was told or as it was before. `executions` are the ids of all tasks that ever began, in
   * their order; `spoke` says whether the last process got as far as to work on the run.
   */
  compare(disk: Disk, executions: readonly string[], spoke: boolean): Broken[] {
    const now = disk.database ?? EMPTY;
    const broken: Broken[] = disk.unreadable.map(sentence => ({ kind: "unreadable", sentence }));
    if (disk.unreadable.length === 0) {
      broken.push(...this.#lost(now), ...this.#twice(now, executions), ...ahead(disk, now));
      this.#before = now;
    }
    this.#executions = executions.length;
    if (disk.file.unticked !== this.#job.text)
      broken.push({ kind: "lost", sentence: "the task file holds other text than it did" });
    const left = spoke ? disk.temporaries.filter(name => this.#temporaries.includes(name)) : [];
    broken.push(...left.map(name => ({ kind: "leftovers" as const, sentence: `${name} outlived a start` })));
    this.#temporaries = disk.temporaries;
    return broken;
  }

  #lost({ tasks, events }: Database): Broken[] {
    const lost: string[] = [];
    const told = [...this.#completed].filter(id => tasks.get(id)?.status !== "completed");
    for (const id of told) lost.push(`${id} was told to be done and is ${tasks.get(id)?.status} on disk`);
    for (const [id, retries] of this.#retries) {
      const kept = tasks.get(id)?.retries ?? 0;
      if (kept < retries) lost.push(`${id} was told to have ${retries} retries and has ${kept} on disk`);
    }
    for (const id of completedIn(this.#before))
      if (tasks.get(id)?.status !== "completed")
        lost.push(`${id} was completed on disk and is ${tasks.get(id)?.status} after another start`);
    const changed = this.#before.events.find(({ seq, text }, at) => {
      const same = events[at];
      return same?.seq !== seq || same.text !== text;
    });
    if (changed !== undefined) lost.push(`event ${changed.seq} is gone or another: ${changed.text}`);
    if (events.some(({ seq }, at) => seq !== at + 1)) lost.push("the events have gaps");
    return lost.map(sentence => ({ kind: "lost", sentence }));
  }

  #twice({ events }: Database, executions: readonly string[]): Broken[] {
    const done = completedIn(this.#before);
    const again = executions.slice(this.#executions).filter(id => done.has(id));
    const counts = new Map<string, number>();
    for (const { text } of events) {
      const { type, task = "" } = JSON.parse(text) as { readonly type: string; readonly task?: string };
      if (type === "completed") counts.set(task, (counts.get(task) ?? 0) + 1);
    }
    return [
      ...again.map(id => `${id} was executed again although it was completed on disk`),
      ...[...counts].flatMap(([id, count]) => (count > 1 ? [`${id} was completed ${count} times`] : [])),
    ].map(sentence => ({ kind: "twice", sentence }));
  }
}

/** What the views tell that the database does not hold: they may be late, never ahead. */
function ahead({ thin, backup, file, log }: Disk, now: Database): Broken[] {
  const completed = completedIn(now);
  const views: readonly (readonly [string, Iterable<string>])[] = [
    ["the box", file.ticked],
    ["orchestrate-state.json", thin?.completed ?? []],
    ["the backup", completedIn(backup)],
    ["the log", log.flatMap(line => /^\S+ \[DONE\] (\S+)/.exec(line)?.[1] ?? [])],
  ];
  const claims = views.flatMap(([view, ids]) =>
    [...ids]
      .filter(id => !completed.has(id))
      .map(id => `${view} says that ${id} is completed, the database does not`),
  );
  const last = now.events.at(-1)?.seq ?? 0;
  if ((thin?.seq ?? 0) > last) claims.push(`orchestrate-state.json tells event ${thin?.seq} of ${last}`);
  return claims.map(sentence => ({ kind: "ahead", sentence }));
}

/** What is not as it must be after a run that ended by itself with everything done. */
export function unfinished(job: Job, { database, thin, file, temporaries }: Disk): Broken[] {
  const missing = (name: string, ids: Iterable<string>) => {
    const there = new Set(ids);
    const absent = job.ids.filter(id => !there.has(id));
    return absent.length === 0 ? [] : [`${name} lacks ${absent.join(", ")} at the end`];
  };
  return [
    ...missing("the database", completedIn(database)),
    ...missing("orchestrate-state.json", thin?.completed ?? []),
    ...missing("the task file", file.ticked),
  ]
    .map((sentence): Broken => ({ kind: "lost", sentence }))
    .concat(temporaries.map(name => ({ kind: "leftovers", sentence: `${name} is left at the end` })));
}
