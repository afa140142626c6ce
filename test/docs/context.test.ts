import { Command } from "commander";
import { describe, expect, it } from "vitest";
import type { Io } from "../../src/cli/io.ts";
import { addContext } from "../../src/cli/program-context.ts";
import { DECODE_LIMITS } from "../../src/delta/index.ts";
import { INJECTION_POINTS } from "../../src/sync/index.ts";
import { context } from "../cli/context/ask.ts";
import { openLab } from "../cli/lab.ts";
import { blocksOf, readPage, spansOf, tableOf } from "./page.ts";

const page = readPage("docs/context.md");

function contextCommand(): Command {
  const program = new Command();
  addContext(program, {} as Io, () => {});
  return program.commands[0]!;
}

/** The `console` block that contains a text. */
function blockWith(text: string): string {
  const block = blocksOf(page).find(each => each.text.includes(text));
  if (block === undefined) throw new Error(`no block with ${text}`);
  return block.text;
}

const BEFORE = `# Bakery site

One page for the shop, one for orders. The team shares this document.

## Status

- Phase 1: COMPLETE
- Phase 2: IN_PROGRESS

## Decisions

- **D-1:** Prices are integers in cents
- **D-2:** Orders are kept in one table
- **D-3:** Mails go out through a queue

## Blockers

The test shop has no certificate yet; the order form cannot be tried from a phone.
`;

describe("docs/context.md", () => {
  /** Those of the context tree stand on a page of their own. */
  const ELSEWHERE = new Set(["tree", "receipt", "get", "revert", "node"]);

  it("names every command, and no other", () => {
    const told = tableOf(page, "command", "what").map(
      ([command]) => (spansOf(command ?? "")[0] ?? "").split(" ")[2],
    );
    expect(new Set(told)).toEqual(
      new Set(
        contextCommand()
          .commands.map(command => command.name())
          .filter(name => !ELSEWHERE.has(name)),
      ),
    );
  });

  it.each(["publish", "update"])("names every option of %s that is not plain", name => {
    const rows = tableOf(page, `option of \`${name}\``, "what").flatMap(([option]) => spansOf(option ?? ""));
    const told = rows.map(span => span.split(" ")[0]).filter(span => span?.startsWith("--"));
    const command = contextCommand().commands.find(each => each.name() === name)!;
    const plain = new Set(["--json", "--by", "--to"]);
    expect(new Set(told)).toEqual(
      new Set(command.options.map(option => option.long ?? "").filter(long => !plain.has(long))),
    );
  });

  it("has the table of injection points as it is decided", () => {
    const rows = tableOf(page, "point", "when");
    expect(rows.map(([id]) => id)).toEqual(Object.keys(INJECTION_POINTS));
    const told = rows.map(([, , context = ""]) => ({
      full: context.startsWith("full"),
      document: context.includes("lacks") || context.includes("full") || context.startsWith("to "),
      task: context.includes("task"),
      affected: context.includes("concerns"),
    }));
    const decided = Object.values(INJECTION_POINTS).map(({ context, task, to }) => ({
      full: context === "full",
      document: context !== "none",
      task,
      affected: to === "affected",
    }));
    expect(told).toEqual(decided);
  });

  it("tells the limit as it is", () => {
    expect(page).toContain(`${DECODE_LIMITS.document.toLocaleString("en")} bytes`);
  });

  it("shows a round as it goes", async () => {
    await using lab = openLab({ "docs/context.md": BEFORE });
    const first = await context(lab, ["publish", "GC", "docs/context.md"]);
    expect(page).toContain(first.stdout);
    for (const name of ["back", "front"]) {
      await context(lab, ["update", "GC", "--to", name]);
      await context(lab, ["ack", name], {
        stdin: "[ACK-UPDATE] GC-v1 received. Impact: NONE. Action: CONTINUE\n",
      });
    }
    lab.write("docs/context.md", BEFORE.replace("Phase 2: IN_PROGRESS", "Phase 2: COMPLETE"));
    const round = blockWith("bring it:");
    expect(round).toContain((await context(lab, ["publish"])).stdout);
    const update = await context(lab, ["update", "GC", "--to", "back"]);
    expect(round).toContain(update.stdout);
    for (const line of update.stderr.trim().split("\n")) expect(round).toContain(line);
    const answer = blockWith("[ACK-UPDATE]");
    const said = answer.slice(answer.indexOf("'") + 1, answer.indexOf("' |"));
    expect(answer).toContain((await context(lab, ["ack", "back"], { stdin: `${said}\n` })).stdout);
    expect(answer).toContain((await context(lab, ["teammates"])).stdout);
    const undated = (text: string) => text.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "DATE");
    expect(undated(answer)).toContain(undated((await context(lab, [])).stdout));
    lab.write("mine.md", BEFORE.replace("Phase 2: IN_PROGRESS", "Phase 2: PAUSED"));
    const clash = await context(lab, ["publish", "GC", "mine.md", "--base", "1"]);
    const shown = clash.stderr
      .split("\n")
      .map(line => line.trimEnd())
      .join("\n");
    expect(blockWith("CONTEXT_CLASH")).toContain(shown.trim());
  });
});
