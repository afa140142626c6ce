import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import {
  claimedShape,
  claimShape,
  helloShape,
  machinesShape,
  WIRE,
  welcomeShape,
} from "../../src/fleet/index.ts";
import {
  addToken,
  createTokenBook,
  type Hub,
  readTokens,
  revokeToken,
  type Served,
  serveHub,
} from "../../src/hub/index.ts";
import { scratchFolder } from "../scratch.ts";

const asked: unknown[] = [];

/** A hub that only notes what it is asked. */
const hub = new Proxy({} as Hub, {
  get:
    (_, name) =>
    async (...given: unknown[]) => {
      asked.push([name, ...given]);
      if (name === "machines") return { machines: [], waiting: [] };
      if (name === "claim") return 1;
      return undefined;
    },
});

let folder: string;
let served: Served;
let now = Date.parse("2026-01-01T00:00:00Z");
const DAY = 24 * 3_600_000;

beforeEach(async () => {
  asked.length = 0;
  now = Date.parse("2026-01-01T00:00:00Z");
  folder = scratchFolder("espalier-hub-");
  served = await serveHub({
    hub,
    host: "127.0.0.1",
    port: 0,
    who: createTokenBook(folder).find,
    now: () => now,
  });
});
afterEach(async () => {
  await served.close();
  rmSync(folder, { recursive: true });
});

const token = (role: "machine" | "run", name = "m1", pool = "main") =>
  addToken(folder, { name, pool, role, expires: now + 30 * DAY });

const machines = (of: string) =>
  openHub(served.url, of).ask("machines", z.strictObject({}), {}, machinesShape);

/** A request as it is, without a client of ours. */
const raw = (path: string, init: RequestInit = {}) =>
  fetch(`${served.url}${path}`, { method: "POST", ...init });

const HELLO = { wire: WIRE, boot: "b1", slots: 2, agents: [], labels: [] };

describe("what a hub serves", () => {
  it("[HB9] knows tokens by their hashes, in a file of its owner's own", () => {
    const made = token("machine");
    expect(made).toMatch(/^esp_[\w-]{43}$/);
    const file = join(folder, "tokens.json");
    expect(readFileSync(file, "utf8")).not.toContain(made);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readTokens(folder)).toMatchObject([{ name: "m1", pool: "main", role: "machine" }]);
    expect(token("machine")).not.toBe(made);
    expect(readTokens(folder)).toHaveLength(1);
  });

  it("[HB9] names a machine by its token, in its pool", async () => {
    const client = openHub(served.url, token("machine", "build-1", "big"));
    expect(await client.ask("hello", helloShape, HELLO, welcomeShape)).toMatchObject({
      value: { machine: "build-1" },
    });
    expect(asked).toEqual([["hello", "big", "build-1", HELLO]]);
  });

  it("[HB9] refuses a token that is wrong, missing, revoked, or over", async () => {
    const good = token("run");
    expect((await machines(good)).ok).toBe(true);
    for (const wrong of ["", "esp_wrong", `${good}x`, good.slice(0, -1)])
      expect(await machines(wrong)).toMatchObject({ failure: { code: "no-token", retryable: false } });
    now += 31 * DAY;
    expect(await machines(good)).toMatchObject({ failure: { code: "no-token" } });
    now -= 31 * DAY;
    expect((await machines(good)).ok).toBe(true);
    expect(revokeToken(folder, "m1")).toBe(1);
    expect(await machines(good)).toMatchObject({ failure: { code: "no-token" } });
    expect(revokeToken(folder, "m1")).toBe(0);
  });

  it("[HB9] lets a machine hand nothing over, and a run carry nothing out", async () => {
    const [machine, run] = [token("machine"), token("run")];
    const claimed = await openHub(served.url, machine).ask(
      "claim",
      claimShape,
      { wire: WIRE, run: "r", host: "h" },
      claimedShape,
    );
    const greeted = await openHub(served.url, run).ask("hello", helloShape, HELLO, welcomeShape);
    expect([claimed, greeted]).toMatchObject([
      { failure: { code: "wrong-role" } },
      { failure: { code: "wrong-role" } },
    ]);
    expect(asked).toEqual([]);
  });

  it("[HB9] refuses all that is wrong from an address that has tried much, and shuts nobody out who knows a token", async () => {
    const good = token("run");
    for (let times = 0; times < 30; times++) await machines(`esp_${times}`);
    expect(await machines("esp_x")).toMatchObject({ failure: { code: "too-many", retryable: true } });
    expect((await machines(good)).ok).toBe(true);
  });

  it("[HB19] knows which machines may work", () => {
    token("machine");
    token("run", "m2");
    const { lets } = createTokenBook(folder);
    expect([lets("main", "m1", now), lets("other", "m1", now), lets("main", "m2", now)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(lets("main", "m1", now + 31 * DAY)).toBe(false);
    revokeToken(folder, "m1");
    expect(lets("main", "m1", now)).toBe(false);
  });

  it("[HB10] refuses another version with both numbers", async () => {
    const client = openHub(served.url, token("machine"));
    const heard = await client.ask("hello", helloShape, { ...HELLO, wire: WIRE + 1 }, welcomeShape);
    expect(heard).toMatchObject({ failure: { code: "other-version", retryable: false } });
    expect(heard.ok ? "" : heard.failure.message).toContain(`the worker ${WIRE + 1}`);
    // What an older coordinator said had no version in it.
    const older = await openHub(served.url, token("run")).ask(
      "claim",
      z.unknown(),
      { run: "r" },
      claimedShape,
    );
    expect(older).toMatchObject({ failure: { code: "other-version", retryable: false } });
    expect(older.ok ? "" : older.failure.message).toContain("the run an older one");
  });

  it("[HB10] serves plain HTTP to the loopback alone", async () => {
    for (const host of ["0.0.0.0", "::", "192.0.2.1"])
      await expect(serveHub({ hub, host, port: 0, who: () => undefined })).rejects.toThrow("plain HTTP");
  });

  it("[HB24] says where it runs what it could not answer, and only that", async () => {
    const failures: string[] = [];
    const broken = await serveHub({
      hub: { machines: () => Promise.reject(new Error("no engine")) } as unknown as Hub,
      host: "127.0.0.1",
      port: 0,
      who: createTokenBook(folder).find,
      now: () => now,
      failed: (call, { message }) => void failures.push(`${call}: ${message}`),
    });
    const client = openHub(broken.url, token("run"));
    const empty = z.strictObject({});
    expect(await client.ask("machines", empty, {}, machinesShape)).toMatchObject({
      failure: { code: "trouble", retryable: true },
    });
    expect(await client.ask("nothing", empty, {}, z.null())).toMatchObject({ ok: false });
    client.close();
    await broken.close();
    expect(failures).toEqual(["machines: no engine"]);
  });

  it("[HB10] refuses what is too long, no JSON, of another shape, or unknown", async () => {
    const headers = { authorization: `Bearer ${token("machine")}` };
    const answers = await Promise.all([
      raw("/v1/hello", { headers, body: "x".repeat(9 * 1024 ** 2) }).catch(() => ({ status: 413 })),
      raw("/v1/hello", { headers, body: "{" }),
      raw("/v1/hello", { headers, body: JSON.stringify({ ...HELLO, slots: 1e9 }) }),
      raw("/v1/hello", { headers, body: JSON.stringify({ ...HELLO, more: 1 }) }),
      raw("/v1/toString", { headers, body: "{}" }),
      raw("/", { headers, body: "{}" }),
      raw("/v1/hello", { headers, method: "PUT", body: "{}" }),
      raw("/v1/git/x/y/info/refs", { headers }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([413, 400, 400, 400, 404, 404, 404, 404]);
    expect(asked).toEqual([]);
  });

  it("[HB10] is told from what is no hub", async () => {
    const client = openHub("http://127.0.0.1:1", "t");
    const away = await client.ask("machines", z.strictObject({}), {}, machinesShape);
    expect(away).toMatchObject({ failure: { code: "unreachable", retryable: true } });
  });

  it("[HB9] says which file of tokens is damaged", () => {
    token("run");
    const file = join(folder, "tokens.json");
    writeFileSync(file, readFileSync(file, "utf8").slice(0, -10));
    expect(() => readTokens(folder)).toThrow(`${file} cannot be read`);
    writeFileSync(file, '{"version":1,"tokens":[{"name":"../x"}]}');
    expect(() => readTokens(folder)).toThrow(`${file} cannot be read`);
  });
});
