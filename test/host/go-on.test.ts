import { describe, expect, it } from "vitest";
import { causeIn } from "../../src/host/control/go-on.ts";

describe("a run that does not go on", () => {
  it.each([
    [
      "These commands are not approved yet:\n  T1.1:\n    npm test\nAPPROVAL_NEEDED: 1 command\n  espalier resume --yes",
      "APPROVAL_NEEDED: 1 command · espalier resume --yes",
    ],
    ["LOCKED: another process runs here", "LOCKED: another process runs here"],
    ["it broke\nat once", "it broke · at once"],
    ["", ""],
  ])("says its error, and not what was shown before it: %j", (words, cause) => {
    expect(causeIn(words)).toBe(cause);
  });
});
