import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { repositoryFiles } from "../../src/adapters/agent/index.ts";
import { CLIENTS, clientOf, fileIn, hear, openPlace, openSession, type Place } from "./clients.ts";
import { plant, traces, trust } from "./planted.ts";

let place: Place;
beforeEach(async () => {
  place = await openPlace();
  plant(place);
});
afterEach(() => place.dispose());

/** These start what the repository brings along, whatever they are told: they are not started unless it is approved. */
const GUARDED = ["codex-acp", "gemini", "gemini-acp", "opencode", "opencode-acp", "qwen", "copilot"];

async function work(name: string, approves?: (text: string) => boolean) {
  const agent = clientOf(name, place, undefined, undefined, approves);
  const session = await openSession(agent, place);
  try {
    return (await hear(session.turn(`SCENARIO:full FILE:${join(place.folder, "made.txt")}`))).end;
  } finally {
    await session.close();
  }
}

describe.each(CLIENTS)("%s in a repository that brings configuration along", name => {
  const isGuarded = GUARDED.includes(name);

  it.each([
    ["", () => {}],
    [" that the user trusts", () => trust(place)],
  ])("runs nothing of it%s", async (_, prepare) => {
    prepare();
    const end = await work(name);
    expect(readdirSync(traces(place))).toEqual([]);
    const outcome = end.kind === "failed" ? end.failure.kind : fileIn(place, "made.txt");
    expect(outcome).toBe(isGuarded ? "unsuitable" : "made by the agent");
  });

  it.runIf(isGuarded)("works there once all of it is approved, by content", async () => {
    const approved = new Set(repositoryFiles(place.folder).map(({ text }) => text));
    expect((await work(name, text => approved.has(text))).kind).toBe("completed");
    expect(fileIn(place, "made.txt")).toBe("made by the agent");
  });
});
