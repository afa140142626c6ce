import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stampVersion } from "../../src/sync/stamp.ts";
import { CONTEXT, Team } from "./team.ts";

describe("versions in front matter", () => {
  it.each([
    ["---\nversion: 3\nowner: lead\n---\n# A\n", "---\nversion: 4\nowner: lead\n---\n# A\n"],
    ["---\nowner: lead\n---\n# A\n", "---\nowner: lead\nversion: 4\n---\n# A\n"],
    ["---\r\nowner: lead\r\n---\r\n# A\r\n", "---\r\nowner: lead\r\nversion: 4\r\n---\r\n# A\r\n"],
    ["\uFEFF---\nversion: GC-v3\n---\n", "\uFEFF---\nversion: GC-v4\n---\n"],
    ["---\nversion: v3\n---\n", "---\nversion: v4\n---\n"],
    ["---\nversion: v10\n---\n", "---\nversion: v4\n---\n"],
    ["---\nversion: v9\n---\n", "---\nversion: v4\n---\n"],
    ["---\nversion: v-3\n---\n", "---\nversion: 4\n---\n"],
    ["---\nversion: v\n---\n", "---\nversion: 4\n---\n"],
    ["---\nowner: lead\n---", "---\nowner: lead\nversion: 4\n---"],
    ["---\nowner: lead\n---\nversion: 9\n", "---\nowner: lead\nversion: 4\n---\nversion: 9\n"],
    ["---\nversion: 1.0.3\n---\n", "---\nversion: 4\n---\n"],
    ["---\nversion:\n...\nversion: 9\n", "---\nversion: 4\n...\nversion: 9\n"],
    ["---\n---\n", "---\nversion: 4\n---\n"],
    ["---\nnested:\n  version: 1\n---\n", "---\nnested:\n  version: 1\nversion: 4\n---\n"],
  ])("[SV8] %j becomes %j", (text, stamped) => {
    expect(stampVersion(text, 4)).toBe(stamped);
  });

  it.each([
    "",
    "# A\n",
    "version: 3\n",
    "---\nversion: 3\n",
    "a\n---\nversion: 3\n---\n",
    "```\n---\nversion: 1\n---\n```\n",
  ])("[SV8] %j has no front matter and stays", text => {
    expect(stampVersion(text, 4)).toBe(text);
  });

  it("[SV8] stamping twice is stamping once, and the last number stands", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(99), fc.nat(99), (head, body, one, two) => {
        const text = `---\n${head}\n---\n${body}`;
        expect(stampVersion(stampVersion(text, one), two)).toBe(stampVersion(text, two));
        expect(stampVersion(text, one).split("\n").length - text.split("\n").length).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("[SV8] is told in each version, and is nobody's edit", () => {
    const team = new Team({ stampVersion: true });
    team.publish(CONTEXT);
    expect(team.lead.contents.get(1)).toBe(CONTEXT.replace("owner: lead\n", "owner: lead\nversion: 1\n"));
    // The file itself carries no number: publishing it again changes nothing.
    expect(team.publish(CONTEXT).events).toMatchObject([{ type: "unchanged", version: 1 }]);
    const mine = CONTEXT.replace("Phase 2: IN_PROGRESS", "Phase 2: COMPLETE");
    team.publish(mine);
    expect(team.lead.contents.get(2)).toContain("version: 2\n");
    const other = CONTEXT.replace("as CSV and PDF", "as CSV");
    const merged = team.publish(other, { base: 1 });
    expect(merged.events[0]).toMatchObject({ type: "published", version: 3, mergedFrom: 1 });
    expect(team.lead.contents.get(3)).toContain("version: 3\n");
    expect(team.lead.contents.get(3)).toContain("Phase 2: COMPLETE");
    expect(team.lead.contents.get(3)).toContain("as CSV without");
  });

  it("[SV8] stays as it is where the project does not ask for it", () => {
    const team = new Team();
    team.publish(CONTEXT);
    expect(team.lead.contents.get(1)).toBe(CONTEXT);
  });
});
