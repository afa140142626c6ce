/**
 * How processor time grows with the input: what says whether a work is linear, on any machine, however busy. Absolute
 * times belong into `bench/`, beside a peer.
 */

/**
 * Four times the input takes a linear work about four times as long, a little more where sorting, maps and the caches
 * of the processor have their part, and a quadratic one sixteen times: a bound between the two.
 */
export const LINEAR = 10;

/** What does not read its whole input takes as long for four times as much; by half of that, it would show. */
export const CONSTANT = 2;

/** What one measurement takes at least, in milliseconds; quicker works are measured several times in a row. */
const LEAST = 4;

/**
 * A collector's pause or a neighbour in the cache spoils one try, not the best of all; what is not clear gets more. On a busy machine the
 * first tries of the smaller work run as code that is still to be compiled, when the larger has been: a quadratic work looks linear then.
 */
const TRIES = { least: 4, ofQuick: 8, most: 12, above: 48, larger: 6 };

/** Rounds in one measurement from which on a work is quick: a pause is as long as many of it, and tries cost little. */
const QUICK = 16;

/** Whether more tries could hardly move it across one of the bounds. */
function isClear(factor: number): boolean {
  return factor < 0.7 * CONSTANT || (factor > 1.5 * CONSTANT && factor < 0.7 * LINEAR);
}

/**
 * Milliseconds of processor time. Of the process, and a test file is one: the kernel books a single thread's time in
 * ticks, too coarse for what is measured here.
 */
function timed(rounds: number, work: () => unknown): number {
  const began = process.cpuUsage();
  for (let round = 0; round < rounds; round++) work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

/** Milliseconds of one large measurement up to which a larger one is made where growth is above the bound. */
const LONGEST = 50;

/** How processor time grows from one size to four times that, and what the larger took. */
interface Measured {
  readonly factor: number;
  readonly much: number;
}

function measured<Input>(
  size: number,
  inputOf: (size: number) => Input,
  work: (input: Input) => unknown,
  most: number,
): Measured {
  const [few, many] = [inputOf(size), inputOf(4 * size)];
  const [small, large] = [() => work(few), () => work(many)];
  let rounds = 1;
  // The better of two: the first has its code to compile and its strings to join.
  while (Math.min(timed(4 * rounds, small), timed(4 * rounds, small)) < LEAST && rounds < 1024) rounds *= 2;
  const least = 4 * rounds < QUICK ? TRIES.least : TRIES.ofQuick;
  let [little, much] = [Infinity, Infinity];
  for (let turn = 1; turn <= most; turn++) {
    little = Math.min(little, timed(4 * rounds, small) / 4);
    much = Math.min(much, timed(rounds, large));
    const factor = much / little;
    if (turn >= least && isClear(factor)) break;
    // What lies above the bound may have been put there by a busy neighbour; a quadratic work stays there however often it is tried.
    if (turn >= TRIES.most && factor < LINEAR) break;
  }
  return { factor: much / little, much: much / rounds };
}

/**
 * How many times as much processor time a work takes on four times the input: the best of several tries, large and
 * small in turns. To be compared with {@link LINEAR} or {@link CONSTANT}.
 *
 * The small one runs four times where the large one runs once: windows of about the same length. Where a host books time
 * that it gave to others, long windows are hit more often than short ones, and a linear work would look quadratic.
 *
 * A work whose small input fits into a cache of the processor or the collector's youngest generation, and whose large one does
 * not, steps up once between the two. Where growth is above the bound it is measured again on larger inputs, which lie on one side
 * of such a step; a quadratic work is quadratic there, too. What does less than a linear work there has met a limit, and says nothing.
 */
export function growth<Input>(
  size: number,
  inputOf: (size: number) => Input,
  work: (input: Input) => unknown,
): number {
  let best = measured(size, inputOf, work, TRIES.above);
  for (let times = 4; best.factor >= LINEAR && best.much <= LONGEST && times <= 16; times *= 4) {
    const larger = measured(times * size, inputOf, work, TRIES.larger);
    if (larger.factor < CONSTANT) break;
    best = larger;
  }
  return best.factor;
}
