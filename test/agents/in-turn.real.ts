import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CLIENTS, openPlace, type Place, patience } from "./clients.ts";
import { CONFIG, openTestProject, type TestProject } from "./project.ts";

let place: Place;
let project: TestProject;
beforeEach(async () => {
  place = await openPlace();
  project = openTestProject(place);
});
afterEach(() => place.dispose());

const RULES = Array.from({ length: 60 }, (_, at) => `- rule ${at}: walls of room ${at} are white`).join("\n");
const SPEC = `# Spec\n\n## Gates\n\n- gate: oak\n\n## Rules\n\n${RULES}\n`;

/** By a hook that runs after each of its tool calls, or by the answers of our own tools. */
const WAYS = [
  ...["claude", "codex"].map(name => ({ name, way: "hook" })),
  ...["claude", "codex", "opencode", "claude-acp", "codex-acp", "gemini-acp", "opencode-acp"].map(name => ({
    name,
    way: "tool",
  })),
].filter(({ name }) => CLIENTS.includes(name));

describe("a document that changes while a real agent works", () => {
  it.each(WAYS)("reaches $name's model by a $way within one tool call", async ({ name, way }) => {
    project.write("docs/spec.md", SPEC);
    project.write("espalier.yaml", CONFIG);
    const task = `### [ ] T1.1: ask ${name}\n- agent: ${name}\n- context: ctx-root\n- verify: "true # SCENARIO:waits BY:${way} "\n`;
    project.write(
      "TASKS.md",
      `# Change\n## Phase 1: work\n${task}\n## Context\n\n- ctx-root: docs/spec.md (shared)\n`,
    );
    project.commit();
    const { asked } = place.model;
    const run = project.espalier("run", "--yes");
    const working = () => asked.filter(({ results, tools }) => tools.length > 0 && results.length > 0);
    await expect.poll(() => working().length, { timeout: 60_000 * patience(name) }).toBeGreaterThan(0);
    project.write("docs/spec.md", SPEC.replace("oak", "iron"));
    const { said } = await project.espalier("context", "publish", "docs-spec.md", "docs/spec.md");
    expect(said).toContain("docs-spec.md-v2");
    const before = asked.length;
    const released = performance.now();
    place.model.release();
    const told = await run;
    const after = asked.slice(before).filter(({ tools }) => tools.length > 0);
    const first = after.findIndex(({ all }) => all?.includes("docs-spec.md-v2 waits:"));
    expect(first).toBe(0);
    expect(after[0]?.all).toContain("oak → iron");
    expect(told.said).toContain("(1/1 succeeded)");
    expect(told.said).not.toContain("stale");
    const log = await project.espalier("context", "log", "docs-spec.md");
    expect(log.said).toContain("acknowledgement of v2 by T1.1 confirmed");
    process.stderr.write(`${name} by ${way}: ${Math.round((after[0]?.at ?? 0) - released)} ms\n`);
  });
});
