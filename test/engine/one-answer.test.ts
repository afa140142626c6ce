import { describe, expect, it } from "vitest";
import { withoutAcks } from "../../src/engine/attempt/one-answer.ts";
import { ok } from "../../src/ports/index.ts";
import { type Bench, openBench } from "./bench.ts";
import { approve, object, openCourt, rowOf } from "./court.ts";
import { ONE } from "./engine-fixtures.ts";

const TREE = "\n## Context\n\n- ctx-root: docs/spec.md (shared)\n";
const PAIR = `### [ ] T1.1: a\n### [ ] T1.2: b\n- depends_on: [T1.1]\n${TREE}`;
const FOUND = "[ADD_CONTEXT:ctx-root]\n- hinges: left\n[/ADD_CONTEXT]";
const HANDED = "## Handover\n- Decisions: the door is oak\n- Do not: paint the hinges\n";
const ACK = "[ACK-UPDATE] docs-spec.md-v2 received. Impact: NONE. Action: CONTINUE";

const withDocument = (tasks: string): Bench =>
  openBench({
    tasks,
    puppets: { followUp: true },
    world: { documents: { list: () => ok(["docs/spec.md"]), read: () => ok("# Spec\n\n- gate: oak\n") } },
  });
const answerOf = (made: Bench, task = "T1.1") =>
  made.changes
    .flatMap(({ attempts = [] }) => attempts)
    .findLast(row => row.task === task && row.endedAt !== undefined)?.finalMessage;
const publish = (made: Bench) =>
  made.engine.shared.act("docs-spec.md", { type: "publish", text: "# Spec\n\n- gate: iron\n", by: "test" });

describe("what an attempt said before it was told something", () => {
  it("[E526] stands with what it answers to an update: its decisions and blocks reach who builds on it", async () => {
    using made = withDocument(PAIR);
    const end = made.start();
    const first = await made.puppets.next("T1.1");
    await publish(made);
    first.say(`The door opens inward.\n\n${FOUND}\n\n${HANDED}\nDONE:${first.id}`);
    const second = await made.puppets.next("T1.1");
    expect(second.prompt).toContain("What you answered before stands");
    second.say(`${ACK}\n\nThe gate is iron now.\n\nDONE:${second.id}`);
    const next = await made.puppets.next("T1.2");
    for (const told of [
      "The door opens inward.",
      "- hinges: left",
      "the door is oak",
      "The gate is iron now.",
    ])
      expect(next.prompt).toContain(told);
    // Nor does anybody else read how it acknowledged.
    expect(answerOf(made)).toBe(
      `The door opens inward.\n\n${FOUND}\n\nThe gate is iron now.\n\n${HANDED}\nDONE:${first.id}`,
    );
    next.say(`DONE:${next.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
  });

  it("[E526] keeps its signal where the answer to an update has none, and what that adds counts", async () => {
    using made = withDocument(`### [ ] T1.1: a\n${TREE}`);
    const end = made.start();
    const first = await made.puppets.next("T1.1");
    await publish(made);
    first.say(`Oak.\nDONE:${first.id}`);
    (await made.puppets.next("T1.1")).say(`${ACK}\n${FOUND}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(answerOf(made)).toBe(`Oak.\n\n${FOUND}\n\nDONE:${first.id}`);
  });

  it("[E526] gives way where the later answer hands over anew, and to its claim", async () => {
    using made = openBench({ tasks: ONE, puppets: { followUp: true }, policy: { maxAttempts: 1 } });
    const end = made.start();
    const first = await made.puppets.next();
    made.engine.say("T1.1", "iron, please", "ann");
    first.say(`Hung.\n\n${HANDED}\nDONE:${first.id}`);
    const second = await made.puppets.next();
    expect(second.prompt).toContain("What you answered before stands");
    second.say(
      `## Handover\n- Decisions: the door is iron\n- Open: who paints it\n\nFAIL:${second.id}:no iron`,
    );
    expect(await end).toMatchObject({ outcome: "failed" });
    expect(answerOf(made)).toBe(
      `Hung.\n\n## Handover\n- Decisions: the door is iron\n- Open: who paints it\n\nFAIL:${second.id}:no iron`,
    );
  });

  it("[E526] stands once where the later answer repeats it", async () => {
    using made = openBench({ tasks: ONE, puppets: { followUp: true } });
    const end = made.start();
    const first = await made.puppets.next();
    made.engine.say("T1.1", "iron, please", "ann");
    first.say(`Hung.\n\n${HANDED}\nDONE:${first.id}`);
    const again = `Hung.\n\n${HANDED}- Open: who paints it\n\nDONE:${first.id}`;
    (await made.puppets.next()).say(again);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(answerOf(made)).toBe(again);
  });

  it("[E526] stands once, also where the later answer repeats it and hands over anew", async () => {
    using made = openBench({ tasks: ONE, puppets: { followUp: true } });
    const end = made.start();
    const first = await made.puppets.next();
    made.engine.say("T1.1", "iron, please", "ann");
    first.say(`Hung.\n\n${HANDED}\nDONE:${first.id}`);
    const again = `Hung.\n\n## Handover\n- Decisions: the door is iron\n- Open: who paints it\n\nDONE:${first.id}`;
    (await made.puppets.next()).say(again);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(answerOf(made)).toBe(again);
  });

  it("[E526] stands without lines that acknowledge, whatever marks they stand in", () => {
    const acks = [ACK, `**${ACK}**`, `- ${ACK}`, `> \`${ACK}\``, ACK.replace("UPDATE] ", "UPDATE]: ")];
    const told = "The [ACK-UPDATE] line of T1.2 is not there.";
    expect(withoutAcks([...acks, "Oak.", told].join("\n"))).toBe(`Oak.\n${told}`);
  });

  it("[E726] gives way where it was to be a document, and that is answered anew", async () => {
    using made = withDocument(`### [ ] T1.1: a\n- fills: ctx-root\n${TREE}`);
    const end = made.start();
    const first = await made.puppets.next("T1.1");
    await publish(made);
    first.say(`# API\n\n- route: /trees\n\nDONE:${first.id}`);
    const second = await made.puppets.next("T1.1");
    expect(second.prompt).toContain("where it changes, answer with all of it again");
    expect(second.prompt).not.toContain("say only what is new");
    second.say(`${ACK}\n\n# API\n\n- route: /forest\n\nDONE:${first.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(answerOf(made)).toBe(`# API\n\n- route: /forest\n\nDONE:${first.id}`);
  });

  it("[E526] stands as the document that was to be prepared, where the update changes nothing in it", async () => {
    using made = withDocument(`### [ ] T1.1: a\n- fills: ctx-root\n${TREE}`);
    const end = made.start();
    const first = await made.puppets.next("T1.1");
    await publish(made);
    first.say(`# API\n\n- route: /trees\n\nDONE:${first.id}`);
    (await made.puppets.next("T1.1")).say(`${ACK}\nDONE:${first.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(answerOf(made)).toBe(`# API\n\n- route: /trees\n\nDONE:${first.id}`);
  });

  it("[E526] stands with what it answers to findings; the reviewer reads the latter alone", async () => {
    using site = await openCourt();
    const end = site.bench.start();
    const first = await site.bench.puppets.next();
    site.edit(first, "hello\n");
    first.tell({ type: "session", id: "s-1" });
    first.say(`The greeting is short.\n\n${HANDED}\nDONE:${first.id}`);
    object(await site.judges.next(), "no Korean");
    const again = await site.bench.puppets.next();
    expect(again.prompt).toContain("What you answered before stands");
    site.edit(again, "안녕\n");
    again.say(`Added it.\nDONE:${again.id}`);
    const judge = await site.judges.next();
    expect(judge.prompt).toContain("  | Added it.\n\n");
    expect(judge.prompt).not.toContain("The greeting is short.");
    approve(judge);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(rowOf(site)?.finalMessage).toBe(
      `The greeting is short.\n\nAdded it.\n\n${HANDED}\nDONE:${again.id}`,
    );
  });
});
