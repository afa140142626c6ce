import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { createAccess } from "../../src/server/access.ts";
import { type AppOptions, createApp } from "../../src/server/app.ts";
import type { AccessReply, AccessShape } from "../../src/server/shapes/access.ts";
import { ActRequest } from "../../src/server/shapes/action.ts";
import { ManualClock } from "../engine/manual-clock.ts";
import { openStage, type Stage } from "./stage.ts";

const TASKS = "# Shop\n## Phase 1: Build\n### [ ] T1.1: Walls\n- run: true\n";
const PUBLIC = new URL("https://dash.example.org");
const HOUR = 3_600_000;
const MINUTE = 60_000;
const RETRY = { kind: "task", action: "retry", task: "T1.1" };

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request as a proxy makes it: any Host, any Origin. */
function call({ page }: Stage, path: string, { method = "POST", headers = {}, body }: Asked) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const type =
    body === undefined
      ? {}
      : { "content-type": "application/json", "content-length": `${Buffer.byteLength(text)}` };
  return new Promise<{ status: number; json: Record<string, unknown> }>((resolve, reject) => {
    const sent = request(new URL(path, page.origin), { method, headers: { ...type, ...headers } }, answer => {
      let all = "";
      answer.on("data", (chunk: Buffer) => (all += chunk.toString()));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, json: all === "" ? {} : JSON.parse(all) }),
      );
    });
    sent.on("error", reject);
    sent.end(text);
  });
}

const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });
const owner = ({ page }: Stage) => bearer(page.token);

async function paired(stage: Stage, name = "phone"): Promise<string> {
  const { json } = await call(stage, "/api/pair", { body: { code: stage.page.openCode().code, name } });
  return String(json["token"]);
}

async function access(
  stage: Stage,
  body: unknown,
  headers = owner(stage),
): Promise<AccessReply & { status: number }> {
  const { status, json } = await call(stage, "/api/access", { body, headers });
  return { ...json, status };
}

describe("a dashboard away from the desk", () => {
  const stages: Stage[] = [];
  const open = async (publicOrigin?: URL) => {
    const stage = await openStage({ tasks: TASKS, serve: { publicOrigin } });
    stages.push(stage);
    return stage;
  };
  afterEach(async () => {
    for (const stage of stages.splice(0)) await stage[Symbol.asyncDispose]();
  });

  it.each([
    ["dash.example.org", "https://dash.example.org", 200],
    ["127.0.0.1:PORT", "https://dash.example.org", 200],
    ["127.0.0.1:PORT", "http://127.0.0.1:PORT", 200],
    ["dash.example.org", "http://127.0.0.1:PORT", 403],
    ["dash.example.org", "http://dash.example.org", 403],
    ["dash.example.org", "https://dash.example.org.evil.test", 403],
    ["dash.example.org", "null", 403],
    ["dash.example.org:80", "https://dash.example.org", 403],
    ["evil.test", "https://dash.example.org", 403],
  ])("[W120] behind a proxy Host %s with Origin %s is answered by %i", async (host, origin, status) => {
    const stage = await open(PUBLIC);
    const at = (text: string) => text.replace("PORT", new URL(stage.page.origin).port);
    const headers = { ...owner(stage), host: at(host), origin: at(origin) };
    expect((await call(stage, "/api/run", { method: "GET", headers })).status).toBe(status);
  });

  it("[W120] without a public address nothing but this machine's own names is answered", async () => {
    const stage = await open();
    const headers = { ...owner(stage), host: "dash.example.org", origin: "https://dash.example.org" };
    expect((await call(stage, "/api/run", { method: "GET", headers })).status).toBe(403);
  });

  it("[W121] a code lets one device in, once, however it is typed, and its acts say so", async () => {
    const stage = await open();
    const { code } = stage.page.openCode();
    const typed = ` ${code.toLowerCase().replace("-", " ")} `;
    const { status, json } = await call(stage, "/api/pair", { body: { code: typed, name: "Ann's phone" } });
    expect(status).toBe(200);
    const phone = bearer(json["token"]);
    expect((await call(stage, "/api/act", { body: RETRY, headers: phone })).status).toBe(200);
    expect(stage.asked).toMatchObject([{ method: "act", by: "dashboard (ann), Ann's phone" }]);
    const again = await call(stage, "/api/pair", { body: { code } });
    expect([again.status, again.json]).toEqual([401, { error: "this code is wrong, used or too old" }]);
  });

  it("[W121] a newer code takes the place of the one before", async () => {
    const stage = await open();
    const first = stage.page.openCode();
    const second = await access(stage, { kind: "code" });
    expect((await call(stage, "/api/pair", { body: { code: first.code } })).status).toBe(401);
    expect((await call(stage, "/api/pair", { body: { code: second.code } })).status).toBe(200);
  });

  it("[W122] ten wrong codes close the door, for the right one too", async () => {
    const stage = await open();
    const { code } = stage.page.openCode();
    const statuses: number[] = [];
    for (let at = 0; at < 12; at++)
      statuses.push((await call(stage, "/api/pair", { body: { code: `0000-000${at % 10}` } })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    expect((await call(stage, "/api/pair", { body: { code } })).status).toBe(429);
  });

  it("[W123] other sites' pages neither pair nor decide who is let in", async () => {
    const stage = await open(PUBLIC);
    const { code } = stage.page.openCode();
    const foreign = { origin: "https://evil.test", "sec-fetch-site": "cross-site" };
    expect((await call(stage, "/api/pair", { body: { code }, headers: foreign })).status).toBe(403);
    expect((await call(stage, "/api/access", { body: { kind: "code" } })).status).toBe(401);
    const plain = await call(stage, "/api/pair", { headers: { "content-type": "text/plain" } });
    expect(plain.status).toBe(415);
    expect((await call(stage, "/api/pair", { body: { code } })).status).toBe(200);
  });

  it("[W124] a link shows, does nothing, lets nobody in, and answers no agent", async () => {
    const stage = await open(PUBLIC);
    const { link } = await access(stage, { kind: "share", name: "team", hours: 1 });
    expect(link).toMatch(/^https:\/\/dash\.example\.org\/#view=[\w-]{43}$/);
    const viewer = bearer(link?.split("=")[1]);
    expect((await call(stage, "/api/run", { method: "GET", headers: viewer })).status).toBe(200);
    for (const [path, body] of [
      ["/api/act", RETRY],
      ["/api/act", { kind: "stop", how: "hard" }],
      ["/api/access", { kind: "code" }],
      ["/api/access", { kind: "share" }],
    ] as const)
      expect((await call(stage, path, { body, headers: viewer })).status).toBe(403);
    expect(stage.asked).toEqual([]);
    const control = new AbortController();
    const stream = await fetch(`${stage.page.origin}/api/stream`, {
      headers: viewer,
      signal: control.signal,
    });
    await stream.body?.getReader().read();
    expect(stage.present()).toBe(0);
    control.abort();
    const shape = await call(stage, "/api/access", { method: "GET", headers: viewer });
    expect(shape.json).toMatchObject({ role: "viewer", grants: [] });
  });

  it("[W124] of all routes that there are a link reads what reads, and is refused at every other, whatever it sends", async () => {
    const stage = await open(PUBLIC);
    const { link } = await access(stage, { kind: "share", hours: 1 });
    const viewer = bearer(link?.split("=")[1]);
    const { routes } = createApp({
      ...({} as Omit<AppOptions, "pages" | "monitor">),
      monitor: stage.monitor,
      pages: new Map(),
    });
    const api = routes.filter(({ path }) => path.startsWith("/api/") && !path.includes("*"));
    const writing = api.filter(({ method }) => method !== "GET");
    expect(writing.map(({ path }) => path).sort()).toEqual([
      "/api/access",
      "/api/act",
      "/api/pair",
      "/api/publish",
    ]);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      for (const path of new Set(api.map(one => one.path))) {
        const { status } = await call(stage, path, { method, body: RETRY, headers: viewer });
        expect({ method, path, status }).toEqual({
          method,
          path,
          status: method === "POST" && writing.some(one => one.path === path) ? 403 : 405,
        });
      }
    const kinds = ActRequest.options.map(({ shape }) => shape.kind.value);
    for (const kind of kinds) {
      const body = { kind, task: "T1.1", action: "retry", phase: "1", held: true, id: 1, allowed: true };
      expect((await call(stage, "/api/act", { body, headers: viewer })).status).toBe(403);
    }
    // What reads changes nothing, either: neither the run nor who is let in.
    const before = stage.monitor.ask(store => store.load());
    const reading = api.filter(({ method, path }) => method === "GET" && path !== "/api/stream");
    for (const { path } of reading)
      expect((await call(stage, path, { method: "GET", headers: viewer })).status).not.toBe(403);
    expect(stage.monitor.ask(store => store.load())).toEqual(before);
    expect(stage.asked).toEqual([]);
  });

  it("[W28] those who only look on keep nobody else out", async () => {
    const stage = await open();
    const { link } = await access(stage, { kind: "share", hours: 1 });
    const control = new AbortController();
    const look = async (headers: Record<string, string>) =>
      (await fetch(`${stage.page.origin}/api/stream`, { headers, signal: control.signal })).status;
    const viewer = bearer(link?.split("=")[1]);
    const statuses = await Promise.all(Array.from({ length: 14 }, () => look(viewer)));
    expect(statuses.toSorted((one, other) => one - other)).toEqual([
      ...Array.from({ length: 12 }, () => 200),
      503,
      503,
    ]);
    expect(await look(owner(stage))).toBe(200);
    control.abort();
  });

  it.each(["/api/pair", "/api/access", "/api/act"])(
    "[W8] what goes to %s and grows too large is told so",
    async path => {
      const stage = await open();
      const answer = await fetch(`${stage.page.origin}${path}`, {
        method: "POST",
        headers: { ...owner(stage), "content-type": "application/json" },
        body: new Blob([" ".repeat(20_000)]).stream(),
        duplex: "half",
      } as RequestInit);
      expect(answer.status).toBe(413);
    },
  );

  it("[W125] what is revoked ends at once, its stream too, and only the owner revokes others", async () => {
    const stage = await open();
    const phone = await paired(stage);
    const stream = await fetch(`${stage.page.origin}/api/stream`, { headers: bearer(phone) });
    const reader = stream.body!.getReader();
    await reader.read();
    const shape = await call(stage, "/api/access", { method: "GET", headers: owner(stage) });
    const [grant] = (shape.json as unknown as AccessShape).grants;
    expect(grant).toMatchObject({ kind: "device", name: "phone" });
    expect(JSON.stringify(shape.json)).not.toContain(phone);
    expect((await access(stage, { kind: "revoke", id: grant?.id }, bearer(phone))).status).toBe(403);
    expect((await access(stage, { kind: "revoke", id: grant?.id })).status).toBe(200);
    let isDone = false;
    while (!isDone) isDone = (await reader.read()).done;
    expect((await call(stage, "/api/run", { method: "GET", headers: bearer(phone) })).status).toBe(401);
  });

  it("[W125] a device that leaves is let in no more", async () => {
    const stage = await open();
    const phone = bearer(await paired(stage));
    expect((await access(stage, { kind: "leave" }, phone)).status).toBe(200);
    expect((await call(stage, "/api/run", { method: "GET", headers: phone })).status).toBe(401);
    expect((await access(stage, { kind: "leave" })).status).toBe(200);
    expect((await call(stage, "/api/run", { method: "GET", headers: owner(stage) })).status).toBe(200);
  });
});

describe("time", () => {
  const door = () => {
    const clock = new ManualClock();
    const news: string[] = [];
    return { clock, news, access: createAccess("owner-token", clock, one => news.push(one)) };
  };

  it("[W121] a code is good for ten minutes", async () => {
    const { clock, access } = door();
    const { code } = access.openCode();
    await clock.advance(10 * MINUTE);
    expect(access.pair(code, "")).toEqual({ ok: false, why: "wrong" });
  });

  it("[W122] the door opens again after ten minutes, for a new code", async () => {
    const { clock, access, news } = door();
    const { code } = access.openCode();
    for (let at = 0; at < 10; at++) access.pair("nonsense", "");
    expect(access.pair(code, "")).toEqual({ ok: false, why: "closed" });
    expect(news).toEqual(["closed"]);
    await clock.advance(10 * MINUTE);
    expect(access.pair(code, "").ok).toBe(false);
    expect(access.pair(access.openCode().code, "").ok).toBe(true);
  });

  it("[W159] a code that the owner makes while the door is shut opens it: none is shown that lets nobody in", () => {
    const { access, news } = door();
    for (let round = 0; round < 2; round++) {
      const { code } = access.openCode();
      for (let at = 0; at < 10; at++) access.pair("nonsense", "");
      expect(access.pair(code, "")).toEqual({ ok: false, why: "closed" });
    }
    expect(news).toEqual(["closed", "closed"]);
    expect(access.pair(access.openCode().code, "").ok).toBe(true);
  });

  it("[W125] devices and links are let in until their time is over", async () => {
    const { clock, access } = door();
    const device = access.pair(access.openCode().code, "phone");
    const link = access.share("team", HOUR);
    const phone = access.visitor((device as { token: string }).token);
    expect([phone?.role, access.visitor(link!.token)?.role]).toEqual(["paired", "viewer"]);
    await clock.advance(HOUR);
    expect(access.visitor(link!.token)).toBeUndefined();
    await clock.advance(11 * HOUR);
    expect(phone?.over.aborted).toBe(true);
    expect(access.grants()).toEqual([]);
    expect(access.visitor("owner-token")?.role).toBe("owner");
  });

  it("[W121] codes are of 32 letters that are read as no other, and none is like another", () => {
    const { access } = door();
    const codes = Array.from({ length: 500 }, () => access.openCode().code);
    expect(new Set(codes).size).toBe(500);
    expect(codes.every(code => /^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/.test(code))).toBe(true);
  });

  it("[W125] so many are let in and no more", () => {
    const { access } = door();
    const made = Array.from({ length: 70 }, () => access.share("", HOUR));
    expect(made.filter(one => one !== undefined)).toHaveLength(64);
    expect(access.pair(access.openCode().code, "").ok).toBe(false);
  });
});
