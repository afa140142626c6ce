import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Visitor } from "../../src/server/access.ts";
import { HEADERS, judge, MAX_BODY, type Refused, readBody } from "../../src/server/guard.ts";
import { serverWords } from "../../src/server/words.ts";
import { openStage, type Stage } from "./stage.ts";

const TASKS = "# Shop\n## Phase 1: Build\n### [ ] T1.1: Walls\n- run: true\n";
const TOKEN = "t".repeat(43);
const OWNER: Visitor = { role: "owner", id: "owner", name: "", over: new AbortController().signal };
const GOOD = { host: "127.0.0.1:4747", authorization: `Bearer ${TOKEN}` };

function refusal(method: string, path: string, headers: Record<string, string> = {}): Refused | undefined {
  const all: Record<string, string> = { ...GOOD, ...headers };
  const asked = { method, path, header: (name: string) => all[name] || undefined };
  const visitor = (token: string) => (token === TOKEN ? OWNER : undefined);
  return judge(asked, { port: () => 4747, visitor, words: () => serverWords("en") });
}

function ask(method: string, path: string, headers: Record<string, string> = {}): number {
  return refusal(method, path, headers)?.status ?? 200;
}

describe("who is let in", () => {
  it("[W1] our own page is", () => {
    expect(ask("GET", "/api/run")).toBe(200);
    expect(ask("GET", "/", { authorization: "" })).toBe(200);
    expect(ask("GET", "/api/run", { origin: "http://127.0.0.1:4747", "sec-fetch-site": "same-origin" })).toBe(
      200,
    );
    expect(ask("GET", "/api/run", { host: "localhost:4747", origin: "http://localhost:4747" })).toBe(200);
    expect(ask("POST", "/api/act", { "content-type": "application/json" })).toBe(200);
  });

  it("[W1] an address typed by hand is let in, and so is a look at the headers alone", () => {
    expect(ask("GET", "/", { "sec-fetch-site": "none" })).toBe(200);
    expect(ask("HEAD", "/")).toBe(200);
    expect(ask("HEAD", "/api/run")).toBe(200);
  });

  it.each<[Refused, string, string, Record<string, string>]>([
    [{ status: 403, error: "unknown Host" }, "GET", "/", { host: "evil.test" }],
    [{ status: 403, error: "foreign Origin" }, "GET", "/", { origin: "http://evil.test" }],
    [{ status: 403, error: "a request of another site" }, "GET", "/", { "sec-fetch-site": "cross-site" }],
    [{ status: 405, error: "method not allowed" }, "PUT", "/", {}],
    [{ status: 405, error: "method not allowed" }, "GET", "/api/act", {}],
    [
      { status: 401, error: "the token of this start is missing or wrong" },
      "GET",
      "/api/run",
      { authorization: "" },
    ],
    [{ status: 415, error: "send application/json" }, "POST", "/api/act", { "content-type": "text/plain" }],
    [
      { status: 413, error: "too large: 16,385 bytes, at most 16,384" },
      "POST",
      "/api/act",
      { "content-type": "application/json", "content-length": String(MAX_BODY + 1) },
    ],
  ])("[W14] %j is what a refused request is told", (refused, method, path, headers) => {
    expect(refusal(method, path, headers)).toEqual(refused);
  });

  it.each([
    "",
    "evil.test",
    "evil.test:4747",
    "127.0.0.1",
    "127.0.0.1:4748",
    "127.0.0.1:4747.evil.test",
    "localhost.evil.test:4747",
    "LOCALHOST:4747",
    "0.0.0.0:4747",
    "[::1]:4747",
    "127.0.0.1:4747, evil.test",
    "127.1:4747",
  ])("[W2] Host %j is refused, for pages and the API alike", host => {
    expect(ask("GET", "/", { host })).toBe(403);
    expect(ask("GET", "/api/run", { host })).toBe(403);
  });

  it.each([
    "null",
    "http://evil.test",
    "http://evil.test:4747",
    "http://localhost:4747",
    "http://127.0.0.1",
    "http://127.0.0.1:4748",
    "https://127.0.0.1:4747",
    "http://127.0.0.1:4747/",
    "http://127.0.0.1:4747.evil.test",
  ])("[W3] Origin %j is refused", origin => {
    expect(ask("GET", "/api/run", { origin })).toBe(403);
    expect(ask("POST", "/api/act", { origin, "content-type": "application/json" })).toBe(403);
  });

  it("[W4] a request that another site's page sent is refused, whatever else it says", () => {
    for (const site of ["cross-site", "same-site"]) {
      expect(ask("GET", "/", { "sec-fetch-site": site })).toBe(403);
      expect(ask("GET", "/api/run", { "sec-fetch-site": site })).toBe(403);
    }
  });

  it("[W158] a link that is followed from another site's page opens the page in a tab, and nothing else does", () => {
    const followed = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    for (const site of ["cross-site", "same-site"]) {
      expect(ask("GET", "/", { ...followed, "sec-fetch-site": site, authorization: "" })).toBe(200);
      expect(ask("GET", "/api/run", { ...followed, "sec-fetch-site": site })).toBe(403);
      expect(ask("GET", "/api", { ...followed, "sec-fetch-site": site })).toBe(403);
    }
    for (const dest of ["iframe", "frame", "embed", "object", "script", ""])
      expect(ask("GET", "/", { ...followed, "sec-fetch-dest": dest })).toBe(403);
    expect(ask("GET", "/", { ...followed, "sec-fetch-mode": "no-cors" })).toBe(403);
    expect(ask("HEAD", "/", followed)).toBe(403);
    expect(ask("POST", "/api/act", { ...followed, "content-type": "application/json" })).toBe(403);
    expect(ask("GET", "/", { ...followed, host: "evil.test" })).toBe(403);
    expect(ask("GET", "/", { ...followed, origin: "http://evil.test" })).toBe(403);
  });

  it.each([
    "",
    "Bearer",
    "Bearer ",
    `Bearer ${TOKEN}x`,
    `Bearer ${TOKEN.slice(1)}`,
    `bearer ${TOKEN}`,
    TOKEN,
  ])("[W5] authorization %j is refused, also for reading", authorization => {
    expect(ask("GET", "/api/run", { authorization })).toBe(401);
    expect(ask("POST", "/api/act", { authorization, "content-type": "application/json" })).toBe(401);
    expect(ask("GET", "/api", { authorization })).toBe(401);
  });

  it("[W6] only GET reads, only POST acts", () => {
    for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "POST"])
      expect(ask(method, "/api/run")).toBe(405);
    for (const method of ["GET", "HEAD", "PUT"]) expect(ask(method, "/api/act")).toBe(405);
    expect(ask("POST", "/")).toBe(405);
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "",
    "application/json; charset=utf-8",
  ])("[W7] content type %j is refused", type => {
    expect(ask("POST", "/api/act", { "content-type": type })).toBe(415);
  });

  it.each([String(MAX_BODY + 1), "1e99", "-", "NaN"])("[W8] content length %s is refused", length => {
    expect(ask("POST", "/api/act", { "content-type": "application/json", "content-length": length })).toBe(
      413,
    );
  });
});

describe("a body", () => {
  const post = (body: string | ReadableStream): Request =>
    new Request("http://127.0.0.1/api/act", { method: "POST", body, duplex: "half" } as RequestInit);

  it("[W8] of 16 KiB is let in and read, of one byte more it is not", async () => {
    const json = { "content-type": "application/json" };
    expect(MAX_BODY).toBe(16_384);
    expect(ask("POST", "/api/act", { ...json, "content-length": String(MAX_BODY) })).toBe(200);
    expect(await readBody(post("x".repeat(MAX_BODY)))).toBe("x".repeat(MAX_BODY));
    expect(await readBody(post("x".repeat(MAX_BODY + 1)))).toBeUndefined();
  });

  it("[W8] is read as it was sent, in however many pieces, or none", async () => {
    const bytes = new TextEncoder().encode("한글 and 🌳");
    const pieces = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await readBody(post(pieces))).toBe("한글 and 🌳");
    expect(await readBody(new Request("http://127.0.0.1/"))).toBe("");
  });
});

describe("the server", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({ tasks: TASKS });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  /** A request as bytes, for what no client sends. */
  function raw(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(stage.page.origin).port), "127.0.0.1");
      let answer = "";
      socket.on("data", chunk => {
        answer += chunk.toString();
      });
      socket.on("error", reject);
      socket.on("close", () => resolve(answer));
      socket.end(text);
    });
  }

  it("[W9] every answer carries the policy, refusals too", async () => {
    for (const answer of [
      await stage.get("/api/run"),
      await stage.get("/nothing"),
      await fetch(`${stage.page.origin}/api/run`),
      await stage.post("{"),
    ]) {
      for (const [name, value] of Object.entries(HEADERS)) expect(answer.headers.get(name)).toBe(value);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
    expect(HEADERS["content-security-policy"]).not.toContain("unsafe");
  });

  it("[W9] the policy is this one", () => {
    const { "content-security-policy": policy = "", ...others } = HEADERS;
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(others).toEqual({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=()",
      "cache-control": "no-store",
    });
  });

  it("[W14] a refusal is told as JSON", async () => {
    const answer = await fetch(`${stage.page.origin}/api/run`);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ error: "the token of this start is missing or wrong" });
  });

  it("[W10] stays up after malformed requests", async () => {
    const port = new URL(stage.page.origin).port;
    const lines = [
      "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: [::\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
      `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nHost: evil.test\r\n\r\n`,
      `GET http://evil.test/api/run HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
      `GET //evil.test/../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
      `GET /%2e%2e/%2e%2e/package.json HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
      `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`,
      "NONSENSE\r\n\r\n",
      "\u0000\u0001\u0002",
    ];
    for (const line of lines) {
      const answer = await raw(line);
      expect(answer).not.toContain("200 OK");
      expect(answer).not.toContain("espalier");
    }
    expect((await stage.get("/api/run")).status).toBe(200);
  });

  it("[W8] a body that grows beyond the limit is refused, whatever its headers say", async () => {
    const big = JSON.stringify({ kind: "task", action: "retry", task: "T1.1", note: "x".repeat(MAX_BODY) });
    expect((await stage.post(big)).status).toBe(413);
    const chunked = new ReadableStream({
      start(controller) {
        for (let at = 0; at < 20; at++) controller.enqueue(new TextEncoder().encode(" ".repeat(1024)));
        controller.close();
      },
    });
    const answer = await fetch(`${stage.page.origin}/api/act`, {
      method: "POST",
      headers: { authorization: `Bearer ${stage.page.token}`, "content-type": "application/json" },
      body: chunked,
      duplex: "half",
    } as RequestInit);
    expect(answer.status).toBe(413);
    expect(stage.asked).toEqual([]);
  });

  it.each([
    "{",
    "null",
    "[]",
    '{"kind":"shell"}',
    '{"kind":"task","action":"delete","task":"T1.1"}',
    '{"kind":"task","action":"retry"}',
    '{"kind":"task","action":"retry","task":""}',
    '{"kind":"task","action":"retry","task":"T1.1","by":"root"}',
    '{"kind":"stop","how":"violently"}',
    '{"kind":"hold","held":"yes"}',
  ])("[W11] %s asks for nothing we know", async body => {
    expect((await stage.post(body)).status).toBe(400);
    expect(stage.asked).toEqual([]);
  });

  it("[W12] the token stands in no answer and in no header", async () => {
    for (const path of ["/api/run", "/api/events", "/api/task?id=T1.1", "/api/nothing"]) {
      const answer = await stage.get(path);
      const text = JSON.stringify([...answer.headers]) + (await answer.text());
      expect(text).not.toContain(stage.page.token);
    }
    expect(stage.page.token.length).toBeGreaterThanOrEqual(43);
    expect(new URL(stage.page.link).hash).toBe(`#token=${stage.page.token}`);
  });
});

describe("the port", () => {
  it("[W13] one that is taken is a failure in words; without a wish the next free one is taken", async () => {
    await using first = await openStage({ tasks: TASKS });
    const port = Number(new URL(first.page.origin).port);
    await expect(openStage({ tasks: TASKS, serve: { port } })).rejects.toThrow(`port ${port} is taken`);
    await using second = await openStage({ tasks: TASKS, serve: { port: undefined } });
    await using third = await openStage({ tasks: TASKS, serve: { port: undefined } });
    expect(third.page.origin).not.toBe(second.page.origin);
    expect(second.page.origin).not.toBe(first.page.origin);
    expect(second.page.token).not.toBe(first.page.token);
    expect(first.page.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });
});
