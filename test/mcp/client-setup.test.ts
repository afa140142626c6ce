import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CLIENTS, joined, setupFor, toolsOf } from "../../src/mcp/index.ts";

const START = ["/opt/a node/node", "/opt/espalier/bin/espalier.js", "mcp"] as const;

describe("setup of clients", () => {
  it.each(CLIENTS)("starts espalier mcp in %s", client => {
    const [config] = setupFor(client, START);
    for (const word of START) expect(config?.text).toContain(JSON.stringify(word));
    if (config!.path.endsWith(".json")) JSON.parse(config!.text);
    expect(config?.path.startsWith("/")).toBe(false);
  });

  it.each(CLIENTS)("tells a lead in %s how to work, with tools that exist", client => {
    const text = setupFor(client, START)[1]!.text;
    const named = [...text.matchAll(/`([a-z]+_[a-z]+|report)`/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(3);
    for (const name of named) expect(toolsOf("lead")).toContain(name);
    for (const word of ["ALL_DONE", "PHASE_DONE", "WAIT", "PROMPT:"]) expect(text).toContain(word);
  });

  it("[P15] gives a report the time that a proof takes, where the client has a limit of its own", () => {
    expect(setupFor("codex", START)[0]!.text).toContain("\ntool_timeout_sec = 3600\n");
    expect(JSON.parse(setupFor("gemini", START)[0]!.text)).toMatchObject({
      mcpServers: { espalier: { timeout: 3_600_000 } },
    });
  });

  it("gives the skill a front matter that clients can read", () => {
    const [, front = ""] = setupFor("claude", START)[1]!.text.split("---\n");
    expect(parse(front)).toMatchObject({ name: "espalier-lead" });
  });
});

describe("settings that are there already", () => {
  const [file] = setupFor("opencode", START);
  const join = (text: string) => joined(file!, text);

  it("keep their keys, their order, their indentation and how they end", () => {
    const there =
      '{\n    "$schema": "x",\n    "mcp": {\n        "a": { "type": "remote" }\n    },\n    "z": 1\n}';
    const text = join(there)!;
    expect(text).toMatch(/^\{\n {4}"\$schema": "x",\n {4}"mcp": \{\n {8}"a"/);
    expect(text.endsWith("}")).toBe(true);
    expect(Object.keys(JSON.parse(text))).toEqual(["$schema", "mcp", "z"]);
    expect(Object.keys(JSON.parse(text).mcp)).toEqual(["a", "espalier"]);
    expect(join(text)).toBe(text);
  });

  it.each([
    ["are no JSON", "{ // theirs\n}"],
    ["are no object", "[]"],
    ["keep no object where servers stand", '{"mcp":[]}'],
    ["have another server of that name", '{"mcp":{"espalier":{"type":"remote"}}}'],
  ])("are left to their owner where they %s", (_, there) => {
    expect(join(there)).toBeUndefined();
  });

  it.each(["claude", "gemini", "opencode"] as const)(
    "[P8] of %s that have npx fetch whatever has our name are put right",
    client => {
      const [earlier] = setupFor(client, ["npx", "espalier", "mcp"]);
      const [now] = setupFor(client, START);
      expect(joined(now!, earlier!.text)).toBe(now!.text);
      expect(joined(setupFor(client, ["node", "other.js", "mcp"])[0]!, now!.text)).toBeUndefined();
    },
  );

  it("are as they should be when they are ours", () => {
    for (const client of CLIENTS)
      for (const one of setupFor(client, START)) expect(joined(one, one.text)).toBe(one.text);
    expect(joined(setupFor("claude", START)[1]!, "my own skill")).toBeUndefined();
  });
});
