import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { POLICIES } from "../../src/adapters/agent/permissions.ts";
import { attemptMarker, findMarked } from "../../src/adapters/process/index.ts";
import type { AgentFailure, AgentUsage } from "../../src/ports/index.ts";
import {
  besideEachOther,
  fileIn,
  hear,
  ofType,
  openPlace,
  openSession,
  type Place,
  type Told,
  TRUSTED,
} from "./clients.ts";
import { SUBJECTS, type Subject } from "./foreign.ts";

/** Where what was seen is kept for the page about agents; nowhere, unless that is asked for. */
const SEEN = process.env["ESPALIER_SEEN"];

function keep({ name, line }: Subject, seen: Readonly<Record<string, string>>): void {
  if (SEEN === undefined) return;
  mkdirSync(SEEN, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(join(SEEN, `${name}.json`), `${JSON.stringify({ line, date, ...seen }, undefined, 2)}\n`);
}

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.dispose());

const tokensOf = ({ inputTokens = 0, outputTokens = 0 }: AgentUsage) => inputTokens + outputTokens;
const usageIn = (told: Told): AgentUsage => Object.assign({}, ...ofType(told, "usage"));

function failureOf({ end }: Told): AgentFailure {
  if (end.kind !== "failed") throw new Error(`it completed: ${end.finalMessage}`);
  return end.failure;
}

async function until(isSo: () => boolean): Promise<void> {
  await expect.poll(isSo, { timeout: 90_000, interval: 50 }).toBe(true);
}

it("knows each agent that it is tried on by one name", () => {
  const names = SUBJECTS.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

/** What only time mends, where many try again for themselves: they are not waited for longer. */
const SOON = { limits: { idleMs: 30_000, graceMs: 3_000 } };

const UPDATE =
  "SCENARIO:update [CONTEXT-UPDATE] GC-v3 → GC-v4\n## Delta\n- ADDED §Decisions: D-9: use SQLite\n";

describe.each(SUBJECTS.filter(({ needsLogin }) => !needsLogin))("what $name keeps", subject => {
  const { name } = subject;
  const seen: Record<string, string> = {};
  afterAll(() => keep(subject, seen));

  const open = (given: Parameters<typeof openSession>[2] = {}, permissions = TRUSTED) =>
    openSession(subject.agent(place, permissions), place, { env: subject.env(place), ...given });

  async function turn(message: string, ...given: Parameters<typeof open>): Promise<Told> {
    const session = await open(...given);
    try {
      return await hear(session.turn(message));
    } finally {
      await session.close();
    }
  }

  it("edits, runs a command, and what it used is counted, or estimated within a bound", async () => {
    const { version } = await subject.agent(place).probe();
    seen["version"] = version ?? "–";
    const told = await turn(`SCENARIO:full FILE:${join(place.folder, "made.txt")} SIGNAL:T1.3#k7f2`);
    expect(told.end).toMatchObject({
      kind: "completed",
      finalMessage: expect.stringMatching(/DONE:T1\.3#k7f2$/),
    });
    expect([fileIn(place, "made.txt"), fileIn(place, "ran.txt")]).toEqual(["made by the agent", "ran\n"]);
    seen["works"] = "yes";
    seen["asks"] = ofType(told, "permission").length > 0 ? "yes" : "no";
    const counted = usageIn(told);
    const served = place.model.served();
    process.stderr.write(besideEachOther(name, served, counted));
    const share = tokensOf(counted) / (served.input + served.output);
    const isExact = counted.estimatedTokens === 0;
    seen["usage"] = isExact ? "exact" : `estimated, ${share.toFixed(1)} times`;
    expect(share).toBeGreaterThan(0.98);
    expect(share).toBeLessThan(isExact ? 1.02 : 4);
  });

  it("does nothing where it may not, or is stopped for it", async () => {
    const told = await turn(`SCENARIO:full FILE:${join(place.folder, "made.txt")}`, {}, POLICIES.deny);
    const isHeld = fileIn(place, "made.txt") === undefined && fileIn(place, "ran.txt") === undefined;
    const stopped = told.end.kind === "failed" ? told.end.failure.kind : "";
    seen["deny"] = isHeld ? "held" : stopped === "unsuitable" ? "stopped at once" : "no";
    expect(["held", "stopped at once"]).toContain(seen["deny"]);
  });

  it("says FAIL, and takes an update in its session", async () => {
    const session = await open();
    const first = await hear(session.turn("SCENARIO:fail SIGNAL:T1.3#k7f2"));
    expect(first.end.finalMessage).toMatch(/FAIL:T1\.3#k7f2:tests stay red$/);
    const second = await hear(session.turn(UPDATE));
    await session.close();
    expect(second.end.finalMessage).toContain("[ACK-UPDATE] GC-v4 received.");
    seen["update"] = "yes";
  });

  it("is counted when it is killed, and goes on with its conversation, or says that it cannot", async () => {
    const first = await open();
    const told = hear(first.turn("SCENARIO:late SIGNAL:T1.3#a"));
    await until(() => place.model.asked.some(({ tools, results }) => tools.length > 0 && results.length > 0));
    await first.cancel("hard");
    await first.close();
    const killed = await told;
    const { input, output } = place.model.served();
    expect(tokensOf(usageIn(killed))).toBeGreaterThanOrEqual((input + output) * 0.98);
    const [opened] = ofType(killed, "session");
    const later = await open({ resume: opened?.id ?? "" });
    const again = await hear(later.turn("SCENARIO:nosignal And now? "));
    await later.close();
    expect(again.end).toMatchObject({
      kind: "completed",
      finalMessage: expect.stringContaining("I am done, I think."),
    });
    const last = place.model.asked.findLast(
      ({ said, tools }) => tools.length > 0 && said.includes("And now?"),
    );
    const remembers = last?.said.includes("SCENARIO:late") === true;
    const admits = ofType(again, "line").some(({ text }) => text.includes("could not go on with session"));
    seen["resume"] = remembers ? "yes" : admits ? "no, and says so" : "no";
    expect(["yes", "no, and says so"]).toContain(seen["resume"]);
  });

  it("is cancelled while a command of its own runs, and leaves no process behind", async () => {
    const token = `contract-cancel-${name}-${process.pid}`;
    const session = await open({ token });
    const told = hear(session.turn("SCENARIO:sleep"));
    const pidFile = join(place.folder, "pid.txt");
    await until(() => existsSync(pidFile) && readFileSync(pidFile, "utf8").trim() !== "");
    await session.cancel("soft");
    expect(failureOf(await told).kind).toBe("cancelled");
    await session.close();
    expect(findMarked(attemptMarker(token))).toEqual([]);
    seen["cancel"] = "yes";
  });

  it("is ended as idle where its model never answers", async () => {
    const failure = failureOf(await turn("SCENARIO:hang", { limits: { idleMs: 15_000, graceMs: 3_000 } }));
    expect(failure.kind).toBe("idle");
  });

  it("is out of quota", async () => {
    const failure = failureOf(await turn("SCENARIO:quota", SOON));
    const minutes = Math.round(((failure.retryAt ?? 0) - Date.now()) / 60_000);
    seen["quota"] =
      failure.kind === "quota" ? (minutes === 125 ? "with its time" : "without a time") : "silent";
    expect(["quota", "idle"]).toContain(failure.kind);
    expect(failure.retryable).toBe(true);
  });

  it("is limited without a time", async () => {
    const failure = failureOf(await turn("SCENARIO:limit", SOON));
    expect(["quota", "idle"]).toContain(failure.kind);
    expect(failure.retryable).toBe(true);
  });

  it("has a key that is refused", async () => {
    const failure = failureOf(await turn("SCENARIO:auth", SOON));
    seen["login"] = failure.kind === "auth" ? "yes" : "silent";
    expect(["auth", "idle"]).toContain(failure.kind);
  });

  it("finds a service that has too much to do, and one whose answers are cut off", async () => {
    const busy = failureOf(await turn("SCENARIO:overloaded", SOON));
    expect(["overloaded", "idle"]).toContain(busy.kind);
    const cut = failureOf(await turn("SCENARIO:cut", SOON));
    expect([busy.retryable, cut.retryable]).toEqual([true, true]);
  });
});

describe.each(SUBJECTS.filter(({ needsLogin }) => needsLogin))("$name, without an account", subject => {
  it("is told to need a login, in its own words, and nothing is counted", async () => {
    const agent = subject.agent(place);
    const session = await openSession(agent, place, { env: subject.env(place) });
    const told = await hear(session.turn("SCENARIO:ok"));
    await session.close();
    const failure = failureOf(told);
    expect(failure).toMatchObject({ kind: "auth", retryable: false });
    expect(failure.message).toMatch(/auth|log ?in/i);
    expect(tokensOf(usageIn(told))).toBe(0);
    const { version } = await agent.probe();
    keep(subject, { version: version ?? "–", needs: failure.message.slice(subject.name.length + 2) });
  });
});
