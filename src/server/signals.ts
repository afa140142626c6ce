/** How lines begin by which agents report: they are for the program that runs, not for people. */
const SIGNAL = /^(?:[\s>*_`"']{0,12}(?:DONE|FAIL|APPROVE|CHANGES):\S|\s{0,12}\[(?:DONE|FAIL)\])/;

/** Whether a line is a signal by which an agent reports. */
export function isSignal(line: string): boolean {
  return SIGNAL.test(line);
}

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
    .filter(line => !SIGNAL.test(line))
    .join("\n");
}
