import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRefQueue } from "../../src/adapters/vcs/git/call/queue.ts";

const BRANCHES = ["a", "b", "c"] as const;

/** Work on some branches, or on none in particular: then it is to be alone. It takes that many turns, and may fail. */
const works = fc.array(
  fc.record({
    branches: fc.subarray([...BRANCHES]),
    turns: fc.integer({ min: 0, max: 4 }),
    fails: fc.boolean(),
  }),
  { maxLength: 14 },
);

describe("[V114] changes of refs", () => {
  it("go on side by side for different branches, one after the other for one, and alone where that was asked for", () =>
    fc.assert(
      fc.asyncProperty(works, fc.boolean(), async (asked, oneFile) => {
        const refs = createRefQueue(oneFile);
        const under = new Set<number>();
        const begun: number[] = [];
        const isApart = (one: number, other: number) => {
          const [mine, theirs] = [asked[one]!.branches, asked[other]!.branches];
          return mine.length > 0 && theirs.length > 0 && !mine.some(branch => theirs.includes(branch));
        };
        await Promise.all(
          asked.map(({ branches, turns, fails }, at) => {
            const work = async () => {
              for (const other of under)
                expect(oneFile || !isApart(at, other) ? other : undefined).toBe(undefined);
              under.add(at);
              begun.push(at);
              for (let turn = 0; turn < turns; turn++) await Promise.resolve();
              under.delete(at);
              if (fails) throw new Error("no");
            };
            const done = branches.length === 0 ? refs.alone(work) : refs.ofBranches(branches, work);
            return done.then(
              () => expect(fails).toBe(false),
              (error: Error) => {
                if (error.message !== "no") throw error;
              },
            );
          }),
        );
        const later = asked.flatMap((_, at) =>
          asked.flatMap((_, one) => (one > at ? [[at, one] as const] : [])),
        );
        const early = later.filter(([at, one]) => begun.indexOf(one) < begun.indexOf(at));
        expect(early.filter(([at, one]) => !isApart(at, one))).toEqual([]);
        expect(begun).toHaveLength(asked.length);
      }),
    ));

  it("wait for nobody else's branch", async () => {
    const refs = createRefQueue(false);
    let free = () => {};
    const first = refs.ofBranches(["a"], () => new Promise<void>(resolve => (free = resolve)));
    expect(await refs.ofBranches(["b"], async () => "through")).toBe("through");
    free();
    await first;
  });
});
