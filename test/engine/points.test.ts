import { describe, expect, it } from "vitest";
import type { DocumentFiles } from "../../src/context/library/index.ts";
import { carryOut } from "../../src/context/shared/index.ts";
import { fail, ok } from "../../src/ports/index.ts";
import type { PointId, SyncEvent } from "../../src/sync/index.ts";
import { type Bench, openBench } from "./bench.ts";
import { approve, object, openCourt } from "./court.ts";

const SPEC = "# Spec\n\n## Gates\n\n- gate: oak\n\n## Rules\n\n- walls are white\n- doors open inward\n";
const LABEL = "docs-spec.md";
const TREE = "\n## Context\n\n- ctx-root: docs/spec.md (shared)\n";
const ONE = `### [ ] T1.1: a\n- context: ctx-root\n`;

function documents(): DocumentFiles {
  const missing = (path: string) => fail({ kind: "missing" as const, path, message: path });
  return {
    list: pattern => (pattern === "docs/spec.md" ? ok([pattern]) : missing(pattern)),
    read: path => (path === "docs/spec.md" ? ok(SPEC) : missing(path)),
  };
}

/** A run whose tasks read one document. */
function bench(tasks: string): Bench {
  return openBench({
    tasks: `${tasks}${TREE}`,
    world: { documents: documents() },
    puppets: { followUp: true },
  });
}

/** What the message log says of points: those that were reached, and those of messages. */
function logged({ changes }: Bench): (PointId | undefined)[] {
  const entries = changes.flatMap(({ context }) => context?.log ?? []);
  const events = entries.map(({ entry }) => JSON.parse(entry) as SyncEvent);
  return events.flatMap(event => (event.type === "sent" || event.type === "injected" ? [event.point] : []));
}
const publish = ({ engine }: Bench, text: string, everyone = false) =>
  carryOut(engine.shared, {
    op: "publish",
    label: LABEL,
    text,
    by: "test",
    ...(everyone ? { everyone } : {}),
  });

describe("injection points of a run", () => {
  it("[E146] IP-001 when an attempt begins, IP-003 and IP-004 when a document changes, IP-005 when it is lost", async () => {
    using made = bench(ONE);
    const end = made.start();
    let part = await made.puppets.next("T1.1");
    part.tell({ type: "tool", id: "t", kind: "read", title: "Read a.ts", state: "started" });
    await made.event(event => event.type === "attempt-line");
    const answer = async (say: string) => {
      part.say(say);
      part = await made.puppets.next("T1.1");
    };
    await publish(made, SPEC.replace("oak", "iron"));
    await answer(`DONE:${part.id}`);
    await publish(made, SPEC.replace("oak", "steel"), true);
    await answer(`[ACK-UPDATE] ${LABEL}-v2 received. Impact: NONE. Action: CONTINUE\nDONE:${part.id}`);
    await answer(`CONTEXT_LOST\nDONE:${part.id}`);
    part.say(`[ACK-UPDATE] ${LABEL}-v3 received. Impact: NONE. Action: CONTINUE\nDONE:${part.id}`);
    await end;
    expect(logged(made)).toEqual(["IP-001", "IP-003", "IP-004", "IP-005"]);
  });

  it("[E146] IP-002 when a person says something to an agent at work", async () => {
    using made = bench(ONE);
    const end = made.start();
    const part = await made.puppets.next("T1.1");
    expect(made.engine.say("T1.1", "Use brass.", "a person")).toBeUndefined();
    part.say(`DONE:${part.id}`);
    const next = await made.puppets.next("T1.1");
    expect(next.prompt).toContain("Use brass.");
    next.say(`DONE:${next.id}`);
    await end;
    expect(logged(made)).toEqual(["IP-001", "IP-002"]);
  });

  it("[E146] IP-006 when an attempt takes the place of another", async () => {
    using made = bench(ONE);
    const end = made.start();
    const part = await made.puppets.next("T1.1");
    part.say(`FAIL:${part.id}:the gate has rusted`);
    const next = await made.puppets.next("T1.1");
    next.say(`DONE:${next.id}`);
    await end;
    expect(logged(made)).toEqual(["IP-001", "IP-006"]);
  });

  it("[E146] IP-007 when a person has answered a teammate that asked for one", async () => {
    using made = bench(ONE);
    const end = made.start();
    const part = await made.puppets.next("T1.1");
    const { shared } = made.engine;
    await carryOut(shared, { op: "update", label: LABEL, teammate: "back" });
    await carryOut(shared, { op: "ack", teammate: "back", text: "PAUSE" });
    await carryOut(shared, { op: "resume", teammate: "back" });
    await carryOut(shared, { op: "resume", teammate: "back" });
    part.say(`DONE:${part.id}`);
    await end;
    expect(logged(made)).toEqual(["IP-001", "IP-001", "IP-007"]);
  });

  it("[E146] IP-008 when an agent is called back to put something right", async () => {
    using site = await openCourt({ tasks: `${ONE}${TREE}`, world: { documents: documents() } });
    const end = site.bench.start();
    await site.work("hello\n");
    object(await site.judges.next(), "the hinge is loose");
    const again = await site.bench.puppets.next();
    site.edit(again, "hello again\n");
    again.say(`DONE:${again.id}`);
    approve(await site.judges.next());
    await end;
    expect(logged(site.bench)).toEqual(["IP-001", "IP-008"]);
  });

  it("[E146] IP-009 when a phase begins, to everyone who is there", async () => {
    using made = bench(`${ONE}\n## Phase 2: q\n### [ ] T2.1: b\n`);
    const end = made.start();
    const part = await made.puppets.next("T1.1");
    const { shared } = made.engine;
    await shared.act(LABEL, {
      type: "join",
      teammate: "back",
      session: "s",
      proof: "word",
      interests: ["Gates"],
    });
    await shared.act(LABEL, {
      type: "ack",
      teammate: "back",
      session: "s",
      ack: { label: LABEL, version: 1, impact: "", unclear: [] },
    });
    part.say(`DONE:${part.id}`);
    const second = await made.puppets.next("T2.1");
    second.say(`DONE:${second.id}`);
    await end;
    expect(logged(made)).toEqual(["IP-001", "IP-001", "IP-009", "IP-001"]);
  });

  it("[E146] IP-010 when an attempt hands something to the team", async () => {
    using made = bench(`${ONE}### [ ] T1.2: b\n- context: ctx-root\n`);
    const end = made.start();
    const [one, two] = [await made.puppets.next("T1.1"), await made.puppets.next("T1.2")];
    one.say(`[ADD_CONTEXT:ctx-root]\nHinges are left.\n[/ADD_CONTEXT]\nDONE:${one.id}`);
    await made.event(event => event.type === "completed");
    two.say(`DONE:${two.id}`);
    const more = await Promise.race([made.puppets.next("T1.2"), end.then(() => undefined)]);
    more?.say(`DONE:${more.id}`);
    const again = await Promise.race([made.puppets.next("T1.2"), end.then(() => undefined)]);
    again?.say(`DONE:${again.id}`);
    await end;
    expect(logged(made)).toContain("IP-010");
  });
});
