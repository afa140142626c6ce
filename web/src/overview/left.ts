import type { Left, RunHead } from "../../../src/server/shapes/run.ts";
import { roughly } from "../parts/amounts.ts";
import type { Words } from "../words/words.ts";

interface LeftNow {
  readonly now: number;
  readonly done: boolean;
  readonly stuck: boolean;
  /** An agent waits for a person's answer, and while it does no time is worked off. */
  readonly asks: boolean;
}

/** The time left in words, and what it rests on. */
export function leftWords(
  left: Left | undefined,
  run: Pick<RunHead, "state">,
  { now, done, stuck, asks }: LeftNow,
  { overview, locale }: Pick<Words, "overview" | "locale">,
): readonly [value: string, range: string, why: string] {
  if (done) return [overview.leftDone, "", ""];
  if (left === undefined)
    return [overview.leftUnknown, "", stuck ? overview.leftStuck : overview.leftNothing];
  const passed = run.state === "running" ? Math.max(0, now - left.at) : 0;
  const still = (ms: number) => roughly(Math.max(0, ms - passed), locale);
  const { low, high } = left;
  const why = [
    overview.leftBasis(left.basis, left.atOnce),
    ...(left.held > 0 ? [overview.leftHeld(left.held)] : []),
    ...(run.state === "running" ? [] : [overview.leftRests]),
  ];
  const [least, most] = [low, high].map(ms => (ms === undefined ? "" : still(ms)));
  const range = least === most ? "" : `${least}–${most}`;
  if (left.ms <= passed) return [asks ? overview.leftAsks : overview.leftLate, "", why.join(" · ")];
  return [overview.about(still(left.ms)), range, why.join(" · ")];
}
