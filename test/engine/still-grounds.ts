import type { Ground } from "../../src/engine/grounds/types.ts";
import type { Grounds } from "../../src/engine/index.ts";
import { ok } from "../../src/ports/index.ts";

/** One ground for every task, in which nothing happens but the landing, and that as the test says. */
export function groundsThatLand(land: Ground["land"]): Grounds {
  const ground: Ground = {
    cwd: process.cwd(),
    branch: "main",
    base: "0",
    linked: false,
    landed: process.cwd(),
    seal: async () => ok({ tree: "0", changed: [], unresolved: [], leftOut: false }),
    tidy: async () => ok(undefined),
    land,
    leave: async () => ok(undefined),
  };
  return {
    open: async () => ok(ground),
    endPhase: async () => ({ kind: "nothing" }),
    inspect: async () => ok(undefined),
    giveUp() {},
    idle: async () => {},
  };
}
