import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Catcher, Mutant, NamedBug } from "./bug.ts";
import { NAMED } from "./bugs/index.ts";
import { ask, runTests, type Verdict } from "./catch.ts";
import { Checkout, canJail, ROOT } from "./checkout.ts";
import { draw } from "./draw.ts";
import { EQUIVALENTS } from "./equivalents.ts";
import { candidatesIn } from "./operators.ts";
import { placeBug } from "./place.ts";
import { testsOf } from "./reach.ts";

/** How many bugs are planted. */
export interface PlantedOptions {
  readonly seed: number;
  /** Drawn bugs of each room, beside the named ones. */
  readonly perRoom: number;
  /** Only so many in all, evenly chosen. */
  readonly most?: number;
  /** Only bugs with this in their name or file; `named` and `drawn` are all of one kind. */
  readonly matching?: string;
}

/** What became of one bug. */
export interface Fate {
  readonly mutant: Mutant;
  readonly named: NamedBug | undefined;
  /** What noticed it first, in words. */
  readonly caught: string | undefined;
  /** Why it could not be tried: something fails without it, too. */
  readonly untried: string | undefined;
  readonly seconds: number;
}

/** Copies that are worked in side by side. */
const LANES = 2;
/** The nearest tests are asked first: most bugs go no further. */
const FIRST = 4;
/** Tests of other rooms that are asked when those of the own one notice nothing. */
const ELSEWHERE = 8;

const readSource = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** Sources that bugs are drawn in: types alone can hold none, and pictures of a terminal are not read by tests. */
function sources(): string[] {
  return globSync("src/*/**/*.ts", { cwd: ROOT, exclude: ["src/ports/**"] }).sort();
}

function chosen({
  seed,
  perRoom,
  most,
  matching = "",
}: PlantedOptions): { mutant: Mutant; named?: NamedBug }[] {
  const named = NAMED.map(bug => ({ mutant: placeBug(bug, readSource(bug.file)), named: bug }));
  // What is drawn may kill any process and remove any folder; what is named does not.
  const candidates = canJail ? sources().flatMap(file => candidatesIn(file, readSource(file))) : [];
  const drawn = draw(candidates, EQUIVALENTS, seed, perRoom).map(mutant => ({ mutant }));
  const all = [...named, ...drawn].filter(one => {
    const kind = "named" in one ? "named" : "drawn";
    return matching === kind || `${one.mutant.name} ${one.mutant.file}`.includes(matching);
  });
  const step = Math.max(1, all.length / (most ?? all.length));
  return Array.from(
    { length: Math.min(all.length, most ?? all.length) },
    (_, at) => all[Math.floor(at * step)]!,
  );
}

/** What is asked about a bug, one after the other until something notices. */
function* questions(mutant: Mutant, named: NamedBug | undefined): Generator<readonly string[] | Catcher> {
  if (named !== undefined) {
    yield named.by;
    return;
  }
  const { near, far } = testsOf(mutant.file);
  yield near.slice(0, FIRST);
  yield near.slice(FIRST);
  yield far.slice(0, ELSEWHERE);
}

/** Asks a sound copy first, once for each question: what fails there notices no bug. */
class Baseline {
  readonly #asked = new Map<string, Promise<string | undefined>>();

  /** What fails without any bug, in words. */
  problem(key: string, asks: () => Promise<Verdict>): Promise<string | undefined> {
    const known = this.#asked.get(key);
    if (known !== undefined) return known;
    const now = asks().then(({ caught, passed }) =>
      caught === undefined && passed === 0 ? `nothing is tested by ${key}` : caught,
    );
    this.#asked.set(key, now);
    return now;
  }
}

async function tryOne(
  checkout: Checkout,
  mutant: Mutant,
  named: NamedBug | undefined,
  baseline: Baseline,
): Promise<Pick<Fate, "caught" | "untried">> {
  for (const question of questions(mutant, named)) {
    if ("length" in question && question.length === 0) continue;
    const asks = () =>
      "length" in question ? runTests(checkout, question, { jailed: true }) : ask(checkout, question);
    const untried = await baseline.problem(JSON.stringify(question), asks);
    if (untried !== undefined) return { caught: undefined, untried };
    checkout.plant(mutant);
    const { caught } = await asks();
    checkout.restore(mutant);
    if (caught !== undefined) return { caught, untried: undefined };
  }
  return { caught: undefined, untried: undefined };
}

/** Plants one bug at a time and asks who notices. */
export async function plantAll(
  options: PlantedOptions,
  tell: (fate: Fate) => void,
): Promise<readonly Fate[]> {
  const fates: Fate[] = [];
  const queue = chosen(options);
  const baseline = new Baseline();
  const lane = async () => {
    const checkout = new Checkout();
    try {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const began = performance.now();
        const { mutant, named } = next;
        const tried = await tryOne(checkout, mutant, named, baseline);
        const fate = { mutant, named, ...tried, seconds: (performance.now() - began) / 1000 };
        fates.push(fate);
        tell(fate);
      }
    } finally {
      checkout.remove();
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  return fates;
}
