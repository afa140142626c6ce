import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../scratch.ts";
import { TallyFile } from "./tally.ts";

const place = () => join(scratchFolder("espalier-tally-"), "tally");

describe("the tally of long proofs", () => {
  it("adds up parts that other processes did, and names what was tried", () => {
    const path = place();
    const one = new TallyFile(path, "aaa");
    one.end(one.begin("store", 10, 1), { counts: { kills: 10, acknowledged: 70 }, broken: [] }, 3);
    const two = new TallyFile(path, "bbb");
    two.end(two.begin("store", 5, 1), { counts: { kills: 5, acknowledged: 20 }, broken: [] }, 2);
    expect(two.sums()).toEqual([
      {
        proof: "store",
        commits: ["aaa", "bbb"],
        parts: 2,
        unended: 0,
        seconds: 5,
        counts: { kills: 15, acknowledged: 90 },
        broken: [],
      },
    ]);
  });

  it("never gives a seed twice to a proof, also not one whose part was killed", () => {
    const path = place();
    const [one, two] = [new TallyFile(path, "aaa"), new TallyFile(path, "aaa")];
    const parts = [one.begin("store", 10, 3), two.begin("store", 5, 3), one.begin("store", 1, 40)];
    expect(parts.map(({ seed }) => seed)).toEqual([3, 13, 40]);
    expect(two.begin("context", 1, 3).seed).toBe(3);
    expect(two.sums()[0]).toMatchObject({ parts: 0, unended: 3 });
  });

  it("keeps what was broken visible, whatever held afterwards", () => {
    const tally = new TallyFile(place(), "aaa");
    tally.end(tally.begin("store", 1, 1), { counts: { kills: 1 }, broken: ["T3 is lost"] }, 1);
    tally.end(tally.begin("store", 1, 1), { counts: { kills: 1 }, broken: [] }, 1);
    expect(tally.sums()[0]?.broken).toEqual(["T3 is lost (aaa)"]);
  });
});
