import { describe, expect, it } from "vitest";
import { createAnnounced } from "../../../src/adapters/agent/acp/announced.ts";
import { answerPermission, questionOf } from "../../../src/adapters/agent/acp/permission.ts";
import { POLICIES } from "../../../src/adapters/agent/permissions.ts";
import { agentRequest } from "../agent-fixtures.ts";

const cwd = "/home/ann/shop";

function asked(toolCall: object): { kind: string; title: string } {
  return questionOf({ toolCall }, { cwd });
}

describe("what a person is asked", () => {
  it.each([
    [
      "a page",
      { kind: "fetch", title: "webfetch", rawInput: { url: "https://a.org/x" } },
      "webfetch https://a.org/x",
    ],
    ["a file", { kind: "edit", title: "edit", locations: [{ path: `${cwd}/src/a.ts` }] }, "edit src/a.ts"],
    [
      "a file elsewhere",
      { kind: "edit", title: "edit", rawInput: { path: "/etc/hosts" } },
      "edit /etc/hosts",
    ],
    ["as other agents write it", { kind: "edit", rawInput: { filePath: "/etc/hosts" } }, "edit /etc/hosts"],
    [
      "several files",
      { kind: "move", title: "move", locations: [{ path: "a.ts" }, { path: "/tmp/b.ts" }] },
      "move a.ts, /tmp/b.ts",
    ],
    [
      "a tool's arguments",
      { title: "query", rawInput: { sql: "DROP TABLE a" } },
      'query {"sql":"DROP TABLE a"}',
    ],
    [
      "a search",
      { kind: "fetch", title: "WebSearch", rawInput: { query: "a b" } },
      'WebSearch {"query":"a b"}',
    ],
    ["nothing more where that is all", { title: "leave plan", rawInput: {} }, "leave plan"],
    [
      "no page twice",
      { kind: "fetch", title: "Fetch https://a.org", rawInput: { url: "https://a.org" } },
      "Fetch https://a.org",
    ],
    [
      "no file twice",
      { kind: "edit", title: "Write src/a.ts", locations: [{ path: `${cwd}/src/a.ts` }] },
      "Write src/a.ts",
    ],
    [
      "a file whose name is part of a word",
      { kind: "edit", title: "edit", locations: [{ path: "e" }] },
      "edit e",
    ],
    [
      "all of a title and a path of several lines in one",
      { kind: "edit", title: "a\nb", locations: [{ path: "/x\ry" }] },
      "a ⏎ b /x ⏎ y",
    ],
    [
      "the file of an editor with commands of its own",
      { kind: "edit", title: "text_editor", rawInput: { command: "write", path: "/etc/hosts" } },
      "text_editor /etc/hosts",
    ],
    [
      "what a tool of any other kind does with a file",
      { title: "db", rawInput: { path: "a.db", sql: "DROP TABLE a" } },
      'db a.db {"sql":"DROP TABLE a"}',
    ],
    [
      "what it does with a page",
      { kind: "other", title: "http", rawInput: { url: "https://a.org", method: "DELETE" } },
      'http https://a.org {"method":"DELETE"}',
    ],
    ["arguments that are a text", { title: "query", rawInput: "DROP TABLE a" }, "query DROP TABLE a"],
    [
      "a command's arguments that stand beside it",
      { kind: "execute", title: "shell", rawInput: { command: "sh", args: ["-c", "rm -r a"] } },
      "sh -c rm -r a",
    ],
  ])("[AC56] is told %s by what the title leaves out", (_, toolCall, title) => {
    expect(asked(toolCall).title).toBe(title);
  });

  it("[AC56] is told a file however long the title is, and then never for good", () => {
    const locations = [{ path: "/etc/hosts" }];
    const { title } = asked({ kind: "edit", title: "README.md ".repeat(200), locations });
    expect(title).toMatch(/^README\.md .*… \/etc\/hosts$/);
    expect(title).toHaveLength(1_000);
    const mentioned = `${"x ".repeat(490)}/etc/hosts and more that does not fit`;
    expect(asked({ kind: "edit", title: mentioned, locations }).title).toMatch(/… \/etc\/hosts$/);
  });

  it("[AC56] is told by what stands in the call, whatever it says of its arguments itself", async () => {
    const toolCall = { title: "query", arguments: "SELECT 1", rawInput: { sql: "DROP TABLE a" } };
    const announced = createAnnounced(cwd);
    expect(asked(announced.complete(toolCall)).title).toBe('query {"sql":"DROP TABLE a"}');
    const said: string[] = [];
    const ask = async ({ title }: { title: string }) => {
      said.push(title);
      return { answer: "rejected", by: "person" } as const;
    };
    await answerPermission({ toolCall }, agentRequest({ cwd, ask }), POLICIES.ask);
    expect(said).toEqual(['query {"sql":"DROP TABLE a"}']);
  });

  it("[AC57] is asked of more files than are remembered as of files elsewhere, however often each is named", () => {
    const files = Array.from({ length: 60 }, (_, at) => ({ path: `${at}.ts` }));
    const content = [...files, { path: "/etc/hosts" }].map(({ path }) => ({ type: "diff", path }));
    const announced = createAnnounced(cwd);
    const question = asked(announced.complete({ kind: "edit", title: "Edit", locations: files, content }));
    expect(question).toMatchObject({ kind: "other", title: expect.stringContaining("/etc/hosts") });
    const many = Array.from({ length: 120 }, (_, at) => ({ path: `${at}.ts` }));
    expect(asked(announced.complete({ kind: "edit", title: "Edit", locations: many })).kind).toBe("other");
  });

  it("[AC56] is told what an earlier message of the call said, where the request leaves it out", () => {
    const announced = createAnnounced(cwd);
    const rawInput = { sql: "DROP TABLE a" };
    announced.hear({ sessionUpdate: "tool_call", toolCallId: "1", title: "query", rawInput });
    expect(asked(announced.complete({ toolCallId: "1" })).title).toBe('query {"sql":"DROP TABLE a"}');
    const more = { path: "a.db", sql: "DROP TABLE a" };
    announced.hear({ sessionUpdate: "tool_call", toolCallId: "2", title: "db", rawInput: more });
    expect(asked(announced.complete({ toolCallId: "2" })).title).toBe('db a.db {"sql":"DROP TABLE a"}');
  });

  it("[AC57] is an edit elsewhere, where only the difference that the call shows names its file", async () => {
    const toolCall = {
      kind: "edit",
      title: "Edit",
      content: [{ type: "diff", path: "/etc/hosts", newText: "x" }],
    };
    expect(asked(toolCall)).toEqual({ kind: "other", title: "Edit /etc/hosts" });
    const options = ["allow_once", "reject_once"].map(kind => ({ kind, optionId: kind }));
    const answer = answerPermission({ toolCall, options }, agentRequest({ cwd }), POLICIES["allow-edits"]);
    expect((await answer)["outcome"]).toMatchObject({ optionId: "reject_once" });
    const announced = createAnnounced(cwd);
    announced.hear({ ...toolCall, sessionUpdate: "tool_call", toolCallId: "1" });
    expect(asked(announced.complete({ toolCallId: "1" })).kind).toBe("other");
  });
});
