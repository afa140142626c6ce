/** Milliseconds in which what was asked on a page may still end by itself. */
const GRACE = 2000;

let isServed = false;

/** A page was served by this process: requests whose page has gone may still wait for git, a check or another process. */
export function pageServed(): void {
  isServed = true;
}

/** Ends the git that was asked, and whatever it started: nobody reads any more what it says. */
async function leave(): Promise<never> {
  const { endCalls } = await import("../adapters/process/index.ts");
  await endCalls();
  process.exit();
}

/**
 * Once the command line has ended: holds nobody up for what a page had asked for. It is cut off as if the command that does the
 * same had been ended by a signal; who asks again to end need not wait.
 */
export function leaveSoon(): void {
  if (!isServed) return;
  setTimeout(() => void leave(), GRACE).unref();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => void leave());
}
