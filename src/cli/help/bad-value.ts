import { InvalidArgumentError } from "commander";
import type { ValueKey } from "./shapes.ts";

/** The refusal of a value; the words say by its key what it has to be. */
export function badValue(key: ValueKey): InvalidArgumentError {
  return new InvalidArgumentError(key);
}
