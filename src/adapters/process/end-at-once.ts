/**
 * Ends this process without waiting for anything. Node's own exit joins V8's threads, and one that compiles waits there for
 * a collection that nobody does any more (nodejs/node#54918): with a small heap 3 of 100 ends never came. For programs
 * that have nothing more to write and whose exit code nobody reads.
 */
export function endAtOnce(): never {
  process.kill(process.pid, "SIGKILL");
  // The signal is on its way; on no system does this line return to the caller.
  for (;;) process.exit(1);
}
