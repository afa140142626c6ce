import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CLIENTS, setupFor, toolsOf } from "../../src/mcp/index.ts";

describe("setup of clients", () => {
  it.each(CLIENTS)("starts espalier mcp in %s", client => {
    const [config] = setupFor(client);
    expect(config?.text).toContain('"npx"');
    expect(config?.text).toContain('"mcp"');
    if (config!.path.endsWith(".json")) JSON.parse(config!.text);
    expect(config?.path.startsWith("/")).toBe(false);
  });

  it.each(CLIENTS)("tells a lead in %s how to work, with tools that exist", client => {
    const text = setupFor(client)[1]!.text;
    const named = [...text.matchAll(/`([a-z]+_[a-z]+|report)`/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(3);
    for (const name of named) expect(toolsOf("lead")).toContain(name);
    for (const word of ["ALL_DONE", "PHASE_DONE", "WAIT", "PROMPT:"]) expect(text).toContain(word);
  });

  it("gives the skill a front matter that clients can read", () => {
    const [, front = ""] = setupFor("claude")[1]!.text.split("---\n");
    expect(parse(front)).toMatchObject({ name: "espalier-lead" });
  });
});
