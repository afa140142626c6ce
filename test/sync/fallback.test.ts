import { describe, expect, it } from "vitest";
import { leadRows, leadStep, restoreLead, syncLogLine } from "../../src/sync/index.ts";
import { CODEC, CONTEXT, edit, shape, status, Team } from "./team.ts";

const rewritten = CONTEXT.split("\n")
  .map(line =>
    line.startsWith("#") || line.trim() === "" ? line : `${line.split("").toReversed().join("")} anew`,
  )
  .join("\n");

/** A team of one, one version behind. */
function behind(policy = {}): Team {
  const team = Team.of(["ann"], policy);
  team.publish(status(CONTEXT, "COMPLETE"));
  return team;
}

describe("full or delta", () => {
  it("[SF1] sends a delta where no rule calls for more", () => {
    const team = behind();
    const message = team.take();
    expect(shape(message)).toBe("v1→v2 delta: next-version");
    expect(message.text).toContain("- CHANGED §Status: Phase 2: IN_PROGRESS → COMPLETE");
    expect(team.deliver(message).receipt).toEqual({ type: "applied", version: 2, items: 1 });
    expect(team.replica("ann").held?.text).toBe(status(CONTEXT, "COMPLETE"));
  });

  it("[SF1] context lost: full", () => {
    const team = behind();
    team.post.length = 0;
    team.tell({ type: "lost", teammate: "ann", session: "s1", cause: "compaction" });
    expect(team.post.map(shape)).toEqual(["v2 full: context-lost"]);
    expect(team.taskContexts).toEqual(["ann", "ann"]);
  });

  it("[SF1] initial spawn: full", () => {
    const team = new Team();
    team.publish(CONTEXT);
    team.join("ann");
    expect(team.post.map(shape)).toEqual(["v1 full: initial-spawn"]);
    expect(team.taskContexts).toEqual(["ann"]);
  });

  it("[SF1] explicit request: full", () => {
    const team = Team.of(["ann"]);
    team.say("ann", "[CONTEXT-REQUEST] GC: need full context");
    expect(team.post.map(shape)).toEqual(["v1 full: requested"]);
    team.exchange();
    team.publish(status(CONTEXT, "COMPLETE"));
    expect(team.post.map(shape)).toEqual(["v1→v2 delta: next-version"]);
  });

  it("[SF1] version gap: full", () => {
    const team = Team.of(["ann"]);
    team.publish(status(CONTEXT, "BLOCKED"), { affected: [] });
    team.publish(status(CONTEXT, "COMPLETE"));
    expect(team.post.map(shape)).toEqual(["v3 full: version-gap"]);
  });

  it("[SF1] more than half of it changed: full", () => {
    const team = Team.of(["ann"]);
    team.publish(rewritten);
    expect(team.post.map(shape)).toEqual(["v2 full: major-restructure"]);
    team.exchange();
    expect(team.replica("ann").held?.text).toBe(rewritten);
  });

  it.each([
    ["lost and requested and far behind", "context-lost", "lost"],
    ["new and far behind", "initial-spawn", "new"],
    ["requested and far behind", "requested", "requested"],
    ["far behind a large change", "version-gap", "gap"],
  ])("[SF1] %s: %s comes first", (_, why, how) => {
    const team = Team.of(["ann"]);
    team.publish(rewritten, { affected: [] });
    team.publish(`${rewritten}more\n`, { affected: [] });
    const session = "s1";
    if (how === "lost") {
      team.tell({ type: "freeze", gate: "1" });
      team.tell({ type: "lost", teammate: "ann", session, cause: "resume" });
      team.say("ann", "[CONTEXT-REQUEST] GC: need full context");
    } else if (how === "new") team.join("ann", { session: "s2" });
    else if (how === "requested") team.say("ann", "[CONTEXT-REQUEST] GC: need full context");
    else team.tell({ type: "inject", point: "IP-002", teammates: ["ann"] });
    expect(team.post.at(-1)?.why).toBe(why);
    expect(team.post.at(-1)?.form).toBe("full");
  });

  it("[SF2] counts the gap from the confirmed version, not from the one that was sent", () => {
    const team = behind();
    team.publish(status(CONTEXT, "BLOCKED"));
    expect(team.post.map(shape)).toEqual(["v1→v2 delta: next-version"]);
    team.tick(120_000);
    expect(team.post.slice(1).map(shape)).toEqual(["v3 full: version-gap"]);
  });

  it("[SF2] maxGap any bridges any gap with one squashed delta", () => {
    const team = Team.of(["ann"], { maxGap: "any" });
    let text = CONTEXT;
    for (const value of ["A", "B", "C", "D"]) {
      text = status(text, value);
      team.publish(text, { affected: [] });
    }
    team.publish(edit(text, "No new service", "No new server"));
    const message = team.take();
    expect(shape(message)).toBe("v1→v6 delta: squashed");
    expect(message.text).toContain("Phase 2: IN_PROGRESS → D");
    team.deliver(message);
    expect(team.replica("ann").held).toMatchObject({
      version: 6,
      text: edit(text, "No new service", "No new server"),
    });
  });

  it.each([
    [1, "v4 full: version-gap"],
    [2, "v4 full: version-gap"],
    [3, "v1→v4 delta: squashed"],
  ])("[SF2] maxGap %s after three unseen versions: %s", (maxGap, expected) => {
    const team = Team.of(["ann"], { maxGap });
    for (const value of ["A", "B"]) team.publish(status(CONTEXT, value), { affected: [] });
    team.publish(status(CONTEXT, "C"));
    expect(team.post.map(shape)).toEqual([expected]);
  });

  it("[SF3] majorRestructure is a share of the full message by tokens", () => {
    const next = CONTEXT.replaceAll("export", "download of files in one of two formats").replaceAll(
      "D-",
      "Decision ",
    );
    const shares = [0.05, 0.2, 0.5, 0.9].map(majorRestructure => {
      const team = Team.of(["ann"], { majorRestructure });
      team.publish(next);
      return { majorRestructure, form: team.post[0]!.form, tokens: team.post[0]!.tokens };
    });
    const full = Team.of(["ann"], { majorRestructure: 0 });
    full.publish(next);
    const whole = full.post[0]!.tokens;
    const most = shares.map(({ form, majorRestructure }) =>
      form === "full" ? whole : majorRestructure * whole,
    );
    expect(shares.filter(({ tokens }, index) => tokens > most[index]!)).toEqual([]);
    expect(shares[0]!.form).toBe("full");
    expect(shares.at(-1)!.form).not.toBe("full");
  });

  it("[SF4] a restored lead without the confirmed text sends everything", () => {
    const team = Team.of(["ann"]);
    const rows = leadRows(team.lead);
    const lead = restoreLead(rows, new Map([[1, CONTEXT]]), team.lead.policy);
    lead.contents.delete(1);
    lead.contents.set(1, CONTEXT);
    const first = leadStep(lead, { type: "publish", now: 1, text: status(CONTEXT, "X") }, CODEC);
    expect(first.messages.map(shape)).toEqual(["v1→v2 delta: next-version"]);
    lead.contents.delete(1);
    const again = leadStep(lead, { type: "pull", now: 2, teammate: "ann" }, CODEC);
    expect(again.messages.map(shape)).toEqual(["v2 full: base-gone"]);
  });

  it("[SF4] a step that no delta can be proved for goes in full", () => {
    const broken = {
      ...CODEC,
      encode: () => ({ ok: false, failure: { kind: "inexact", message: "no" } }) as const,
    };
    const team = new Team({}, broken);
    team.publish(CONTEXT);
    team.join("ann");
    team.exchange();
    team.publish(status(CONTEXT, "X"));
    expect(team.post.map(shape)).toEqual(["v2 full: inexact"]);
    expect(team.deliver(team.take()).receipt.type).toBe("applied");
  });

  it("[SF5] says its reason in the log", () => {
    const team = behind();
    team.publish(status(CONTEXT, "BLOCKED"));
    team.tick(120_000);
    const lines = team.log.filter(event => event.type === "sent").map(event => syncLogLine("GC", event));
    expect(lines).toEqual([
      expect.stringMatching(
        /^\[SYNC\] GC: v1 to ann as full \(#1, \d+ tokens\): it has just begun, at IP-001$/,
      ),
      expect.stringMatching(
        /^\[SYNC\] GC: v1 → v2 to ann as delta \(#2, \d+ tokens\): the next version, at IP-003$/,
      ),
      expect.stringMatching(
        /^\[SYNC\] GC: v3 to ann as full \(#3, \d+ tokens\): more versions lie between than one delta may bridge, at IP-003$/,
      ),
    ]);
  });
});
