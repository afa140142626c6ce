import { afterAll, beforeAll, describe } from "vitest";
import { noEngine, testEngine } from "./bench.ts";

type TestEngine = Awaited<ReturnType<typeof testEngine>>;

/** A group of tests that share an engine, up from the first to the last of them; where there is none they are skipped, and the title says why. */
export function withEngine(title: string, tests: (engine: () => TestEngine) => void): void {
  const why = noEngine === undefined ? "" : ` (${noEngine})`;
  describe.skipIf(noEngine !== undefined)(`${title}${why}`, () => {
    let engine: TestEngine;
    beforeAll(async () => {
      engine = await testEngine();
    }, 60_000);
    afterAll(() => engine?.close());
    tests(() => engine);
  });
}
