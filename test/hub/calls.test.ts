import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { scratchFolder } from "../scratch.ts";
import { kill, openSite, type Site } from "./site.ts";
import { withEngine } from "./with-engine.ts";

const AGENT = fileURLToPath(new URL("./asking-agent.ts", import.meta.url));
const LONG = { timeout: 60_000, interval: 50 };

const TASKS = `# Plan

## Context

- ctx-root: docs/spec.md
  - ctx-api

## Phase 1: All

### [ ] T1.1: Ask
- agent: asker
- context: ctx-api

### [ ] T1.2: Read what came of it
- depends_on: [T1.1]
- context: ctx-api
- run: cp "$ESPALIER_CONTEXT" heard.txt
`;

/** What the owner of a machine has: an agent that makes these calls, and then waits for a file if one is named. */
function rulesFor(calls: readonly (readonly [tool: string, given: object])[], ...wait: string[]): string {
  const command = [process.execPath, AGENT, JSON.stringify(calls), ...wait]
    .map(part => `'${part}'`)
    .join(" ");
  return JSON.stringify({ agents: { asker: { acp: command, permissions: "deny" } } });
}

function writePlan({ lab }: Site): void {
  lab.write("TASKS.md", TASKS);
  lab.write("docs/spec.md", "# Spec\n\nOrders are numbered.\n");
  lab.git("add", "--all");
  lab.git("commit", "--quiet", "-m", "the plan");
}

const shown = ({ lab }: Site, name: string) => lab.git("show", `phase/1-all:${name}`);

withEngine("agents of other machines that ask the run", engine => {
  it("[WK10] have its tools as those of one machine have them", async () => {
    const rules = rulesFor([
      ["status", {}],
      ["get_context", {}],
      ["get_context", { name: "docs/spec.md" }],
      ["get_context", { name: "docs/other.md" }],
      ["add_context", { node: "ctx-api", text: "- route: /orders" }],
    ]);
    await using site = await openSite(engine(), [], ":", rules);
    writePlan(site);
    const run = site.start("run", "--yes");
    expect([await run.ended, run.said()]).toEqual([0, expect.stringContaining("2 done")]);
    const [status, list, spec, other, added] = JSON.parse(shown(site, "answers.json"));
    expect(status).toContain("T1.1");
    expect(list).toBe("docs-spec.md-v1");
    expect(spec).toContain("Orders are numbered.");
    expect(other).toContain("docs/other.md; did you mean docs/spec.md?");
    expect(added).toBe("HANDED: taken in when your task is completed (1 so far)");
    expect(shown(site, "heard.txt")).toContain("- route: /orders");
  }, 120_000);

  it("[WK10] [TR6] lose nothing that they had handed over by a tool where the run goes on in another process", async () => {
    const released = join(scratchFolder("espalier-released-"), "released");
    const rules = rulesFor([["add_context", { node: "ctx-api", text: "- route: /orders" }]], released);
    await using site = await openSite(engine(), [], ":", rules);
    writePlan(site);
    const first = site.start("run", "--yes");
    const books = join(site.lab.root, ".espalier", "away");
    const told = () =>
      existsSync(books)
        ? readdirSync(books)
            .map(name => readFileSync(join(books, name), "utf8"))
            .join("\n")
        : "";
    await expect.poll(told, LONG).toContain('"op":"add"');
    await kill(first);
    const second = site.start("resume", "--yes");
    await expect.poll(second.said, LONG).toContain("goes on on other machines: T1.1");
    writeFileSync(released, "");
    expect([await second.ended, second.said()]).toEqual([0, expect.stringContaining("2 done")]);
    expect(shown(site, "heard.txt")).toContain("- route: /orders");
  }, 120_000);
});
