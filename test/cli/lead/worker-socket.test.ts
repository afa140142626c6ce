import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WORKER_SOCKET } from "../../../src/adapters/process/index.ts";
import type { Engine } from "../../../src/engine/index.ts";
import { createAttemptService } from "../../../src/host/control/attempt-service.ts";
import { askAt } from "../../../src/host/control/running.ts";
import type { Project } from "../../../src/host/project/project.ts";
import { ownAttempt, workerDuties } from "../../../src/mcp/worker.ts";
import { ok } from "../../../src/ports/index.ts";

/** No attempt runs: whatever a worker asks is refused, by the shared context and not by the door. */
const session = { runId: "r", store: { attempts: () => ok([]) } } as unknown as Parameters<
  typeof createAttemptService
>[0];
const engine = { run: { byId: new Map() } } as unknown as Engine;

let folder: string;
let project: Project;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "espalier-workers-"));
  project = { root: folder, stateDir: folder, config: { locale: "en" } } as unknown as Project;
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the socket of attempts at work", () => {
  it("is named to the attempts' tools, once it is open", async () => {
    const shared = createAttemptService(session);
    expect(shared.world.tools("T1.1", "t").env).toEqual({ ESPALIER_TASK: "T1.1", ESPALIER_ATTEMPT: "t" });
    const close = await shared.open(engine, project);
    const { env } = shared.world.tools("T1.1", "t");
    expect(env[WORKER_SOCKET]).toBe(join(folder, "workers.sock"));
    expect(statSync(join(folder, "workers.sock")).mode & 0o077).toBe(0);
    expect(ownAttempt(env)).toEqual({ task: "T1.1", token: "t", socket: join(folder, "workers.sock") });
    await close();
  });

  it("answers attempts and nobody else: neither stops, nor permits, nor completes a task", async () => {
    const shared = createAttemptService(session);
    const close = await shared.open(engine, project);
    const socket = join(folder, "workers.sock");
    for (const request of [
      { method: "stop", how: "hard" },
      { method: "permit", id: 1, allowed: true },
      { method: "act", action: "done", task: "T1.1", note: "" },
      { method: "context", command: { op: "labels" } },
      { method: "follow" },
      { method: "attend" },
    ] as unknown as Parameters<typeof askAt>[1][]) {
      expect(await askAt(socket, request)).toMatchObject({ ok: false });
    }
    await expect(
      workerDuties(project, { task: "T1.1", token: "stolen", socket }).status?.({}),
    ).rejects.toThrow("NOT_YOURS: no attempt of T1.1 that is under way has this token");
    await close();
    await expect(workerDuties(project, { task: "T1.1", token: "t", socket }).status?.({})).rejects.toThrow(
      "NOTHING_RUNS",
    );
  });

  it("is done without where it cannot be opened: they ask as everybody does", async () => {
    mkdirSync(join(folder, "workers.sock", "in-the-way"), { recursive: true });
    const shared = createAttemptService(session);
    const close = await shared.open(engine, project);
    expect(shared.world.tools("T1.1", "t").env[WORKER_SOCKET]).not.toBe(join(folder, "workers.sock"));
    await close();
  });
});
