import { describe, expect, it } from "vitest";
import { causeIn, whyNot } from "../../src/host/control/go-on.ts";
import { reasonText } from "../../src/text/index.ts";

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

  it("[W71] names the command by which what is not approved is read, and leads to nothing that nobody saw", () => {
    const unapproved = whyNot("T1.1:\n  npm test\nAPPROVAL_NEEDED: 1 command\n  read them above");
    expect(reasonText(unapproved, "en")).toMatch(/in a terminal: espalier resume$/);
    expect(reasonText(unapproved, "ko")).toContain("espalier resume");
    expect(reasonText(whyNot("LOCKED: another process runs here"), "en")).toContain("LOCKED");
  });
});
