import { isSignal } from "../text/index.ts";

/** What stands before the reason in a report of failure. */
const BEFORE_REASON = /^[\s>*_`"']{0,12}FAIL:[^\s:]+:/;

/** What an agent is told of its last attempt: of a report of failure the reason. Linear. */
export function withReasonsOnly(text: string): string {
  return withoutSignals(
    text
      .split("\n")
      .map(line => line.replace(BEFORE_REASON, "").trimStart())
      .join("\n"),
  );
}

/** What was said without the signals in it. Linear. */
export function withoutSignals(text: string): string {
  return text
    .split("\n")
    .filter(line => !isSignal(line))
    .join("\n");
}
