/**
 * A run whose machine is lost again and again: every coordinator works in a clone of its own, is killed after it has done something,
 * and leaves to the next one nothing but what the hub has.
 */
import { setTimeout as pause } from "node:timers/promises";
import { noEngine, testEngine } from "../hub/bench.ts";
import { type Coordinator, kill, openSite, type Place, type Site } from "../hub/site.ts";
import type { Findings } from "./proof.ts";
import { Random } from "./random.ts";

const PHASES = 3;
const TASKS = 4;
/** Coordinators after which a run that has not ended never will. */
const MOST = 40;
/** Milliseconds in which a coordinator does a task, on a busy machine. */
const LONGEST = 120_000;

const ids = (): string[] =>
  Array.from({ length: PHASES * TASKS }, (_, at) => `T${Math.floor(at / TASKS)}.${at % TASKS}`);

/** Every task adds its one line to a file of its own, after a while. */
function planOf(random: Random): string {
  const task = (id: string) => {
    const wait = (random.between(0, 12) / 10).toFixed(1);
    return `### [ ] ${id}: Write ${id}\n- run: |\n    sleep ${wait}; echo ${id} >> ${id}.txt\n`;
  };
  const phase = (number: number) => {
    const own = ids().filter(id => id.startsWith(`T${number}.`));
    return `## Phase ${number}: P${number}\n\n${own.map(task).join("\n")}`;
  };
  return `# Plan\n\n${Array.from({ length: PHASES }, (_, number) => phase(number)).join("\n")}`;
}

/** What is wrong with the work of a run that has ended. */
function wrongIn({ git }: Place): string[] {
  const branch = `phase/${PHASES - 1}-p${PHASES - 1}`;
  const files = new Set(git("ls-tree", "--name-only", branch).split("\n"));
  return ids().flatMap(id => {
    if (!files.has(`${id}.txt`)) return [`the work of ${id} is lost`];
    const lines = git("show", `${branch}:${id}.txt`);
    return lines === id ? [] : [`${id}.txt holds ${JSON.stringify(lines)}`];
  });
}

/** Resolves with its exit code where it ends, else once it has done so many tasks and a while longer. */
async function watch(
  { ended, said }: Coordinator,
  done: number,
  longer: number,
): Promise<number | null | "at work"> {
  let code: number | null | undefined;
  void ended.then(value => {
    code = value;
  });
  for (const until = performance.now() + LONGEST; performance.now() < until; await pause(50)) {
    if (code !== undefined) return code;
    if (said().split("[DONE]").length <= done) continue;
    await pause(longer);
    return code ?? "at work";
  }
  return "at work";
}

interface HandedOver {
  readonly kills: number;
  readonly broken: readonly string[];
  /** By its coordinators, one after the other. */
  readonly said: readonly string[];
}

/** Lets one run change its machine until it is over. */
async function handOver(site: Site, random: Random): Promise<HandedOver> {
  const said: string[] = [];
  site.lab.write("TASKS.md", planOf(random));
  site.lab.git("commit", "--quiet", "--all", "-m", "the plan");
  for (let kills = 0; kills < MOST; kills++) {
    const there = site.clone();
    const coordinator = there.start(...(kills === 0 ? ["run"] : ["resume", "--take-over"]), "--yes");
    const code = await watch(coordinator, random.between(1, 4), random.between(0, 1500));
    said.push(coordinator.said());
    if (code === 0) return { kills, broken: wrongIn(there), said };
    if (code !== "at work") return { kills, broken: [`ended with ${code}`], said };
    // What the hub has not heard of nobody can take over.
    while (kills === 0 && site.copies().length === 0 && coordinator.child.exitCode === null) await pause(50);
    await kill(coordinator);
  }
  return { kills: MOST, broken: [`has not ended after ${MOST} machines`], said };
}

/** Kills so many coordinators, run by run; nothing where there is no engine. */
export async function handOvers(count: number, seed: number, say: (line: string) => void): Promise<Findings> {
  if (noEngine !== undefined) {
    say(`  not tried: ${noEngine}`);
    return { counts: { runs: 0, kills: 0 }, broken: [] };
  }
  const engine = await testEngine();
  const broken: string[] = [];
  let runs = 0;
  let kills = 0;
  try {
    for (; kills < count && broken.length === 0; runs++) {
      await using site = await openSite(engine, []);
      const found = await handOver(site, new Random(seed + runs));
      // A run that no kill has met proves nothing, and is over soon.
      kills += Math.max(found.kills, 1);
      if (found.broken.length > 0) for (const one of found.said) say(one);
      broken.push(...found.broken.map(sentence => `seed ${seed + runs}: ${sentence}`));
    }
  } finally {
    await engine.close();
  }
  return { counts: { runs, kills }, broken };
}
