// Marks the build as complete: `ready.mjs` compares its time with the sources.
import { writeFileSync } from "node:fs";

writeFileSync(new URL("../dist/built", import.meta.url), "");
