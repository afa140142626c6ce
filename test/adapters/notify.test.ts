import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  createCommandNotifier,
  createDesktopNotifier,
  createSlackNotifier,
  createTerminalNotifier,
  createWebhookNotifier,
} from "../../src/adapters/notify/index.ts";
import { because, type Notice, type NoticeMessage } from "../../src/ports/index.ts";
import { noticeText } from "../../src/text/index.ts";
import { agentSaid } from "../reasons.ts";
import { scratchFolder } from "../scratch.ts";

const SECRET = "https://hooks.slack.com/services/T000/B000/very-secret";
function message(notice: Notice, project = "my-app"): NoticeMessage {
  return { project, notices: [notice], more: 0 };
}

const PHASE = message({
  kind: "phase-ended",
  phase: "1",
  completed: 12,
  counted: 12,
  ms: 45 * 60_000,
  command: "espalier status",
});
const STUCK = message({
  kind: "paused",
  task: "T1.1",
  reason: agentSaid("TypeError\u001b[31m <b>&\u0007"),
  command: "espalier task resume T1.1",
});
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
          text: "🎉 Phase 1 완료!\n├── 프로젝트: my &lt;!channel&gt; &amp; app\n├── 완료: 12개\n├── 소요: 45분\n└── 계속하려면: espalier status",
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
      [404, "hooks.slack.com: HTTP 404"],
      [302, because("notice-failed", { at: "hooks.slack.com", why: "redirects" })],
    ] as const) {
      const once = puppet(status);
      const refused = await createSlackNotifier({ url: SECRET, locale: "en", ...once, pause }).notify(PHASE);
      expect(refused).toEqual({ ok: false, failure: why });
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
      {
        version: 2,
        project: "my-app",
        command: "espalier status",
        notices: [{ kind: "phase-ended", completed: 12, what: "🎉 Phase 1 done!" }],
        text: noticeText(PHASE, "en"),
      },
    ]);
  });

  it.each([
    ["en", "Phase 1 ended, 1 of 2 completed", "├── Completed: 1 of 2"],
    ["ko", "Phase 1 종료, 2개 중 1개 완료", "├── 완료: 2개 중 1개"],
  ] as const)(
    "[HO99] is told in %s that a phase ended with tasks that did not complete, whatever stands before it",
    (locale, what, fact) => {
      const [all] = PHASE.notices;
      const part = { ...all!, completed: 1, counted: 2 } as Notice;
      const [head, ...rows] = noticeText({ ...PHASE, notices: [part] }, locale).split("\n");
      expect([head, rows]).toEqual([what, expect.arrayContaining([fact])]);
      const behind = noticeText({ ...PHASE, notices: [STUCK.notices[0]!, part] }, locale);
      expect(behind).toContain(`├── ${what}\n`);
      expect(behind).not.toContain("🎉");
      expect(noticeText({ ...PHASE, notices: [STUCK.notices[0]!, all!] }, locale)).toContain("🎉");
    },
  );

  it("[HO53] gets the token that it asks for as a header, and what holds none is not sent or repeated", async () => {
    const seen: (string | undefined)[] = [];
    const url = await listen(request => {
      seen.push(request.headers.authorization);
      return 204;
    });
    const token = "tok_0123456789";
    expect((await createWebhookNotifier({ url, token, locale: "en", pause }).notify(PHASE)).ok).toBe(true);
    const bad = await createWebhookNotifier({ url, token: "two\nlines", locale: "en", pause }).notify(PHASE);
    expect(bad).toEqual({
      ok: false,
      failure: because("notice-failed", { at: "notify.tokenEnv", why: "no-token" }),
    });
    expect(seen).toEqual([`Bearer ${token}`]);
  });

  it("[HO52] is left alone after three tries, each of its own length", async () => {
    let calls = 0;
    const hanging: typeof fetch = async (_, init) => {
      calls++;
      // As if time had passed: what is proved is that the signal ends the call.
      expect(init?.signal).toBeInstanceOf(AbortSignal);
      throw new DOMException("late", "TimeoutError");
    };
    const url = "https://example.org/hook";
    const told = await createWebhookNotifier({ url, locale: "en", fetch: hanging, pause }).notify(PHASE);
    expect([calls, told]).toEqual([
      3,
      { ok: false, failure: because("notice-failed", { at: "example.org", why: "no-answer" }) },
    ]);
  });

  it("[HO52] is not waited for any longer once nobody waits, and not tried again", async () => {
    const over = new AbortController();
    let calls = 0;
    const hanging: typeof fetch = (_, init) => {
      calls++;
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(new DOMException("gone", "AbortError")));
        over.abort();
      });
    };
    const url = "https://example.org/hook";
    const hook = createWebhookNotifier({ url, locale: "en", fetch: hanging });
    const told = await hook.notify(PHASE, over.signal);
    expect([calls, told]).toEqual([
      1,
      { ok: false, failure: because("notice-failed", { at: "example.org", why: "no-time" }) },
    ]);
  });

  it("is not followed elsewhere, and not spoken to without encryption beyond this machine", async () => {
    const url = await listen(() => 307);
    const told = await createWebhookNotifier({ url, locale: "en", pause }).notify(PHASE);
    expect(told).toMatchObject({ ok: false });
    const far = await createWebhookNotifier({ url: "http://example.org/x", locale: "en", pause }).notify(
      PHASE,
    );
    expect(far).toEqual({
      ok: false,
      failure: because("notice-forbidden", { at: "notify.webhook", address: "http://example.org" }),
    });
  });
});

describe("a command", () => {
  it("is told in its environment, and its failure is one sentence", async () => {
    const seen: Record<string, string>[] = [];
    const fine = createCommandNotifier("tell", "en", async (command, env, input) => {
      seen.push({ command, input, ...env });
      return undefined;
    });
    expect((await fine.notify(STUCK)).ok).toBe(true);
    expect(seen[0]?.["command"]).toBe("tell");
    expect(JSON.parse(seen[0]?.["ESPALIER_NOTICE"] ?? "")).toMatchObject({
      notices: [{ kind: "paused", task: "T1.1" }],
    });
    expect(seen[0]?.["ESPALIER_NOTICE_TEXT"]).not.toContain("\u001b");
    expect(seen[0]?.["input"]).toBe(`${seen[0]?.["ESPALIER_NOTICE_TEXT"]}\n`);
    const said = (text: string) => because("said", { by: "system", text });
    const over = AbortSignal.abort();
    const ended = createCommandNotifier("tell", "en", async (_line, _env, _input, when) =>
      when === over ? said("ended") : undefined,
    );
    expect(await ended.notify(STUCK, over)).toEqual({ ok: false, failure: said("ended") });
    const broken = createCommandNotifier("tell", "en", async () => said("exit 1"));
    expect(await broken.notify(STUCK)).toEqual({ ok: false, failure: said("exit 1") });
  });
});

describe("the desktop", () => {
  const folders: string[] = [];
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  /** A folder with a program of this name that writes its arguments and environment down, one a line. */
  function program(name: string, exit = 0): { readonly path: string; readonly told: () => string[] } {
    const folder = scratchFolder("espalier-desktop-");
    folders.push(folder);
    const file = join(folder, name);
    writeFileSync(
      file,
      `#!/bin/sh\nfor one in "$@"; do printf '%s\\0' "$one"; done > ${folder}/args\nenv > ${folder}/env\nexit ${exit}\n`,
    );
    chmodSync(file, 0o755);
    return {
      path: `${folder}:/usr/bin:/bin`,
      told: () => readFileSync(join(folder, "args"), "utf8").split("\0").slice(0, -1),
    };
  }

  it("[HO55] shows a bubble by notify-send, whose arguments are no options and no markup", async () => {
    const { path, told } = program("notify-send");
    const env = { PATH: path, DISPLAY: ":0", SECRET_TOKEN: "x" };
    const desktop = createDesktopNotifier({ env, locale: "en", platform: "linux" });
    expect(await desktop?.notify(STUCK)).toEqual({ ok: true, value: undefined });
    expect(told()).toEqual([
      "--app-name=Espalier",
      "--urgency=critical",
      "--",
      "⏸ T1.1 waits for you",
      "Project: my-app\nWhy: TypeError\\x1b[31m &lt;b&gt;&amp;\\x07\nGo on: espalier task resume T1.1",
    ]);
    expect(readFileSync(join(folders[0]!, "env"), "utf8")).not.toContain("SECRET_TOKEN");
  });

  it("[HO55] hands texts to osascript beside its script", async () => {
    const { path, told } = program("osascript");
    const desktop = createDesktopNotifier({ env: { PATH: path }, locale: "en", platform: "darwin" });
    await desktop?.notify(
      message({ kind: "paused", task: '"; do shell script "id', reason: agentSaid("x"), command: "c" }),
    );
    expect(told().slice(0, 6)).toEqual([
      "-e",
      "on run argv",
      "-e",
      "display notification (item 2 of argv) with title (item 1 of argv)",
      "-e",
      "end run",
    ]);
    expect(told()[6]).toBe('⏸ "; do shell script "id waits for you');
  });

  it("[HO55] is none without a display or a program, and a failure is said", async () => {
    const { path } = program("notify-send", 3);
    const linux = { locale: "en", platform: "linux" } as const;
    expect(createDesktopNotifier({ env: { PATH: path }, ...linux })).toBeUndefined();
    expect(createDesktopNotifier({ env: { PATH: "/nowhere", DISPLAY: ":0" }, ...linux })).toBeUndefined();
    const failing = createDesktopNotifier({ env: { PATH: path, DISPLAY: ":0" }, ...linux });
    expect(await failing?.notify(PHASE)).toMatchObject({ ok: false, failure: expect.stringMatching(/: 3$/) });
  });

  it.each([
    [{ TERM: "xterm-256color" }, "\u0007"],
    [
      { TERM_PROGRAM: "WezTerm" },
      "\u001b]9;⏸ T1.1 waits for you: Go on: espalier task resume T1.1\u0007\u0007",
    ],
  ])("[HO55] in a terminal of %j rings its bell", async (env, bytes) => {
    let written = "";
    const terminal = createTerminalNotifier(text => (written += text), env, "en");
    await terminal.notify(STUCK);
    expect(written).toBe(bytes);
  });

  it("[HO55] no text ends the terminal's sequence", async () => {
    let written = "";
    const terminal = createTerminalNotifier(text => (written += text), { WT_SESSION: "1" }, "en");
    await terminal.notify(
      message({ kind: "paused", task: "\u0007\u001b]0;x\u009c", reason: agentSaid(""), command: "c" }),
    );
    expect(written.slice(4, -2)).toMatch(/^[^\u0000-\u001f\u007f-\u009f]+$/);
  });
});

const SUMMARY = {
  completed: 3,
  tasks: 4,
  unverified: 0,
  failed: 1,
  paused: 0,
  ms: 1000,
  ready: [],
  reason: agentSaid("failed: T1.1"),
};
const END = { kind: "run-ended", outcome: "failed", summary: SUMMARY, command: "espalier status" } as const;

it.each([
  [END, "failed: T1.1"],
  [{ ...END, outcome: "completed" }, "All done"],
  [{ kind: "budget", reason: agentSaid("10 USD are spent"), command: "espalier budget" }, "10 USD"],
  [{ kind: "quota", tasks: 2, until: undefined, command: "espalier status" }, "2 tasks wait"],
  [{ kind: "emergency", said: "disk full", command: "espalier resume" }, "disk full"],
  [{ kind: "approval", wanted: 1, command: "espalier run" }, "1 command is new"],
  [{ kind: "phase-gated", phase: "1", completed: 1, counted: 4, command: "c" }, "1 of 4"],
  [{ kind: "phase-refused", phase: "1", reason: agentSaid("red"), command: "c" }, "red"],
  [{ kind: "phase-ready", phase: "1", branch: "phase/1-x", command: "c" }, "phase/1-x"],
  [{ kind: "asked", task: "T1", id: 2, wants: "execute git push", command: "c" }, "git push"],
  [{ kind: "test", command: "espalier run" }, "arrive"],
] as const)("[XM8] has words for %j", (notice, words) => {
  const english = noticeText(message(notice), "en");
  expect(english).toContain(words);
  expect(english.split("\n").at(-1)).toBe(`└── Go on: ${notice.command}`);
  const korean = noticeText(message(notice), "ko");
  expect(korean).toContain("프로젝트: my-app");
  expect(korean.split("\n").at(-1)).toBe(`└── 계속하려면: ${notice.command}`);
});
