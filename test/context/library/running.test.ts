import { describe, expect, it } from "vitest";
import { openBench } from "../../engine/bench.ts";
import type { Part } from "../../engine/puppets.ts";

const TASKS = [
  "### [ ] T1.1: Client\n- context: ctx-api\n",
  "### [ ] T1.2: Server\n- context: ctx-api\n",
  "### [ ] T1.3: Web\n- context: ctx-web\n",
  "## Context\n\n- ctx-root: docs/spec.md\n  - ctx-api\n  - ctx-web\n",
].join("\n");

const done = (part: Part, text = "ok") => part.say(`${text}\nDONE:${part.id}`);

const REST = Array.from(
  { length: 30 },
  (_, at) => `- bed ${at}: gravel and sand, raked in the order of the seasons\n`,
);
const SPEC = `# Spec\n\n- gate: oak\n${REST.join("")}`;

describe("attempts that run while the tree changes", () => {
  it("[G2] are told between their turns what a sibling found; other branches are not", async () => {
    const { ok } = await import("../../../src/ports/index.ts");
    using bench = openBench({
      tasks: TASKS,
      puppets: { followUp: true },
      world: { documents: { list: pattern => ok([pattern]), read: () => ok(SPEC) } },
    });
    const end = bench.start();
    const [client, server, web] = [
      await bench.puppets.next("T1.1"),
      await bench.puppets.next("T1.2"),
      await bench.puppets.next("T1.3"),
    ];
    done(client, "[ADD_CONTEXT:ctx-api]\n- token: lives for an hour\n[/ADD_CONTEXT]");
    await bench.event(event => event.type === "completed" && event.task === "T1.1");
    done(server, "built");
    const told = await bench.puppets.next("T1.2");
    expect(told.prompt).toContain("[CONTEXT-UPDATE] add-T1.1-1-1-v1");
    expect(told.prompt).toContain("- token: lives for an hour");
    told.say(
      `[ACK-UPDATE] add-T1.1-1-1-v1 received. Items: 0/0. Impact: NONE. Action: CONTINUE\nDONE:${told.id}`,
    );
    done(web);
    expect(await end).toMatchObject({ outcome: "completed" });
    const lead = bench.engine.shared.lead("add-T1.1-1-1");
    const mates = lead.ok ? [...(lead.value?.teammates.keys() ?? [])] : [];
    expect(mates).toEqual(["T1.2"]);
  });

  it("[G12] are told what changed in a file they were given, as a delta", async () => {
    const { ok } = await import("../../../src/ports/index.ts");
    let spec = SPEC;
    using bench = openBench({
      tasks: TASKS,
      policy: { parallel: 2 },
      puppets: { followUp: true },
      world: { documents: { list: pattern => ok([pattern]), read: () => ok(spec) } },
    });
    const end = bench.start();
    const client = await bench.puppets.next("T1.1");
    const server = await bench.puppets.next("T1.2");
    spec = spec.replace("oak", "iron");
    done(client);
    // T1.3 is dispatched and reads the file as it is now; that is news for T1.2.
    const web = await bench.puppets.next("T1.3");
    expect(web.prompt).toContain("docs-spec.md-v1→2");
    done(server, "built");
    const told = await bench.puppets.next("T1.2");
    expect(told.prompt).toContain("[CONTEXT-UPDATE] docs-spec.md-v1→2");
    expect(told.prompt).toContain("oak → iron");
    expect(told.prompt).not.toContain("gravel");
    told.say(
      `[ACK-UPDATE] docs-spec.md-v2 received. Items: 1/1. Impact: NONE. Action: CONTINUE\nDONE:${told.id}`,
    );
    done(web);
    expect(await end).toMatchObject({ outcome: "completed" });
  });
});
