import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createCodec, standingOf, syncLogLine, versionOf } from "../../src/sync/index.ts";
import { casesOf } from "../sample.ts";
import { CONTEXT, edit, shape, status, Team } from "./team.ts";

const cheap = createCodec(text => Math.ceil(text.length / 4));

describe("a team of five", () => {
  it("[SF1] publishes, sees who is stale, and brings each up to date with what it needs", () => {
    const team = new Team({ maxGap: "any" });
    team.publish(CONTEXT, { by: "lead" });
    for (const name of ["api", "worker", "mail", "tester"]) team.join(name, { session: name });
    team.exchange();
    const standing = (): string[] =>
      [...team.lead.teammates.values()].map(mate => `${mate.id} ${standingOf(team.lead, mate)}`);
    expect(standing()).toEqual(["api current", "worker current", "mail current", "tester current"]);

    // The worker's answer gets lost, the tester's context is compacted, the mail builder is busy with something else.
    team.publish(status(CONTEXT, "REVIEW"), { by: "lead", affected: ["api", "worker", "tester"] });
    const [forApi, , forTester] = team.post.splice(0);
    team.say("api", team.deliver(forApi!).answer!, "api");
    team.deliver(forTester!);
    team.tell({ type: "lost", teammate: "tester", session: "tester", cause: "compaction" });
    expect(standing()).toEqual(["api current", "worker updating", "mail behind", "tester lost"]);
    team.exchange();
    team.tick(120_000);
    expect(standing()).toEqual(["api current", "worker stale", "mail behind", "tester current"]);
    team.exchange();

    // A second publisher works on a section of its own.
    team.publish(edit(CONTEXT, "answers 202", "answers 201"), { by: "api", base: 1 });
    expect(team.exchange().map(message => `${message.teammate} ${shape(message)}`)).toEqual([
      "api v2→v3 delta: next-version",
      "worker v2→v3 delta: next-version",
      "mail v1→v3 delta: squashed",
      "tester v2→v3 delta: next-version",
    ]);
    expect(standing()).toEqual(["api current", "worker current", "mail current", "tester current"]);
    const text = edit(status(CONTEXT, "REVIEW"), "answers 202", "answers 201");
    expect(["api", "worker", "mail", "tester"].map(name => team.replica(name).held?.text)).toEqual([
      text,
      text,
      text,
      text,
    ]);

    const why = team.log
      .filter(event => event.type === "sent" && event.form === "full")
      .map(event => syncLogLine("GC", event));
    expect(why.map(line => line.slice(line.lastIndexOf(": ") + 2))).toEqual([
      ...Array.from({ length: 4 }, () => "it has just begun, at IP-001"),
      "its context was lost, at IP-005",
    ]);
  });

  it("[SF1] costs a small share of sending everything, and the sizes are kept", () => {
    const team = Team.of(["a", "b", "c", "d"]);
    let text = CONTEXT;
    let whole = 0;
    for (let number = 0; number < 10; number++) {
      text = number % 2 === 0 ? status(text, `STEP_${number}`) : text.replace("No new", "Nothing new");
      text = `${text}- R-${number + 2}: another risk\n`;
      team.publish(text);
      whole += 4 * team.codec.countTokens(text);
      team.exchange();
    }
    const sent = [...team.lead.teammates.values()].reduce(
      (sum, { sizes }) => sum + sizes.delta.tokens + sizes.sections.tokens,
      0,
    );
    expect(sent / whole).toBeLessThan(0.25);
    expect(team.mate("a").sizes.full.messages).toBe(1);
    expect(team.mate("a").sizes.delta.messages + team.mate("a").sizes.sections.messages).toBe(10);
  });

  it("[SQ1] encodes one step once, however many need it", () => {
    let encoded = 0;
    const encode: typeof cheap.encode = (...args) => {
      encoded++;
      return cheap.encode(...args);
    };
    const codec = { ...cheap, encode };
    const team = new Team({}, codec);
    team.publish(CONTEXT);
    for (let number = 0; number < 20; number++) team.join(`mate-${number}`);
    team.exchange();
    team.publish(status(CONTEXT, "X"));
    expect(team.post).toHaveLength(20);
    expect(new Set(team.post.map(message => message.text)).size).toBe(1);
    expect(encoded).toBe(1);
  });

  it("[SR1] without faults every policy leads everyone to the newest bytes", () => {
    const value = fc.stringMatching(/^[a-z]{1,8}$/);
    const policy = fc.record({
      maxGap: fc.constantFrom(1, 2, 5, "any" as const),
      majorRestructure: fc.constantFrom(0, 0.1, 0.5, 2),
      routing: fc.constantFrom("impact" as const, "all" as const),
      keepVersions: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(
        policy,
        fc.array(value, { minLength: 1, maxLength: 8 }),
        fc.nat(3),
        (rules, values, burst) => {
          const team = new Team(rules, cheap);
          team.publish(CONTEXT);
          for (const proof of ["hash", "word", "hash"] as const)
            team.join(`${proof}-${team.lead.teammates.size}`, { proof });
          for (const [index, next] of values.entries()) {
            team.publish(status(CONTEXT, next));
            if (index % (burst + 1) === burst) team.exchange();
          }
          team.exchange();
          const { number } = team.lead.versions.at(-1)!;
          for (const mate of team.lead.teammates.values()) {
            expect(mate.confirmed?.version).toBe(number);
            expect(team.replica(mate.id).held?.text).toBe(status(CONTEXT, values.at(-1)!));
          }
        },
      ),
      { numRuns: casesOf(25, 60) },
    );
  });

  it.each([
    ["ended", "ended"],
    ["mute", "unanswering"],
    ["new", "new"],
    ["lost", "lost"],
    ["stale", "stale"],
    ["updating", "updating"],
    ["behind", "behind"],
    ["current", "current"],
  ])("[SQ3] %s stands as %s", (which, standing) => {
    const team = Team.of(["ann"]);
    if (which === "ended") team.tell({ type: "leave", teammate: "ann" });
    else if (which === "mute") team.join("ann", { session: "s2", proof: "none" });
    else if (which === "new") team.join("ann", { session: "s2" });
    else if (which === "lost") team.tell({ type: "lost", teammate: "ann", session: "s1", cause: "resume" });
    else if (which !== "current")
      team.publish(status(CONTEXT, "X"), which === "behind" ? { affected: [] } : {});
    if (which === "stale") team.tick(120_000);
    expect(standingOf(team.lead, team.mate("ann"))).toBe(standing);
  });

  it("[SV1] knows its versions by number", () => {
    const team = Team.of(["ann"]);
    team.publish(status(CONTEXT, "X"));
    expect([0, 1, 2, 3].map(number => versionOf(team.lead, number)?.number)).toEqual([
      undefined,
      1,
      2,
      undefined,
    ]);
    expect(versionOf(new Team().lead, 1)).toBeUndefined();
  });
});
