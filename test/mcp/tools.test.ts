import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  call,
  type Duties,
  definitionsFor,
  Refusal,
  type Role,
  type ToolName,
  toolsOf,
} from "../../src/mcp/index.ts";
import { countTokens } from "../../src/tokens/index.ts";

const NAMES = [
  "next_tasks",
  "start_task",
  "report",
  "status",
  "stop",
  "context_pull",
  "context_ack",
  "add_context",
  "checkpoint",
  "get_context",
];

/** Duties that write down what they are given. */
function listening(): { readonly duties: Duties; readonly heard: [string, unknown][] } {
  const heard: [string, unknown][] = [];
  const entries = NAMES.map(name => [
    name,
    (input: unknown) => {
      heard.push([name, input]);
      return Promise.resolve("OK");
    },
  ]);
  return { duties: Object.fromEntries(entries) as Duties, heard };
}

describe("the tools", () => {
  it("[P10] take optional fields that are null or empty for left out, and no others", async () => {
    const { duties, heard } = listening();
    for (const [name, input, given] of [
      ["get_context", { name: "", version: null }, {}],
      ["get_context", { name: "GC", version: 0 }, { name: "GC", version: 0 }],
      ["status", { id: null }, {}],
      ["context_pull", { label: "GC", since: null, hash: "" }, { label: "GC" }],
      ["checkpoint", { why: "" }, {}],
      ["next_tasks", { new_session: false }, { new_session: false }],
    ] as const) {
      expect(await call("lead", duties, name, input)).toEqual({ text: "OK", isError: false });
      expect(heard.pop()).toEqual([name, given]);
    }
    for (const [name, input] of [
      ["start_task", { id: "" }],
      ["start_task", { id: null }],
      ["get_context", { title: "" }],
      ["get_context", [""]],
    ] as const)
      expect((await call("lead", duties, name, input)).text).toMatch(/^BAD_INPUT: /);
    expect(heard).toEqual([]);
  });

  it("[P1] have fixed names", () => {
    expect(definitionsFor("lead").map(({ name }) => name)).toEqual(NAMES);
    expect(toolsOf("worker")).toEqual([
      "status",
      "context_pull",
      "context_ack",
      "add_context",
      "get_context",
    ]);
  });

  it("[P1] cost at most 900 tokens to know", () => {
    expect(countTokens(JSON.stringify({ tools: definitionsFor("lead") }))).toBeLessThanOrEqual(900);
    expect(countTokens(JSON.stringify({ tools: definitionsFor("worker") }))).toBeLessThanOrEqual(450);
  });

  it("[P1] say of every parameter its type and whether it is needed", () => {
    for (const { inputSchema, description } of definitionsFor("lead")) {
      expect(description).not.toBe("");
      const {
        properties,
        required = [],
        additionalProperties,
      } = inputSchema as {
        readonly properties: Record<string, { type: string }>;
        readonly required?: readonly string[];
        readonly additionalProperties: boolean;
        readonly type: "object";
      };
      expect(additionalProperties).toBe(false);
      for (const { type } of Object.values(properties))
        expect(["string", "integer", "boolean"]).toContain(type);
      for (const name of required) expect(Object.keys(properties)).toContain(name);
    }
  });

  it("[P2] pass checked input on", async () => {
    const { duties, heard } = listening();
    expect(await call("lead", duties, "report", { id: "T1.1", signal: "DONE:T1.1#x" })).toEqual({
      text: "OK",
      isError: false,
    });
    expect(await call("lead", duties, "stop", undefined)).toEqual({ text: "OK", isError: false });
    expect(
      await call("worker", duties, "context_pull", { label: "GC", since: 3, hash: "d168" }),
    ).toMatchObject({ text: "OK" });
    expect(heard).toEqual([
      ["report", { id: "T1.1", signal: "DONE:T1.1#x" }],
      ["stop", {}],
      ["context_pull", { label: "GC", since: 3, hash: "d168" }],
    ]);
  });

  it.each([
    ["next_tasks", { foo: 1 }, 'BAD_INPUT: next_tasks Unrecognized key: "foo"'],
    [
      "next_tasks",
      { new_sesion: true },
      'BAD_INPUT: next_tasks Unrecognized key: "new_sesion"; did you mean new_session?',
    ],
    ["report", { idd: "T1" }, 'BAD_INPUT: report Unrecognized key: "idd"; did you mean id?'],
    ["start_task", {}, "BAD_INPUT: start_task id: "],
    ["start_task", { id: 7 }, "BAD_INPUT: start_task id: "],
    ["start_task", { id: "" }, "BAD_INPUT: start_task id: "],
    ["start_task", { id: "x".repeat(201) }, "BAD_INPUT: start_task id: "],
    ["start_task", [], "BAD_INPUT: start_task "],
    ["start_task", "T1.1", "BAD_INPUT: start_task "],
    ["context_pull", { label: "GC", since: 1.5 }, "BAD_INPUT: context_pull since: "],
    ["context_pull", { label: "GC", since: -1 }, "BAD_INPUT: context_pull since: "],
    ["add_context", { node: "n", text: "x".repeat(1_000_001) }, "BAD_INPUT: add_context text: "],
    ["nxt_tasks", {}, "NO_SUCH_TOOL: nxt_tasks; did you mean next_tasks?"],
    ["rm -rf", {}, "NO_SUCH_TOOL: rm -rf"],
    ["__proto__", {}, "NO_SUCH_TOOL: __proto__"],
    ["toString", {}, "NO_SUCH_TOOL: toString"],
    [`\u001b[2J${"x".repeat(500)}`, {}, "NO_SUCH_TOOL: \\x1b[2J"],
  ])("[P2] refuse %s with %j", async (name, input, text) => {
    const { duties, heard } = listening();
    const answer = await call("lead", duties, name, input);
    expect(answer.isError).toBe(true);
    expect(answer.text.startsWith(text)).toBe(true);
    expect(answer.text.length).toBeLessThan(300);
    expect(heard).toEqual([]);
  });

  it.each(["next_tasks", "start_task", "report", "stop", "checkpoint"])(
    "[P1] do not let a worker call %s",
    async name => {
      const { duties, heard } = listening();
      const answer = await call("worker", duties, name, { id: "T1.1", signal: "DONE:T1.1" });
      expect(answer).toEqual({
        text: `NOT_YOURS: ${name} is for the lead; you are at work on one task`,
        isError: true,
      });
      expect(heard).toEqual([]);
    },
  );

  it("[P3] answer with what a duty refuses, and with a word about a bug", async () => {
    const duties: Duties = {
      stop: () => Promise.reject(new Refusal("LOCKED: another lead")),
      status: () => Promise.reject(new Error("boom\u001b[2J")),
    };
    expect(await call("lead", duties, "stop", {})).toEqual({ text: "LOCKED: another lead", isError: true });
    expect(await call("lead", duties, "status", {})).toEqual({ text: "BUG: boom\\x1b[2J", isError: true });
    expect(await call("lead", duties, "next_tasks", {})).toMatchObject({ isError: true });
  });

  it("[P3] never throw, whatever they are called with", async () => {
    const { duties } = listening();
    const name = fc.oneof(fc.constantFrom(...NAMES), fc.string());
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom<Role>("lead", "worker"),
        name,
        fc.anything(),
        async (role, tool, input) => {
          const { text, isError } = await call(role, duties, tool, input);
          expect(text).not.toBe("");
          expect(isError || toolsOf(role).includes(tool as ToolName)).toBe(true);
        },
      ),
    );
  });
});
