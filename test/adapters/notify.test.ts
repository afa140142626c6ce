import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import {
  createCommandNotifier,
  createSlackNotifier,
  createWebhookNotifier,
} from "../../src/adapters/notify/index.ts";
import type { Notice } from "../../src/ports/index.ts";
import { noticeText } from "../../src/text/index.ts";
import { agentSaid } from "../reasons.ts";

const SECRET = "https://hooks.slack.com/services/T000/B000/very-secret";
const PHASE: Notice = {
  kind: "phase-ended",
  project: "my-app",
  phase: "1",
  completed: 12,
  counted: 12,
  ms: 45 * 60_000,
};
const pause = async () => {};

interface Call {
  readonly url: string;
  readonly body: unknown;
  readonly redirect: RequestInit["redirect"];
}

/** A `fetch` that answers as it is told, and what it was asked. */
function puppet(...answers: readonly (number | Error)[]): {
  readonly fetch: typeof fetch;
  readonly calls: Call[];
} {
  const calls: Call[] = [];
  const call = async (input: unknown, init?: RequestInit): Promise<Response> => {
    const answer = answers[calls.length] ?? 200;
    calls.push({ url: String(input), body: JSON.parse(init?.body as string), redirect: init?.redirect });
    if (answer instanceof Error) throw answer;
    return new Response("", { status: answer });
  };
  return { fetch: call as typeof fetch, calls };
}

describe("Slack", () => {
  it("is told in the documents' words, without links, mentions or previews", async () => {
    const { fetch, calls } = puppet();
    const slack = createSlackNotifier({ url: SECRET, locale: "ko", fetch, pause });
    expect(await slack.notify({ ...PHASE, project: "my <!channel> & app" })).toEqual({
      ok: true,
      value: undefined,
    });
    expect(calls).toEqual([
      {
        url: SECRET,
        redirect: "manual",
        body: {
          text: "🎉 Phase 1 완료!\n├── 프로젝트: my &lt;!channel&gt; &amp; app\n├── 완료: 12개\n└── 소요: 45분",
          mrkdwn: false,
          unfurl_links: false,
          unfurl_media: false,
        },
      },
    ]);
  });

  it.each([
    "http://hooks.slack.com/services/x",
    "https://hooks.slack.com.evil.test/x",
    "https://evil.test/hooks.slack.com",
    "https://user:pass@hooks.slack.com/x",
    "file:///etc/passwd",
    "not an address",
  ])("is not looked for at %s, and the address is not repeated", async url => {
    const { fetch, calls } = puppet();
    const told = await createSlackNotifier({ url, locale: "en", fetch, pause }).notify(PHASE);
    expect(told.ok).toBe(false);
    expect(calls).toEqual([]);
    expect(JSON.stringify(told)).not.toContain("services");
  });

  it("is asked three times at most, and not again where that is pointless", async () => {
    const down = puppet(500, new TypeError("fetch failed"), 503);
    const told = await createSlackNotifier({ url: SECRET, locale: "en", ...down, pause }).notify(PHASE);
    expect(told).toEqual({ ok: false, failure: "hooks.slack.com: HTTP 503" });
    expect(down.calls).toHaveLength(3);
    for (const [status, why] of [
      [404, "HTTP 404"],
      [302, "it redirects elsewhere"],
    ] as const) {
      const once = puppet(status);
      const refused = await createSlackNotifier({ url: SECRET, locale: "en", ...once, pause }).notify(PHASE);
      expect(refused).toEqual({ ok: false, failure: `hooks.slack.com: ${why}` });
      expect(once.calls).toHaveLength(1);
    }
    const second = puppet(429, 200);
    expect(
      (await createSlackNotifier({ url: SECRET, locale: "en", ...second, pause }).notify(PHASE)).ok,
    ).toBe(true);
  });
});

describe("a webhook", () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  async function listen(handle: (request: IncomingMessage, body: string) => number): Promise<string> {
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () =>
        response.writeHead(handle(request, body), { location: "http://127.0.0.1:1/" }).end(),
      );
    });
    await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  }

  it("gets the notice as JSON with its text", async () => {
    const bodies: unknown[] = [];
    const url = await listen((_, body) => {
      bodies.push(JSON.parse(body));
      return 204;
    });
    const told = await createWebhookNotifier({ url, locale: "en", pause }).notify(PHASE);
    expect(told.ok).toBe(true);
    expect(bodies).toMatchObject([
      { version: 1, kind: "phase-ended", completed: 12, text: noticeText(PHASE, "en") },
    ]);
  });

  it("is not followed elsewhere, and not spoken to without encryption beyond this machine", async () => {
    const url = await listen(() => 307);
    const told = await createWebhookNotifier({ url, locale: "en", pause }).notify(PHASE);
    expect(told).toMatchObject({ ok: false });
    const far = await createWebhookNotifier({ url: "http://example.org/x", locale: "en", pause }).notify(
      PHASE,
    );
    expect(far).toEqual({ ok: false, failure: "notify.webhook: http://example.org is not allowed" });
  });
});

describe("a command", () => {
  it("is told in its environment, and its failure is one sentence", async () => {
    const seen: Record<string, string>[] = [];
    const fine = createCommandNotifier("tell", "en", async (command, env) => {
      seen.push({ command, ...env });
      return undefined;
    });
    const notice: Notice = {
      kind: "stuck",
      project: "p",
      task: "T1.1",
      reason: agentSaid("TypeError\u001b[31m"),
    };
    expect((await fine.notify(notice)).ok).toBe(true);
    expect(seen[0]?.["command"]).toBe("tell");
    expect(JSON.parse(seen[0]?.["ESPALIER_NOTICE"] ?? "")).toMatchObject({ kind: "stuck", task: "T1.1" });
    expect(seen[0]?.["ESPALIER_NOTICE_TEXT"]).not.toContain("\u001b");
    const broken = createCommandNotifier("tell", "en", async () => "exit 1");
    expect(await broken.notify(notice)).toEqual({ ok: false, failure: "notify.command: exit 1" });
  });
});

it.each([
  [
    {
      kind: "run-ended",
      project: "p",
      outcome: "failed",
      completed: 3,
      ms: 1000,
      reason: agentSaid("failed: T1.1"),
    },
    "failed: T1.1",
  ],
  [
    { kind: "run-ended", project: "p", outcome: "completed", completed: 3, ms: 1000, reason: undefined },
    "All done",
  ],
  [{ kind: "budget", project: "p", reason: agentSaid("10 USD are spent") }, "10 USD"],
] as const)("has words for %j", (notice, words) => {
  expect(noticeText(notice, "en")).toContain(words);
  expect(noticeText(notice, "ko")).toContain("프로젝트: p");
});
