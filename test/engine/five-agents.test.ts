import { describe, expect, it } from "vitest";
import type { DocumentFiles } from "../../src/context/library/index.ts";
import { fail, ok } from "../../src/ports/index.ts";
import { openBench } from "./bench.ts";

const RULES = Array.from({ length: 60 }, (_, at) => `- rule ${at}: walls of room ${at} are painted white`);
const SPEC = `# Spec\n\n## Gates\n\n- gate: oak\n\n## Rules\n\n${RULES.join("\n")}\n`;
const LABEL = "docs-spec.md";
const IDS = ["T1.1", "T1.2", "T1.3", "T1.4", "T1.5"];
const TASKS = `${IDS.map(id => `### [ ] ${id}: work\n- context: ctx-root\n`).join("\n")}
## Context

- ctx-root: docs/spec.md (shared)
`;

/** What each of them answers to the line that it is asked for. */
const ANSWERS: readonly ((asked: string) => string)[] = [
  asked =>
    `I hung iron gates.\n${asked
      .replace(/<word[^>]*>/, "iron")
      .replace(/<NONE[^>]*>/, "NONE")
      .replace(/<CON[^>]*>/, "CONTINUE")}`,
  asked =>
    `**${asked.slice(0, asked.indexOf(" Seen:"))}**\n\n- **Seen:** \`iron\`\n- **Impact:** the gate is iron now\n- **Action:** CONTINUE`,
  asked => asked,
  asked =>
    asked
      .replace(/<word[^>]*>/, "oak")
      .replace(/<NONE[^>]*>/, "NONE")
      .replace(/<CON[^>]*>/, "CONTINUE"),
  () => "Done as before.",
];

describe("one decision changes while five agents work", () => {
  it("[E20] [E126] each has said so in a way that code checked, or is shown as stale", async () => {
    let text = SPEC;
    const documents: DocumentFiles = {
      list: pattern => ok([pattern]),
      read: path =>
        path === "docs/spec.md"
          ? ok(text)
          : fail({ kind: "missing" as const, path, message: `${path} does not exist` }),
    };
    using made = openBench({ tasks: TASKS, world: { documents }, puppets: { followUp: true } });
    const end = made.start();
    const first = await Promise.all(IDS.map(id => made.puppets.next(id)));
    for (const [at, turn] of first.entries()) {
      turn.tell({ type: "tool", id: "t", kind: "read", title: "Read a.ts", state: "started" });
      await made.event(event => event.type === "attempt-line" && event.task === IDS[at]);
    }
    text = SPEC.replace("oak", "iron");
    await made.engine.shared.act(LABEL, { type: "publish", text, by: "lead" });
    const prompts = await Promise.all(
      IDS.map(async (id, at) => {
        first[at]!.say(`DONE:${first[at]!.id}`);
        const told: string[] = [];
        for (let turn = 0; turn < 12; turn++) {
          const next = await Promise.race([made.puppets.next(id), end.then(() => undefined)]);
          if (next === undefined) break;
          told.push(next.prompt);
          const asked = /^ *(\[ACK-UPDATE\].*)$/m.exec(next.prompt)?.[1] ?? "";
          next.say(`${ANSWERS[at]!(asked)}\nDONE:${next.id}`);
        }
        return told;
      }),
    );
    expect(await end).toMatchObject({ outcome: "completed" });
    for (const [prompt = ""] of prompts) {
      expect(prompt).toContain(`[CONTEXT-UPDATE] ${LABEL}-v1→2`);
      expect(prompt).toContain("- CHANGED §Gates: gate: oak → iron\n");
      expect(prompt).not.toContain("rule 30");
    }
    const marks = made.events.flatMap(event =>
      event.type === "completed" ? [[event.task, event.reason?.code]] : [],
    );
    const stale = "stale-context";
    expect(Object.fromEntries(marks)).toEqual({
      "T1.1": undefined,
      "T1.2": undefined,
      "T1.3": stale,
      "T1.4": stale,
      "T1.5": stale,
    });
    const lead = made.engine.shared.lead(LABEL);
    const held = IDS.map(id => (lead.ok ? lead.value?.teammates.get(id)?.confirmed : undefined));
    expect(held.map(one => one?.version)).toEqual([2, 2, 1, 1, 1]);
    expect(held.slice(0, 2).map(one => one?.by)).toEqual(["read", "read"]);
  });
});
