/** Milliseconds in which what was asked on a page may still end by itself. */
const GRACE = 2000;

let isServed = false;

/** A page was served by this process: requests whose page has gone may still wait for git, a check or another process. */
export function pageServed(): void {
  isServed = true;
}

/**
 * Once the command line has ended: holds nobody up for what a page had asked for. It is cut off as if the command that does the
 * same had been ended by a signal.
 */
export function leaveSoon(): void {
  if (isServed) setTimeout(() => process.exit(), GRACE).unref();
}
