import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { attemptMarker, findMarked } from "../../src/adapters/process/index.ts";
import type { AgentFailure } from "../../src/ports/index.ts";
import {
  CLIENTS,
  clientOf,
  hear,
  oneTurn,
  openPlace,
  openSession,
  type Place,
  patience,
  type Told,
} from "./clients.ts";

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.dispose());

function failureOf({ end }: Told): AgentFailure {
  if (end.kind !== "failed") throw new Error(`it completed: ${end.finalMessage}`);
  return end.failure;
}

/** These do not say that they try again. */
const SILENT = ["qwen"];

describe.each(CLIENTS)("%s in obstacle", name => {
  /** Milliseconds without progress that are too many here. */
  const SOON = { limits: { idleMs: 6_000 * patience(name), graceMs: 3_000 } };
  /** For what ends by itself: on a machine with much else to do some need long to begin. */
  const PATIENT = { limits: { idleMs: 20_000 * patience(name), graceMs: 3_000 } };

  it.skipIf(SILENT.includes(name))("is out of quota", async () => {
    const failure = failureOf(await oneTurn(name, place, "SCENARIO:quota", PATIENT));
    expect(failure).toMatchObject({ kind: "quota", retryable: true });
  });

  it.runIf(SILENT.includes(name))("is out of quota, does not say so and is ended as idle", async () => {
    const failure = failureOf(await oneTurn(name, place, "SCENARIO:quota", SOON));
    expect(failure).toMatchObject({ kind: "idle", retryable: true });
  });

  it.skipIf(SILENT.includes(name) || name.startsWith("codex"))(
    "tells when its quota comes back",
    async () => {
      const failure = failureOf(await oneTurn(name, place, "SCENARIO:quota", PATIENT));
      const inMs = (failure.retryAt ?? 0) - Date.now();
      expect(Math.round(inMs / 60_000)).toBe(125);
    },
  );

  it("has a key that is refused", async () => {
    const failure = failureOf(await oneTurn(name, place, "SCENARIO:auth", PATIENT));
    expect(failure).toMatchObject({ kind: "auth", retryable: false });
  });

  it("finds a service that has too much to do", async () => {
    const failure = failureOf(await oneTurn(name, place, "SCENARIO:overloaded", SOON));
    expect(["overloaded", "idle"]).toContain(failure.kind);
    expect(failure.retryable).toBe(true);
  });

  it("finds no service at all", async () => {
    await place.model.close();
    const told = await oneTurn(name, place, "SCENARIO:ok", SOON);
    expect(failureOf(told).retryable).toBe(true);
    expect(told.ms).toBeLessThan(30_000 * patience(name));
  });

  it("waits for a model that never answers, until it is ended as idle", async () => {
    const told = await oneTurn(name, place, "SCENARIO:hang", { limits: { idleMs: 3_000, graceMs: 3_000 } });
    expect(failureOf(told).kind).toBe("idle");
    expect(told.ms).toBeLessThan(20_000);
  });

  it("gets answers that are cut off", async () => {
    const failure = failureOf(await oneTurn(name, place, "SCENARIO:cut", SOON));
    expect(failure.retryable).toBe(true);
  });

  it("is cancelled while a command of its own runs, and leaves no process behind", async () => {
    const token = `real-cancel-${name}-${process.pid}`;
    const session = await openSession(clientOf(name, place), place, { token });
    const told = hear(session.turn("SCENARIO:sleep"));
    const pidFile = join(place.folder, "pid.txt");
    await until(() => existsSync(pidFile) && readFileSync(pidFile, "utf8").trim() !== "");
    const began = performance.now();
    await session.cancel("soft");
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(failureOf(await told).kind).toBe("cancelled");
    expect(findMarked(attemptMarker(token))).toEqual([]);
    await session.close();
  });
});

async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_200 && !isSo(); tries++) {
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  expect(isSo()).toBe(true);
}
