import { describe, expect, it } from "vitest";
import { vcsConformance } from "../../src/testing/index.ts";
import { openGitLab } from "./lab.ts";

const cases = vcsConformance({
  async place() {
    const lab = openGitLab();
    return {
      vcs: await lab.vcs(),
      target: "main",
      file: "a.txt",
      beside: lab.place,
      dispose: () => lab[Symbol.dispose](),
    };
  },
});

describe("git keeps the rules of the Vcs port", () => {
  it.each(cases)("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
