import { configureGlobal } from "fast-check";

// The same cases on every run: whether a change is good does not depend on luck. `npm run torture -- --only properties`
// looks for what these cases miss.
configureGlobal({ seed: Number(process.env["ESPALIER_SEED"] ?? 20_261_120) });
