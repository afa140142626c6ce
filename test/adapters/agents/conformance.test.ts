import { describe, expect, it } from "vitest";
import { agentConformance } from "../../../src/testing/agent.ts";
import { agentOf, DIALECTS, standIn } from "./place.ts";

const EVENTS = "what it says is wrapped in events";

for (const name of [...Object.keys(DIALECTS), "acp"]) {
  describe(`the conformance suite with ${name}`, () => {
    const cases = agentConformance({
      agent(script) {
        const { file, dispose } = standIn(name, script);
        return { agent: agentOf(name, file), dispose };
      },
      missing: () => agentOf(name, "/nowhere/agent"),
      encoding: EVENTS,
      ...(name === "acp"
        ? {
            noExitCode: "an answer of the protocol has no exit code",
            lasting: "its process lives from turn to turn, and what it started with it",
          }
        : {}),
    });
    for (const { name: rule, skip, run } of cases) {
      // The floods measure memory: nothing else may fill it meanwhile.
      const isFlood = rule.includes("flood");
      const isTried = skip === undefined;
      it.runIf(isTried)(`${rule}`, { concurrent: !isFlood }, async () => {
        await expect(run()).resolves.toBeUndefined();
      });
    }
  });
}
