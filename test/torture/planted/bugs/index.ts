import type { NamedBug } from "../bug.ts";
import { STATE_BUGS } from "./state.ts";

/** Every bug with a name; whoever adds a promise adds bugs that break it. */
export const NAMED: readonly NamedBug[] = [...STATE_BUGS];
