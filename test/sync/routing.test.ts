import { describe, expect, it } from "vitest";
import { changesBetween, isAffected } from "../../src/sync/routing.ts";
import { CONTEXT, edit, status, Team } from "./team.ts";

/** A team with declared interests; `all` has none. */
function team(policy = {}): Team {
  const made = new Team(policy);
  made.publish(CONTEXT);
  made.join("all");
  made.join("ann", { interests: ["§Status"] });
  made.join("ben", { interests: ["contracts"], role: "builder" });
  made.join("cas", { interests: ["Decisions"] });
  made.exchange();
  return made;
}

function told(made: Team, text: string, more = {}): { now: readonly string[]; later: readonly string[] } {
  const [event] = made.publish(text, more).events;
  if (event?.type !== "published") throw new Error(`Not published: ${event?.type}`);
  return { now: event.now, later: event.later };
}

describe("routing", () => {
  it("[SV5] tells at once whose section changed; the others learn later", () => {
    const made = team();
    expect(told(made, status(CONTEXT, "X"))).toEqual({ now: ["all", "ann"], later: ["ben", "cas"] });
    expect(made.post.map(message => message.teammate)).toEqual(["all", "ann"]);
  });

  it("[SV5] an interest is the beginning of a title, to a word's end", () => {
    expect(told(team(), edit(CONTEXT, "No new service", "No server")).now).toEqual(["all", "cas"]);
    const made = team();
    made.join("dan", { interests: ["Dec"] });
    made.exchange();
    expect(told(made, edit(CONTEXT, "No new service", "No server")).later).toContain("dan");
  });

  it("[SV5] a change below a section is one of it", () => {
    expect(told(team(), edit(CONTEXT, "answers 202", "answers 201")).now).toEqual(["all", "ben"]);
  });

  it("[SV5] a new section, and a removed one, count by their titles", () => {
    expect(told(team(), `${CONTEXT}\n## Status of mails\n\nnone\n`).now).toEqual(["all", "ann"]);
    const gone =
      CONTEXT.slice(0, CONTEXT.indexOf("## Status")) + CONTEXT.slice(CONTEXT.indexOf("## Decisions"));
    expect(told(team(), gone).now).toEqual(["all", "ann"]);
  });

  it("[SV5] a changed line that names a teammate or its role affects it", () => {
    expect(told(team(), edit(CONTEXT, "- builder: src/exports", "- builder: src/mail")).now).toEqual([
      "all",
      "ben",
    ]);
    expect(told(team(), edit(CONTEXT, "- tester: test/exports", "- tester, cas: test/exports")).now).toEqual([
      "all",
      "cas",
    ]);
    expect(
      told(team(), edit(CONTEXT, "- tester: test/exports", "- tester, cascade: test/exports")).now,
    ).toEqual(["all"]);
  });

  it("[SV5] text outside of all sections affects everyone, front matter nobody in particular", () => {
    const before = "---\nowner: lead\n---\n\nRead this first.\n\n## Status\n\n- x\n";
    for (const [text, now] of [
      [edit(before, "Read this first", "Read this now"), ["ann", "ben"]],
      [edit(before, "owner: lead", "owner: nobody"), []],
    ] as const) {
      const made = new Team();
      made.publish(before);
      made.join("ann", { interests: ["Status"] });
      made.join("ben", { interests: ["Else"] });
      made.exchange();
      expect(told(made, text).now).toEqual(now);
    }
  });

  it("[SV5] the publisher's word comes before interests", () => {
    const made = team();
    expect(told(made, status(CONTEXT, "X"), { affected: ["ben", "nobody"] })).toEqual({
      now: ["ben"],
      later: ["all", "ann", "cas"],
    });
    expect(made.post[0]!.text).toContain("- Affected teammates: ben, nobody");
  });

  it("[SV5] who has nothing yet is always told", () => {
    const made = new Team();
    made.join("ann", { interests: ["Nothing"] });
    expect(made.post).toEqual([]);
    expect(told(made, CONTEXT).now).toEqual(["ann"]);
    made.tell({ type: "freeze", gate: "1" });
    made.tell({ type: "lost", teammate: "ann", session: "s1", cause: "resume" });
    expect(told(made, status(CONTEXT, "X")).now).toEqual(["ann"]);
  });

  it.each([
    [{ routing: "all" } as const, {}],
    [{}, { point: "IP-004" } as const],
    [{}, { point: "IP-009" } as const],
  ])("[SV5] %o %o tells everyone", (policy, more) => {
    expect(told(team(policy), status(CONTEXT, "X"), more)).toEqual({
      now: ["all", "ann", "ben", "cas"],
      later: [],
    });
  });

  it("[SV6] names the affected where they are not all, and the actions", () => {
    const made = team();
    made.publish(status(CONTEXT, "X"), { actions: ["re-read §Status", "a, b\nc"] });
    expect(made.post[0]!.text).toContain(
      "## Impact Assessment\n- Affected teammates: all, ann\n- Required actions: re-read §Status, a; b\\nc",
    );
    const plain = Team.of(["ann"]);
    plain.publish(status(CONTEXT, "X"));
    expect(plain.post[0]!.text).not.toContain("Impact");
  });

  it("[SV6] a squashed delta names what all its versions ask for, once", () => {
    const made = Team.of(["ann"], { maxGap: "any" });
    made.publish(status(CONTEXT, "A"), { affected: [], actions: ["read", "test"] });
    made.publish(status(CONTEXT, "B"), { affected: ["ann"], actions: ["test", "stop"] });
    expect(made.post[0]!.text).toContain("- Affected teammates: ann\n- Required actions: read, test, stop");
  });

  it("[SV6] a full message names them before the document", () => {
    const made = Team.of(["ann"]);
    made.publish(status(CONTEXT, "A"), { affected: ["ann"], actions: ["read"] });
    made.post.length = 0;
    made.tell({ type: "lost", teammate: "ann", session: "s1", cause: "restart" });
    const message = made.take();
    expect(message.text).toContain(
      "## Impact Assessment\n- Affected teammates: ann\n- Required actions: read\n\n## Full\n---\n",
    );
    expect(made.deliver(message).receipt.type).toBe("applied");
  });

  it("[SV6] names that no list can carry are made to fit", () => {
    const made = Team.of(["ann"]);
    made.publish(status(CONTEXT, "A"), { affected: ["ann", "", "NONE", "a\u0007b", "x, y"] });
    expect(made.post[0]!.text).toContain("- Affected teammates: ann, -, a\\x07b, x; y");
    expect(made.deliver(made.take()).receipt.type).toBe("applied");
  });

  /** Whether a change of one section's text affects a teammate by its name or interests. */
  function affected(line: string, id: string, interests: readonly string[], title = "Other"): boolean {
    const mate = { ...team().mate("ann"), id, interests };
    return isAffected(mate, changesBetween(`# ${title}\n\nx\n`, `# ${title}\n\n${line}\n`));
  }

  it.each([
    ["ann", true],
    ["Ann: yes", true],
    ["ask (ann)", true],
    ["annie, then ann", true],
    ["joann", false],
    ["ann-x", false],
    ["x_ann", false],
    ["ann_x", false],
    ["x-ann", false],
    ["0ann", false],
    ["ann9", false],
    ["an", false],
  ])("[SV5] a line %j names ann as a word of its own: %j", (line, named) => {
    expect(affected(line, "ann", ["Nothing"])).toBe(named);
  });

  it("[SV5] a name does not begin in one line and end in another", () => {
    const changes = changesBetween("# A\n\nx an\n", "# A\n\nn y\n");
    expect(isAffected({ ...team().mate("ann"), role: "", interests: ["B"] }, changes)).toBe(false);
  });

  it.each([
    [["B", "other"], true],
    [["§Other"], true],
    [["", "§"], false],
    [["Oth"], false],
  ])("[SV5] of interests %j one is enough, and an empty one is none: %j", (interests, named) => {
    expect(affected("y", "ann", interests)).toBe(named);
    expect(affected("y", "ann", interests, "(draft)")).toBe(false);
  });
});
