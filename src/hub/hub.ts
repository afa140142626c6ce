import { createBook } from "./book.ts";
import type { KeyedEngine } from "./engine.ts";
import { type ForCoordinators, forCoordinators } from "./for-coordinators.ts";
import { type ForMachines, forMachines } from "./for-machines.ts";
import { createLater } from "./later.ts";
import { PATIENCE, type Patience } from "./patience.ts";
import { type Lets, watch } from "./watch.ts";

export interface Hub extends ForMachines, ForCoordinators {
  close(): void;
}

/**
 * What stands between coordinators and workers: what must not be lost lies in the engine, what streams passes by it. A machine that
 * `lets` does not let work any more is given up at once.
 */
export function createHub(engine: KeyedEngine, patience: Patience = PATIENCE, lets: Lets = () => true): Hub {
  const book = createBook(engine);
  const later = createLater(engine);
  const parts = { engine, book, later, patience };
  const unwatch = watch(book, patience, lets);
  return {
    ...forMachines(parts),
    ...forCoordinators(parts),
    close() {
      later.close();
      unwatch();
    },
  };
}
