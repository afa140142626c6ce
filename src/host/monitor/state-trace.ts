import { statSync } from "node:fs";
import { join } from "node:path";
import { STATE_NAMES } from "../../adapters/store/index.ts";

/** Milliseconds between two looks at what nobody tells of. */
export const LOOK = 500;

/** What changes when somebody writes the state: times and sizes of the database and its log. */
function trace(stateDir: string): string {
  const { database } = STATE_NAMES;
  return [database, `${database}-wal`]
    .map(name => statSync(join(stateDir, name), { throwIfNoEntry: false }))
    .map(facts => (facts === undefined ? "" : `${facts.ino}:${facts.mtimeMs}:${facts.size}`))
    .join(" ");
}

/** Tells whether the state was written since it was asked last, and before that since now. */
export function createStateTrace(stateDir: string): () => boolean {
  let seen = trace(stateDir);
  return () => {
    const before = seen;
    seen = trace(stateDir);
    return seen !== before;
  };
}
