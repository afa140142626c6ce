import { configureGlobal } from "fast-check";
import { COMPILED } from "./scratch.ts";

// The same cases on every run: whether a change is good does not depend on luck. `npm run torture -- --only properties`
// looks for what these cases miss.
configureGlobal({ seed: Number(process.env["ESPALIER_SEED"] ?? 20_261_120) });

// Programs that tests start compile what they share once, and not anew for each test.
process.env["NODE_COMPILE_CACHE"] ??= COMPILED;

// Nothing that is told depends on the language of the person who runs the tests.
process.env["ESPALIER_LOCALE"] = "en";
