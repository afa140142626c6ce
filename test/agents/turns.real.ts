import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentEvent, AgentUsage } from "../../src/ports/index.ts";
import {
  besideEachOther,
  CLIENTS,
  clientOf,
  fileIn,
  hear,
  ofType,
  oneTurn,
  openPlace,
  openSession,
  type Place,
  type Told,
} from "./clients.ts";

const tokensOf = ({ inputTokens = 0, outputTokens = 0 }: AgentUsage) => inputTokens + outputTokens;

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.dispose());

/** Does not tell what came from a cache. */
const UNCACHED = ["gemini-acp"];
/** Does not find its sessions again. */
const FORGETFUL = ["gemini-acp"];

/** Does not tell what was thought, neither apart nor in what was written. */
const THOUGHTLESS = ["gemini-acp"];

/** What a turn is counted to have used. */
function usageIn(told: Told): AgentUsage {
  return Object.assign({}, ...ofType(told, "usage"));
}

/** The last request of the conversation itself: those that ask for a title offer no tools, others are a client's own. */
function lastAsked({ model }: Place) {
  return model.asked.findLast(
    ({ tools, last }) => tools.length > 0 && !/^(?:\[SUGGESTION MODE|Managed memory)/.test(last),
  );
}

it("has the clients that every change is tried on", () => {
  expect(CLIENTS).toEqual(expect.arrayContaining(["claude", "codex", "claude-acp", "codex-acp"]));
});

describe.each(CLIENTS)("%s at work", name => {
  it("is found, with its version", async () => {
    const probe = await clientOf(name, place).probe();
    expect(probe).toMatchObject({ found: true, version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  });

  it("writes a file, runs a command and ends with its signal", async () => {
    const told = await oneTurn(
      name,
      place,
      `SCENARIO:full FILE:${join(place.folder, "made.txt")} SIGNAL:T1.3#k7f2`,
    );
    expect(told.end).toMatchObject({
      kind: "completed",
      finalMessage: expect.stringMatching(/DONE:T1\.3#k7f2$/),
    });
    expect([fileIn(place, "made.txt"), fileIn(place, "ran.txt")]).toEqual(["made by the agent", "ran\n"]);
    expect(told.events[0]?.type).toBe("process");
    expect(ofType(told, "session")).toHaveLength(1);
    const tools = ofType(told, "tool").filter(({ state }) => state === "done");
    expect(tools).toHaveLength(2);
    expect(tools[1]).toMatchObject({ kind: "execute", title: expect.stringContaining("made.txt") });
  });

  it("[AC12] tells what it used, to the token", async () => {
    const told = await oneTurn(name, place, `SCENARIO:full FILE:${join(place.folder, "made.txt")}`);
    const served = place.model.served();
    const counted = usageIn(told);
    process.stderr.write(besideEachOther(name, served, counted));
    const isSilent = THOUGHTLESS.includes(name);
    const output = served.output - (isSilent ? served.thought : 0);
    expect(counted).toMatchObject({ inputTokens: served.input, outputTokens: output, estimatedTokens: 0 });
    expect(served.input).toBeGreaterThan(3_000);
    expect(counted.cachedTokens).toBe(UNCACHED.includes(name) ? undefined : served.cached);
    expect(counted.reasoningTokens ?? 0).toBe(isSilent ? 0 : served.thought);
    const all = served.input + served.output;
    expect(Math.abs(tokensOf(counted) - all) / all).toBeLessThan(0.02);
  });

  it("[AC12] spends nothing where it is not let in", async () => {
    const told = await oneTurn(name, place, "SCENARIO:auth");
    expect(told.end).toMatchObject({ kind: "failed", failure: { kind: "auth" } });
    const { inputTokens, outputTokens, estimatedTokens } = usageIn(told);
    expect([inputTokens, outputTokens, estimatedTokens]).toEqual([0, 0, 0]);
  });

  it("[AC12] keeps what it used when it is killed at work, and a cap sees no less", async () => {
    const session = await openSession(clientOf(name, place), place);
    const events: AgentEvent[] = [];
    for await (const event of session.turn("SCENARIO:late")) {
      events.push(event);
      const calls = events.filter(each => each.type === "tool" && each.state === "started");
      if (calls.length === 2) void session.cancel("hard");
    }
    await session.close();
    const { input, output } = place.model.served();
    const usage: AgentUsage = Object.assign({}, ...events.filter(({ type }) => type === "usage"));
    expect(tokensOf(usage)).toBeGreaterThanOrEqual((input + output) * 0.98);
  });

  it("says FAIL and exits with 0: the message counts, not the exit code", async () => {
    const { end } = await oneTurn(name, place, "SCENARIO:fail SIGNAL:T1.3#k7f2");
    expect(end).toMatchObject({ kind: "completed", exitCode: 0 });
    expect(end.finalMessage).toMatch(/FAIL:T1\.3#k7f2:tests stay red$/);
  });

  it("goes on with its conversation in a second turn", async () => {
    const session = await openSession(clientOf(name, place), place);
    await hear(session.turn("SCENARIO:ok SIGNAL:T1.3#a"));
    const { end } = await hear(session.turn("Anything else? SIGNAL:T1.3#b"));
    await session.close();
    expect(end.finalMessage).toMatch(/DONE:T1\.3#[ab]$/);
    expect(lastAsked(place)?.said).toContain("SCENARIO:ok SIGNAL:T1.3#a");
  });

  it.skipIf(FORGETFUL.includes(name))("goes on with its conversation in another process", async () => {
    const agent = clientOf(name, place);
    const session = await openSession(agent, place);
    const first = await hear(session.turn("SCENARIO:ok SIGNAL:T1.3#a"));
    await session.close();
    const [opened] = ofType(first, "session");
    const later = await openSession(agent, place, { resume: opened?.id ?? "" });
    const third = await hear(later.turn("And now? SIGNAL:T1.3#c"));
    await later.close();
    expect(third.end.kind).toBe("completed");
    expect(lastAsked(place)?.said).toContain("SCENARIO:ok SIGNAL:T1.3#a");
    expect(lastAsked(place)?.last).toContain("And now?");
  });

  it("acknowledges an update of the context in the middle of its session", async () => {
    const session = await openSession(clientOf(name, place), place);
    await hear(session.turn("SCENARIO:update SIGNAL:T1.3#a"));
    const update = "[CONTEXT-UPDATE] GC-v3 → GC-v4\n## Delta\n- ADDED §Decisions: D-9: use SQLite\n";
    const { end } = await hear(session.turn(update));
    await session.close();
    expect(end.finalMessage).toContain("[ACK-UPDATE] GC-v4 received.");
    expect(end.finalMessage).toContain("Action: CONTINUE");
  });
});
