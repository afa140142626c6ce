import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLead, DEFAULT_SYNC_POLICY, neededVersions } from "../../src/sync/index.ts";
import { casesOf } from "../sample.ts";
import { CONTEXT, edit, shape, status, Team } from "./team.ts";

describe("labels", () => {
  it.each(["GC", "api.v2", "문서", "_x-1"])("[SV1] takes %s", label => {
    expect(createLead(label)?.label).toBe(label);
  });

  it.each(["", "a b", "a\u0007", "-x", "x".repeat(65), "a→b", "../x"])("[SV1] refuses %j", label => {
    expect(createLead(label)).toBeUndefined();
  });
});

describe("a policy", () => {
  it("[SV12] is the documents' where it says nothing", () => {
    const silent = Object.fromEntries(Object.keys(DEFAULT_SYNC_POLICY).map(name => [name, undefined]));
    expect(createLead("GC", silent)?.policy).toEqual(DEFAULT_SYNC_POLICY);
    expect(createLead("GC", { ...silent, maxSends: 1 })?.policy).toEqual({
      ...DEFAULT_SYNC_POLICY,
      maxSends: 1,
    });
  });
});

describe("publishing", () => {
  it("[SV1] numbers versions and skips what is not new", () => {
    const team = new Team();
    team.publish(CONTEXT, { by: "lead" });
    const again = team.publish(CONTEXT, { by: "watcher" });
    expect(again.events).toEqual([{ type: "unchanged", version: 1, by: "watcher" }]);
    team.publish(status(CONTEXT, "X"));
    expect(team.lead.versions.map(version => version.number)).toEqual([1, 2]);
    expect(team.lead.versions[0]).toMatchObject({ by: "lead", at: team.now });
  });

  it("[SV1] a version says what was told of it, and nothing else", () => {
    const team = new Team();
    const { events } = team.publish("# A\n\na\n\n# B\n\nb\n");
    const [first] = team.lead.versions;
    expect(first).toStrictEqual({ number: 1, hash: first!.hash, at: team.now, by: "" });
    const sections = ["A", "B"];
    const { hash } = first!;
    expect(events).toStrictEqual([
      { type: "published", version: 1, hash, by: "", sections, now: [], later: [] },
    ]);
    team.publish("# A\n\na\n\n# B\n\nc\n", { actions: [" test it, twice ", "NONE", " "] });
    expect(team.lead.versions[1]!.actions).toEqual(["test it; twice", "-", "-"]);
  });

  it("[SV2] [SV4] a refusal says what stands against the text", () => {
    const team = new Team();
    const refusal = (text: string, base?: number): unknown =>
      team.publish(text, base === undefined ? {} : { base }).events[0];
    const refused = { type: "refused", by: "", clashes: [] };
    expect(refusal("x", 3)).toStrictEqual({
      ...refused,
      reason: "unknown-base",
      message: "Version 3 is not kept: read the current one first",
      base: 3,
    });
    expect(refusal("\ud800")).toStrictEqual({
      ...refused,
      reason: "not-unicode",
      message: "The text holds half a surrogate pair: UTF-8 cannot carry it",
    });
    expect(refusal("x".repeat(32_000_001))).toStrictEqual({
      ...refused,
      reason: "too-large",
      message: "The text has 32000001 characters, the limit is 32000000",
    });
    team.publish("# A\n\na\n\n# B\n\nb\n");
    team.publish("# A\n\na1\n\n# B\n\nb1\n");
    expect(refusal("# A\n\na2\n\n# B\n\nb2\n", 1)).toMatchObject({
      reason: "same-section",
      message: "Since version 1 both changed §A, §B",
      current: 2,
      base: 1,
    });
  });

  it("[SI1] is the point of an interface change where none is named", () => {
    const team = Team.of(["ann"], { points: { "IP-003": { context: "full", task: true } } });
    team.taskContexts.length = 0;
    team.publish(status(CONTEXT, "X"));
    expect(team.post.map(shape)).toEqual(["v2 full: injection-point"]);
    expect(team.taskContexts).toEqual(["ann"]);
  });

  it("[SQ4] a version that waits behind one in flight begins no new count", () => {
    const team = Team.of(["ann"], { maxSends: 2 });
    team.publish(status(CONTEXT, "X"));
    team.tick(120_000);
    team.publish(status(CONTEXT, "Y"));
    expect(team.tick(120_000).events.map(({ type }) => type)).toEqual(["timeout", "silent"]);
  });

  it("[SV1] goes back to an earlier text as a new version", () => {
    const team = Team.of(["ann"], { maxGap: "any" });
    team.publish(status(CONTEXT, "X"), { affected: [] });
    team.publish(CONTEXT);
    const [message] = team.exchange();
    expect(message?.version).toBe(3);
    expect(team.replica("ann").held).toMatchObject({ version: 3, text: CONTEXT });
    expect(team.confirmed("ann")).toBe(3);
  });

  it("[SV2] refuses what UTF-8 cannot carry", () => {
    const team = Team.of(["ann"]);
    const step = team.publish(`${CONTEXT}\ud800`, { by: "eve" });
    expect(step.events).toMatchObject([{ type: "refused", by: "eve", reason: "not-unicode", current: 1 }]);
    expect(team.lead.versions).toHaveLength(1);
  });

  it("[SV2] refuses what no decoder takes", () => {
    const step = new Team().publish("x".repeat(32_000_001));
    expect(step.events).toMatchObject([{ type: "refused", reason: "too-large" }]);
    expect(step.messages).toEqual([]);
  });

  it.each(["", "\n", "\uFEFF# A\r\ntext\r\n", "a\0b", "no end", "| a |\n→: …\n", "# A\n".repeat(300)])(
    "[SV2] carries %j",
    text => {
      const team = Team.of(["ann"]);
      team.publish(text);
      team.exchange();
      expect(team.replica("ann").held).toMatchObject({ version: 2, text });
      team.publish(CONTEXT);
      team.exchange();
      expect(team.replica("ann").held).toMatchObject({ version: 3, text: CONTEXT });
      team.join("ben");
      team.exchange();
      expect(team.replica("ben").held?.text).toBe(CONTEXT);
    },
  );

  it("[SV2] carries any text, to whoever has any other", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .array(fc.constantFrom("# A", "- x: y", "", "\r", "\\", "## Full", "- ADDED x"))
        .map(all => all.join("\n")),
    );
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), texts => {
        const team = new Team({}, { ...new Team().codec, countTokens: one => one.length });
        team.join("ann");
        for (const one of texts) {
          team.publish(one);
          team.exchange();
        }
        const last = team.lead.versions.at(-1)?.number ?? 0;
        expect(team.replica("ann").held?.text).toBe(team.lead.contents.get(last));
        expect(team.confirmed("ann") ?? 0).toBe(last);
      }),
      { numRuns: casesOf(38, 150) },
    );
  });

  it("[SV3] merges two publishers of different sections", () => {
    const team = Team.of(["ann"]);
    const first = team.publish(status(CONTEXT, "COMPLETE"), { base: 1, by: "lead" });
    expect(first.events[0]).not.toHaveProperty("mergedFrom");
    const second = team.publish(edit(CONTEXT, "No new service", "No new server"), { base: 1, by: "other" });
    expect(second.events[0]).toMatchObject({ type: "published", version: 3, by: "other", mergedFrom: 1 });
    const merged = edit(status(CONTEXT, "COMPLETE"), "No new service", "No new server");
    expect(team.lead.contents.get(3)).toBe(merged);
    team.exchange();
    expect(team.replica("ann").held?.text).toBe(merged);
  });

  it("[SV4] refuses a section that both changed, and shows both", () => {
    const team = Team.of(["ann"]);
    team.publish(status(CONTEXT, "COMPLETE"), { base: 1 });
    const refused = team.publish(status(CONTEXT, "BLOCKED"), { base: 1, by: "other" });
    expect(refused.events).toEqual([
      {
        type: "refused",
        by: "other",
        reason: "same-section",
        message: "Since version 1 both changed §Status",
        current: 2,
        base: 1,
        clashes: [
          {
            section: "Status",
            current: "## Status\n\n- Phase 1: COMPLETE\n- Phase 2: COMPLETE\n",
            published: "## Status\n\n- Phase 1: COMPLETE\n- Phase 2: BLOCKED\n",
          },
        ],
      },
    ]);
    expect(team.lead.versions).toHaveLength(2);
  });

  it.each([0, 2, 99, -1])("[SV4] refuses base %i, which is not kept", base => {
    const step = Team.of(["ann"]).publish(status(CONTEXT, "X"), { base });
    expect(step.events).toMatchObject([{ type: "refused", reason: "unknown-base", base }]);
  });

  it("[SV4] the same change made twice is no new version", () => {
    const team = Team.of([]);
    team.publish(status(CONTEXT, "COMPLETE"), { base: 1 });
    expect(team.publish(status(CONTEXT, "COMPLETE"), { base: 1 }).events).toMatchObject([
      { type: "unchanged", version: 2 },
    ]);
  });

  it("[SV7] keeps texts as long as someone needs them", () => {
    const team = Team.of(["ann", "ben"], { keepVersions: 2, maxGap: "any" });
    for (let number = 2; number <= 30; number++) {
      team.publish(status(CONTEXT, `S${number}`), { affected: ["ann"] });
      team.exchange();
    }
    expect(team.confirmed("ben")).toBe(1);
    expect(neededVersions(team.lead)).toEqual(new Set([30, 1]));
    expect(team.lead.contents.has(1)).toBe(true);
    expect(team.lead.contents.size).toBeLessThanOrEqual(5);
    team.tell({ type: "inject", point: "IP-002", teammates: ["ben"] });
    expect(team.exchange().map(shape)).toEqual(["v1→v30 delta: squashed"]);
    expect(team.replica("ben").held?.text).toBe(status(CONTEXT, "S30"));
  });

  it("[SV7] lets go of what only the ended held", () => {
    const team = Team.of(["ann"], { keepVersions: 1 });
    team.tell({ type: "leave", teammate: "ann" });
    for (let number = 2; number <= 10; number++) team.publish(status(CONTEXT, `S${number}`));
    expect(team.lead.contents.has(1)).toBe(false);
    expect(team.lead.versions).toHaveLength(10);
  });
});
