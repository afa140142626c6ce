/** A test runner for Stryker that loads the tests of a room once and asks them about mutant after mutant. */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOMS } from "./rooms.ts";
import { type Outcome, runTests } from "./run-tests.ts";
import { beginFile, type Test, tests } from "./vitest.ts";

/** What instrumented code reads and writes. */
interface Namespace {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: { readonly perTest: Hits; readonly static: Record<string, number> };
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

/** By test and mutant. */
type Hits = Readonly<Record<string, Readonly<Record<string, number>>>>;

interface MutantRun {
  /** The tests that reach the mutant; all when it is not known. */
  readonly testFilter?: readonly string[];
  readonly hitLimit?: number;
  readonly activeMutant: { readonly id: string };
  readonly mutantActivation: "runtime" | "static";
}

const STAND_INS: readonly [RegExp, string][] = [
  [/^vitest$/, "./vitest.ts"],
  [/^fast-check$/, "./fewer.ts"],
  [/\/growth\.ts$/, "./untimed.ts"],
];

const HERE = new URL(".", import.meta.url);
/** As Stryker numbers them. */
const STATUS = { passed: 0, failed: 1, skipped: 2 } as const;
/** Milliseconds by test, for the processes after the first; in the copy of the project that is thrown away. */
const TIMES = "times.json";
/** How often each test reaches the place of each mutant, likewise. */
const HITS = "hits.json";
/** A test that reaches a mutant this many times as often as without it never ends, once that is this often. */
const MOST_TIMES = 100;
const MOST_HITS = 1_000_000;

const shared = globalThis as { __stryker__?: Namespace };
shared.__stryker__ ??= {};
const namespace = shared.__stryker__;

function resultOf({ id, ms, status, message }: Outcome): unknown {
  return { id, name: id, timeSpentMs: ms, status: STATUS[status], failureMessage: message };
}

/** Whether nothing has to be set up around a test, so that it may run at any place among others. */
function standsAlone({ suite }: Test): boolean {
  for (let at = suite; ; at = at.parent) {
    if (at.before.length + at.after.length > 0) return false;
    if (at.parent === undefined) return true;
  }
}

function quickestFirst(chosen: readonly Test[]): readonly Test[] {
  if (!existsSync(TIMES) || !chosen.every(standsAlone)) return chosen;
  const times = new Map(JSON.parse(readFileSync(TIMES, "utf8")) as [string, number][]);
  return chosen.toSorted((a, b) => (times.get(a.id) ?? 0) - (times.get(b.id) ?? 0));
}

let usualHits: Hits | undefined;

/** How often each test reaches the place of a mutant; empty where that is not known. */
function hitsOf(mutant: string): ReadonlyMap<string, number> {
  if (!existsSync(HITS)) return new Map();
  usualHits ??= JSON.parse(readFileSync(HITS, "utf8")) as Hits;
  return new Map(
    Object.entries(usualHits).flatMap(([test, hits]) => (mutant in hits ? [[test, hits[mutant]!]] : [])),
  );
}

/**
 * What tests reach is asked of them alone, though it was also reached while files were loaded, such as for a table of cases: a
 * process for each such mutant would take twenty times as long, and to leave that part out can only let mutants live.
 */
function leaveOutLoading({ perTest, static: loading }: NonNullable<Namespace["mutantCoverage"]>): void {
  for (const hits of Object.values(perTest)) for (const mutant of Object.keys(hits)) delete loading[mutant];
}

async function load(): Promise<readonly Test[]> {
  registerHooks({
    resolve(specifier, context, next) {
      const inside = context.parentURL?.startsWith(HERE.href) ?? false;
      const standIn = inside ? undefined : STAND_INS.find(([pattern]) => pattern.test(specifier));
      return standIn === undefined
        ? next(specifier, context)
        : { url: new URL(standIn[1], HERE).href, shortCircuit: true };
    },
  });
  const room = ROOMS[process.env["ESPALIER_MUTATION_ROOM"] ?? ""]!;
  for (const file of room.tests.flatMap(pattern => globSync(pattern)).sort()) {
    beginFile(file);
    await import(pathToFileURL(resolve(file)).href);
  }
  return tests.filter(test => !room.without?.test(test.id));
}

class InProcess {
  static readonly inject = [] as const;
  #loaded: Promise<readonly Test[]> | undefined;
  /** Whether other mutants were asked about in this process, and whether one of them left something behind. */
  #used = false;
  #spoiled = false;

  #load(): Promise<readonly Test[]> {
    this.#loaded ??= load();
    return this.#loaded;
  }

  capabilities(): { readonly reloadEnvironment: boolean } {
    return { reloadEnvironment: false };
  }

  async init(): Promise<void> {
    // Loaded ahead it does not count as time of the tests. A static mutant has to be there before its file is.
    if (process.env["ESPALIER_STATIC"] !== "1") await this.#load();
  }

  async dispose(): Promise<void> {}

  async dryRun(): Promise<unknown> {
    const outcomes = await runTests(await this.#load(), false, id => {
      namespace.currentTestId = id;
    });
    const reached = namespace.mutantCoverage;
    if (reached !== undefined && process.env["ESPALIER_STATIC"] !== "1") leaveOutLoading(reached);
    writeFileSync(HITS, JSON.stringify(namespace.mutantCoverage?.perTest ?? {}));
    writeFileSync(TIMES, JSON.stringify(outcomes.map(({ id, ms }) => [id, ms])));
    return {
      status: "complete",
      tests: outcomes.map(resultOf),
      mutantCoverage: namespace.mutantCoverage,
    };
  }

  async mutantRun(asked: MutantRun): Promise<unknown> {
    if (this.#spoiled)
      throw new Error("a mutant before this one left something behind: a new process is needed");
    if (asked.mutantActivation === "static") namespace.activeMutant = asked.activeMutant.id;
    const all = await this.#load();
    const wanted = new Set(asked.testFilter ?? all.map(({ id }) => id));
    const usual = hitsOf(asked.activeMutant.id);
    let hits = 0;
    let isEndless = false;
    namespace.hitCount = asked.hitLimit === undefined ? undefined : 0;
    namespace.hitLimit = asked.hitLimit;
    namespace.activeMutant = asked.activeMutant.id;
    // The first test that goes round and round ends it, long before all of them together have done too much.
    const outcomes = await runTests(quickestFirst(all.filter(({ id }) => wanted.has(id))), true, id => {
      if (asked.hitLimit === undefined) return;
      hits = namespace.hitCount ?? 0;
      isEndless ||= hits > namespace.hitLimit!;
      if (id === undefined) return;
      const own = Math.max(MOST_TIMES * (usual.get(id) ?? Infinity), MOST_HITS);
      namespace.hitLimit = Math.min(asked.hitLimit, hits + own);
    });
    namespace.activeMutant = undefined;
    namespace.hitCount = undefined;
    const wasUsed = this.#used;
    this.#used = true;
    if (isEndless) return { status: "timeout", reason: `reached ${hits} times` };
    const killer = outcomes.find(outcome => outcome.status === "failed");
    if (killer === undefined) return { status: "survived", nrOfTests: outcomes.length };
    // A kill counts only if the test passes without the mutant, in this very process or a new one.
    const [again] = await runTests(
      all.filter(({ id }) => id === killer.id),
      true,
    );
    if (again?.status === "failed" && asked.mutantActivation === "runtime") {
      this.#spoiled = true;
      if (wasUsed) throw new Error("the test fails without the mutant, too: a new process is needed");
    }
    return {
      status: "killed",
      killedBy: [killer.id],
      failureMessage: killer.message,
      nrOfTests: outcomes.length,
    };
  }
}

export const strykerPlugins = [{ kind: "TestRunner", name: "in-process", injectableClass: InProcess }];
