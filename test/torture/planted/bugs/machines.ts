import type { NamedBug } from "../bug.ts";

/** Bugs of the hub and of the workers that carry attempts out elsewhere. */
export const MACHINE_BUGS: readonly NamedBug[] = [
  {
    name: "a token is good for ever",
    file: "src/hub/tokens.ts",
    symbol: "createTokenBook",
    swap: ["one.expires > now && ", ""],
    by: { test: "test/hub/serve.test.ts", rule: "HB9" },
  },
  {
    name: "a token that was taken back is still let in",
    file: "src/hub/tokens.ts",
    symbol: "createTokenBook",
    swap: ["fresh !== stamp", 'stamp === ""'],
    by: { test: "test/hub/serve.test.ts", rule: "HB9" },
  },
  {
    name: "a worker whose owner says nothing of a jail has none",
    file: "src/worker/rules.ts",
    symbol: "readRules",
    swap: ['saysJail ? jail.use : "on"', 'saysJail ? jail.use : "off"'],
    by: { test: "test/hub/rules.test.ts", rule: "WK7" },
  },
];
