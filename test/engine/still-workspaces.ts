import type { Workspaces } from "../../src/engine/index.ts";
import type { Workspace } from "../../src/engine/workspaces/types.ts";
import { ok } from "../../src/ports/index.ts";

/** One workspace for every task, in which nothing happens but the landing, and that as the test says, and what earlier attempts left. */
export function workspacesThatLand(
  land: Workspace["land"],
  left: () => Workspace["left"] = () => undefined,
): Workspaces {
  const workspace: Workspace = {
    cwd: process.cwd(),
    branch: "main",
    base: "0",
    linked: false,
    landed: process.cwd(),
    seal: async () => ok({ tree: "0", changed: [], unresolved: [], leftOut: false }),
    read: async () => undefined,
    diff: async () => undefined,
    tidy: async () => ok(undefined),
    keepProved: async () => ok("0"),
    land,
    setAside: async () => ok(undefined),
    leave: async () => ok(undefined),
  };
  return {
    async open() {
      const found = left();
      return ok(found === undefined ? workspace : { ...workspace, left: found });
    },
    endPhase: async () => ({ kind: "nothing" }),
    inspect: async () => ok(undefined),
    giveUp() {},
    clear: async () => {},
    stop() {},
    idle: async () => {},
  };
}
