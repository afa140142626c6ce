import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLane, type Lane } from "../../src/engine/workspaces/lane.ts";

const never = new AbortController().signal;

/** Landings that end when the test says so, each with whether it was a conflict. */
function landings(lane: Lane) {
  const begun: string[] = [];
  const ends = new Map<string, (isConflict: boolean) => void>();
  const ask = (task: string, stop: AbortSignal = never) =>
    lane.pass(
      task,
      stop,
      () => {
        begun.push(task);
        return new Promise<boolean>(resolve => ends.set(task, resolve));
      },
      isConflict => isConflict,
    );
  const end = async (task: string, isConflict = false) => {
    ends.get(task)?.(isConflict);
    await settled();
  };
  return { begun, ask, end };
}

/** Lets everything go as far as it can. */
async function settled(): Promise<void> {
  for (let at = 0; at < 20; at++) await Promise.resolve();
}

describe("the lane", () => {
  it("[E61] lets one through at a time, in order", async () => {
    const { begun, ask, end } = landings(createLane());
    const all = ["a", "b", "c"].map(task => ask(task));
    await settled();
    expect(begun).toEqual(["a"]);
    for (const task of ["a", "b", "c"]) await end(task);
    expect(begun).toEqual(["a", "b", "c"]);
    expect(await Promise.all(all)).toEqual([false, false, false]);
  });

  it("[E61] is held by who met a conflict until it is through", async () => {
    const { begun, ask, end } = landings(createLane());
    const first = ask("a");
    void ask("b");
    void ask("c");
    await settled();
    await end("a", true);
    expect(await first).toBe(true);
    expect(begun).toEqual(["a"]);
    void ask("a");
    await settled();
    expect(begun).toEqual(["a", "a"]);
    await end("a");
    expect(begun).toEqual(["a", "a", "b"]);
  });

  it("[E61] is given up by nobody but who holds it", async () => {
    const lane = createLane();
    const { begun, ask, end } = landings(lane);
    void ask("a");
    void ask("b");
    await settled();
    await end("a", true);
    lane.giveUp("b");
    await settled();
    expect(begun).toEqual(["a"]);
    lane.giveUp("a");
    await settled();
    expect(begun).toEqual(["a", "b"]);
    // While somebody lands, nothing is given up but what was held.
    lane.giveUp("b");
    void ask("c");
    await settled();
    expect(begun).toEqual(["a", "b"]);
    await end("b");
    expect(begun).toEqual(["a", "b", "c"]);
  });

  it("[E61] is left by who is stopped while waiting, and nothing is done then", async () => {
    const { begun, ask, end } = landings(createLane());
    const stop = new AbortController();
    void ask("a");
    const waits = ask("b", stop.signal);
    void ask("c");
    await settled();
    stop.abort();
    expect(await waits).toBeUndefined();
    expect(await ask("d", stop.signal)).toBeUndefined();
    await end("a");
    expect(begun).toEqual(["a", "c"]);
    // Who is in already comes to its end.
    await end("c");
  });

  it("[E61] is free again when a landing throws", async () => {
    const lane = createLane();
    const fails = lane.pass(
      "a",
      never,
      () => Promise.reject(new Error("git is gone")),
      () => true,
    );
    await expect(fails).rejects.toThrow("git is gone");
    expect(
      await lane.pass(
        "b",
        never,
        async () => "landed",
        () => false,
      ),
    ).toBe("landed");
  });

  it("[E61] lets everybody home who goes on or gives up, whatever they meet", async () => {
    const script = fc.array(
      fc.constantFrom<"lands" | "conflicts" | "gives up">("lands", "conflicts", "gives up"),
      {
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(script, { minLength: 1, maxLength: 6 }), async scripts => {
        const lane = createLane();
        let inside = 0;
        let holder: string | undefined;
        const live = async (task: string, [what, ...rest]: (typeof scripts)[number]): Promise<void> => {
          const isConflict = what === "conflicts" || what === "gives up";
          await lane.pass(
            task,
            never,
            async () => {
              expect(++inside).toBe(1);
              expect([undefined, task]).toContain(holder);
              await Promise.resolve();
              inside--;
              holder = isConflict ? task : undefined;
              return isConflict;
            },
            held => held,
          );
          if (what === "conflicts") return live(task, rest);
          if (what === "gives up") {
            holder = undefined;
            lane.giveUp(task);
          }
        };
        await Promise.all(scripts.map((parts, n) => live(`t${n}`, parts)));
        expect(inside).toBe(0);
      }),
    );
  });
});
