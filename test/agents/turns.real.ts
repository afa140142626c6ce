import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  CLIENTS,
  clientOf,
  fileIn,
  hear,
  ofType,
  oneTurn,
  openPlace,
  openSession,
  type Place,
} from "./clients.ts";

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.dispose());

/** These leave out what came from a cache, or tell tokens of the last step only. */
const LAX = ["gemini-acp", "opencode-acp"];
/** Does not find its sessions again. */
const FORGETFUL = ["gemini-acp"];

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

  it.skipIf(LAX.includes(name))("tells what it used, to the token", async () => {
    const told = await oneTurn(name, place, `SCENARIO:full FILE:${join(place.folder, "made.txt")}`);
    const usage = Object.assign({}, ...ofType(told, "usage"));
    expect(usage).toMatchObject({ inputTokens: 420, outputTokens: 60, cachedTokens: 120 });
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
