import { describe, expect, it } from "vitest";
import { createAnnounced } from "../../../src/adapters/agent/acp/announced.ts";
import { answerPermission, questionOf } from "../../../src/adapters/agent/acp/permission.ts";
import { POLICIES } from "../../../src/adapters/agent/permissions.ts";
import { agentRequest } from "../agent-fixtures.ts";

const cwd = "/work/shop";

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
      "all of a long path in one line",
      { kind: "edit", title: "a\nb", locations: [{ path: "/x\ny" }] },
      "a /x ⏎ y",
    ],
  ])("[AC56] is told %s by what the title leaves out", (_, toolCall, title) => {
    expect(asked(toolCall).title).toBe(title);
  });

  it("[AC56] is told what an earlier message of the call said, where the request leaves it out", () => {
    const announced = createAnnounced(cwd);
    const rawInput = { sql: "DROP TABLE a" };
    announced.hear({ sessionUpdate: "tool_call", toolCallId: "1", title: "query", rawInput });
    expect(asked(announced.complete({ toolCallId: "1" })).title).toBe('query {"sql":"DROP TABLE a"}');
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
