import type { NamedBug } from "../bug.ts";

/** What agents say and what is made of it. */
export const AGENT_BUGS: readonly NamedBug[] = [
  {
    name: "a program that failed is taken for one that did not",
    file: "src/adapters/agent/process-session.ts",
    symbol: "runTurn",
    swap: ["exitCode: end.exitCode ?? 0", "exitCode: 0"],
    by: { test: "test/adapters/agent-shell.test.ts" },
    suite: "agent",
  },
  {
    name: "an agent that ends in its hello is a connection that closed",
    file: "src/adapters/agent/acp/handshake.ts",
    symbol: "shakeHands",
    swap: ["(isAnswer(error) ? undefined : options.died()) ?? answerFailure", "answerFailure"],
    by: { test: "test/adapters/agents/acp-trouble.test.ts" },
  },
  {
    name: "any JSON that a command prints is taken for an answer",
    file: "src/adapters/agent/json-answer.ts",
    symbol: "jsonAnswer",
    swap: ["events?.some(isEnvelope) !== true", "events === undefined"],
    by: { test: "test/adapters/agents/json-answer.test.ts" },
  },
  {
    name: "what a tool gave an agent is heard as its own words",
    file: "src/adapters/agent/json-answer.ts",
    symbol: "isOwn",
    swap: ["every(words => !isAmong(words, OTHERS))", "length > 0"],
    by: { test: "test/adapters/agents/json-answer.test.ts", rule: "AC25" },
  },
  {
    name: "what an agent says behind its last word is not heard",
    file: "src/adapters/agent/json-answer.ts",
    symbol: "jsonAnswer",
    swap: ["events.slice(last + 1)", "last < 0 ? events : []"],
    by: { test: "test/adapters/agents/json-answer.test.ts", rule: "AC25" },
  },
  {
    name: "what a command says in JSON is not masked behind its escapes",
    file: "src/adapters/agent/text-reader.ts",
    symbol: "createTextReader",
    swap: ["masked(answer.said, mask)", "answer.said"],
    by: { test: "test/adapters/agents/json-answer.test.ts" },
  },
  {
    name: "of a count that cannot be true the rest is believed",
    file: "src/adapters/agent/acp/updates.ts",
    symbol: "promptUsage",
    swap: ["if (!canBe(usage) || !canBe(quota)) return undefined;", ""],
    by: { test: "test/adapters/agents/acp-unruly.test.ts" },
  },
  {
    name: "what is done unasked is told of nowhere",
    file: "src/adapters/agent/acp/overstep.ts",
    symbol: "unaskedIn",
    swap: ['=== "ask"', '=== "deny"'],
    by: { test: "test/adapters/agents/overstep.test.ts" },
  },
  {
    name: "what is done unasked counts as a question that nobody answered",
    file: "src/engine/attempt/converse.ts",
    symbol: "follow",
    swap: [' && event.answer === "rejected"', ""],
    by: { test: "test/engine/unasked.test.ts" },
  },
  {
    name: "an interpreter without its file counts as an agent that is there",
    file: "src/adapters/process/find-program.ts",
    symbol: "findCommand",
    swap: ["if (!program.ok || !isScript ||", "if (program.ok || !isScript ||"],
    by: { test: "test/adapters/process-find.test.ts" },
  },
];
