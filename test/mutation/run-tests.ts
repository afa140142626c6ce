import { Skipped, type Suite, type Test } from "./vitest.ts";

export interface Outcome {
  readonly id: string;
  readonly ms: number;
  readonly status: "passed" | "failed" | "skipped";
  readonly message: string;
}

function chainOf(suite: Suite | undefined): Suite[] {
  return suite === undefined ? [] : [...chainOf(suite.parent), suite];
}

async function all(hooks: readonly (() => unknown)[]): Promise<void> {
  for (const hook of hooks) await hook();
}

async function runOne(test: Test): Promise<Outcome> {
  const chain = chainOf(test.suite);
  const began = performance.now();
  const ended = (status: Outcome["status"], message = ""): Outcome => ({
    id: test.id,
    ms: performance.now() - began,
    status,
    message,
  });
  const skip = (condition: unknown = true, why = ""): void => {
    if (condition) throw new Skipped(why);
  };
  try {
    for (const suite of chain) await all(suite.beforeEach);
    try {
      await test.body({ skip });
    } finally {
      for (const suite of chain.toReversed()) await all(suite.afterEach);
    }
    return ended("passed");
  } catch (error) {
    if (error instanceof Skipped) return ended("skipped");
    return ended("failed", error instanceof Error ? error.message : String(error));
  }
}

/**
 * Runs tests in their order, each suite's hooks around its own. Ends with the first that fails when `bail` is set; a
 * suite whose hook fails fails with the test that needed it.
 */
export async function runTests(
  tests: readonly Test[],
  bail: boolean,
  about: (id: string | undefined) => void = () => {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let open: Suite[] = [];
  const closeBut = async (kept: readonly Suite[]): Promise<void> => {
    for (const suite of open.toReversed()) if (!kept.includes(suite)) await all(suite.after);
    open = open.filter(suite => kept.includes(suite));
  };
  for (const test of tests) {
    const chain = chainOf(test.suite);
    // What a suite's hook reaches, the suite's first test has to notice.
    about(test.id);
    try {
      await closeBut(chain);
      for (const suite of chain)
        if (!open.includes(suite)) {
          open.push(suite);
          await all(suite.before);
        }
    } catch (error) {
      outcomes.push({ id: test.id, ms: 0, status: "failed", message: String(error) });
      if (bail) break;
    }
    const outcome = await runOne(test);
    about(undefined);
    outcomes.push(outcome);
    if (bail && outcome.status === "failed") break;
  }
  await closeBut([]).catch(() => {});
  return outcomes;
}
