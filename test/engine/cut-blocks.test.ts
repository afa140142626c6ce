import { describe, expect, it } from "vitest";
import { cutNote } from "../../src/text/index.ts";
import { told } from "../reasons.ts";
import { openBench } from "./bench.ts";
import type { Part } from "./puppets.ts";

const TASKS = "### [ ] T1.1: a\n- context: ctx-api\n\n## Context\n\n- ctx-root\n  - ctx-api\n";
const block = (found: string) => `[ADD_CONTEXT:ctx-api]\n- ${found}\n[/ADD_CONTEXT]`;
const LOG = Array.from({ length: 30 }, (_, at) => `row ${at}`).join("\n");
const LOST = "1 of the blocks stood in the part of the answer that is cut away: its last 64 KiB are kept";

/** Says an answer of which only the part from `kept` on is kept, as readers of agents do. */
function sayCut(part: Part, gone: string, kept: string): void {
  for (const line of `${gone}\n${kept}`.split("\n")) part.line(line);
  part.say(`${cutNote("en", 70_000)}\n${kept}\nDONE:${part.id}`);
}

const open = (followUp: boolean) => openBench({ tasks: TASKS, puppets: { followUp } });
const warnings = ({ events }: ReturnType<typeof open>) =>
  events.filter(event => event.type === "warning" && event.code === "ADD_CONTEXT");
const added = ({ engine }: ReturnType<typeof open>) =>
  [...(engine.library.tree(0)?.nodes.get("ctx-api")?.own ?? [])].map(({ label }) => label);

describe("blocks in the part of an answer that is cut away", () => {
  it("[E527] are told people, where the agent hears nothing more", async () => {
    using bench = open(false);
    const end = bench.start();
    sayCut(await bench.puppets.next(), block("token: an hour"), `${LOG}\n${block("limit: 60")}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(warnings(bench)).toEqual([
      { type: "warning", code: "ADD_CONTEXT", message: told(LOST), task: "T1.1" },
    ]);
    expect(added(bench)).toEqual(["add-T1.1-1-1"]);
  });

  it("[E527] are told the agent, which sends them again", async () => {
    using bench = open(true);
    const end = bench.start();
    sayCut(await bench.puppets.next(), block("token: an hour"), LOG);
    const second = await bench.puppets.next();
    expect(second.prompt).toContain(`- ${LOST}`);
    second.say(block("token: an hour"));
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(warnings(bench)).toEqual([]);
    expect(added(bench)).toEqual(["add-T1.1-1-1"]);
  });

  it("[E527] are nothing in an answer that is whole, whatever was said before it in the turn", async () => {
    using bench = open(true);
    const end = bench.start();
    const part = await bench.puppets.next();
    for (const line of block("token: an hour").split("\n")) part.line(line);
    part.say(`DONE:${part.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(warnings(bench)).toEqual([]);
  });
});
