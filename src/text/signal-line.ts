/** How lines begin by which agents report: they are for the program that runs, not for people. */
const SIGNAL = /^(?:[\s>*_`"']{0,12}(?:DONE|FAIL|APPROVE|CHANGES):\S|\s{0,12}\[(?:DONE|FAIL)\])/;

/** Whether a line is a signal by which an agent reports. */
export function isSignal(line: string): boolean {
  return SIGNAL.test(line);
}
