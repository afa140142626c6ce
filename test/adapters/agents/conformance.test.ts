import { describe, expect, it } from "vitest";
import { agentConformance } from "../../../src/testing/agent.ts";
import { WHOLE } from "../../sample.ts";
import { agentOf, DIALECTS, standIn } from "./place.ts";

const EVENTS = "what it says is wrapped in events";

const NAMES = [...Object.keys(DIALECTS), "acp"];

for (const [at, name] of NAMES.entries()) {
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
    for (const [place, { name: rule, skip, run }] of cases.entries()) {
      // The floods measure memory: nothing else may fill it meanwhile.
      const isFlood = rule.includes("flood");
      // Each day each case with one of the command lines, in turns, and but for the floods with the protocol.
      const isSampled = name === "acp" ? !isFlood : place % (NAMES.length - 1) === at;
      const isTried = skip === undefined && (WHOLE || isSampled);
      it.runIf(isTried)(`${rule}`, { concurrent: !isFlood }, async () => {
        await expect(run()).resolves.toBeUndefined();
      });
    }
  });
}
