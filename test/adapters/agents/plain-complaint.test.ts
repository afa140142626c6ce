import { describe, expect, it } from "vitest";
import { type PlainEnd, plainComplaint } from "../../../src/adapters/agent/plain-complaint.ts";
import { troubleIn } from "../../../src/adapters/agent/vendor-words.ts";
import { growth, LINEAR } from "../../growth.ts";

const NOW = Date.UTC(2026, 10, 20, 10, 0, 0);
const HOUR = 3_600_000;

const end = (more: Partial<PlainEnd>): PlainEnd => ({
  agent: "mine",
  exitCode: 1,
  cause: "exit",
  said: "",
  errors: "",
  limits: [],
  isAgent: true,
  ...more,
});
const complaint = (more: Partial<PlainEnd>) => plainComplaint(end(more), NOW);

/** What programs of vendors print when they cannot go on. */
const LIMITS: readonly (readonly [string, number | undefined])[] = [
  ["You've hit your usage limit. Try again in 2 hours.", 2 * HOUR],
  ["You've hit your limit · resets 3pm (UTC)", 5 * HOUR],
  ["You’ve hit your session limit · resets 3am (America/New_York)", 22 * HOUR],
  [`Claude AI usage limit reached|${NOW / 1000 + 3600}`, HOUR],
  ["5-hour limit reached ∙ resets 11am (UTC)", HOUR],
  ["Weekly limit reached ∙ resets Mon 10:00 UTC", 72 * HOUR],
  [
    "ERROR: You've hit your usage limit. Upgrade to Pro or try again at Nov 20th, 2026 2:30 PM UTC.",
    4.5 * HOUR,
  ],
  ["■ You've hit your usage limit. Upgrade to Plus to continue, or try again in 1 day 2 hours.", 26 * HOUR],
  ["stream error: exceeded retry limit, last status: 429 Too Many Requests, request id: 9", undefined],
  ['API Error: 429 {"type":"error","error":{"type":"rate_limit_error"}}', undefined],
  ["429 Too Many Requests", undefined],
  [
    "You exceeded your current quota, please check your plan and billing details. Please retry in 35.2s.",
    35_200,
  ],
  ["You've hit your weekly limit · resets Nov 20, 9pm (UTC)", 11 * HOUR],
  ["HTTP 429: Too Many Requests", undefined],
  ["Error: 429 Too Many Requests (Retry-After: 120)", 120_000],
  ["[API Error: You exhausted your capacity on this model. Your quota will reset after 1h0m0s.]", HOUR],
  ["You have exhausted your capacity on this model. Your quota will reset after 1h30m.", 1.5 * HOUR],
  ["Quota exceeded for quota metric 'Generate Content API requests per minute'", undefined],
  ["Error: Resource has been exhausted (e.g. check quota).", undefined],
  ["RESOURCE_EXHAUSTED: try later", undefined],
  ["litellm.RateLimitError: AnthropicException - slow down", undefined],
  ["openai.RateLimitError: Error code: 429", undefined],
  ["Rate limit reached for gpt-5 in organization org-1. Please try again in 20s.", 20_000],
  ["Sorry, you have been rate-limited. Please wait a moment before trying again.", undefined],
  ["You have exceeded your premium request allowance.", undefined],
  ["Free allocated quota exceeded.", undefined],
  ["ThrottlingException: Too many tokens, please wait before trying again.", undefined],
];

/** What people and agents write about limits. */
const TALK: readonly string[] = [
  "Added handling for 429 Too Many Requests to the client",
  "- The rate limit is reached after ten requests, then the middleware answers 429",
  "Rate limiting: token bucket, 100 requests per minute",
  "rate limit tests: 14 passed",
  "✗ answers 429 Too Many Requests when the bucket is empty",
  "FAIL test/limits.test.ts > rate limit exceeded > waits for Retry-After",
  "The usage limit reached by free accounts is now read from the configuration",
  'It shows "You\'ve hit your usage limit" in a banner',
  "| 429 | too many requests | wait |",
  "429 is returned when the limit is reached",
  "4 of 9 requests were throttled",
  "요청 한도 초과 시 429를 반환하도록 했습니다",
  "사용량 제한에 대한 테스트를 추가했습니다",
  "assert.equal(response.status, 429)",
  "401 Unauthorized is answered to guests now",
  "- 401 Unauthorized: answered when the token is missing",
  "401 Unauthorized, 403 Forbidden and 404 are handled",
  "✗ access token expired",
  "✗ 401 for who has no token",
  'FAIL test/auth.test.ts > "401 Unauthorized"',
  "Invalid authentication is told in a banner",
  "The OAuth token has expired: a test for it",
  "OAuth token has expired by then in the second test",
];

describe("what a program complains of in plain text", () => {
  it.each(LIMITS)("[E81] is a limit: %s", (line, ms) => {
    for (const where of [{ errors: line }, { said: line }, { said: line, exitCode: 0 }]) {
      const failure = complaint(where);
      expect(failure).toMatchObject({ kind: "quota", retryable: true });
      expect(failure?.retryAt).toBe(ms === undefined ? undefined : NOW + ms);
    }
  });

  it.each([
    ["Credit balance is too low", "budget"],
    ["Invalid API key · Please run /login", "auth"],
    ["Not logged in · Please run /login", "auth"],
    ["API Error: 401 Invalid authentication credentials", "auth"],
    ['API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"x"}}', "auth"],
    ["unexpected status 401 Unauthorized: Missing bearer, url: https://x", "auth"],
    ["HTTP/1.1 401 Unauthorized", "auth"],
    ["error: OAuth token has expired.", "auth"],
    ['API Error: 529 {"type":"overloaded_error"}', "overloaded"],
    ["503 Service Unavailable", "overloaded"],
  ])("[E81] is what else keeps it from working: %s", (line, kind) => {
    expect(complaint({ errors: line })?.kind).toBe(kind);
  });

  it.each(TALK)("[E81] is none where it only talks of one: %s", line => {
    expect(troubleIn(line)).toBeUndefined();
    expect(complaint({ said: line, errors: line })?.kind).toBe("exit");
    expect(complaint({ said: line, exitCode: 0 })).toBeUndefined();
  });

  it("[E81] is none in an answer that holds more, unless the program failed", () => {
    const limit = "You've hit your usage limit. Try again in 2 hours.";
    const report = `${"I read the code of the limiter and wrote tests for it.\n".repeat(12)}${limit}`;
    expect(complaint({ said: report, exitCode: 0 })).toBeUndefined();
    expect(complaint({ said: `a\nb\nc\nd\n${limit}`, exitCode: 0 })).toBeUndefined();
    expect(
      complaint({ said: `${limit} ${"That is what it says. ".repeat(30)}`, exitCode: 0 }),
    ).toBeUndefined();
    expect(complaint({ said: report })?.kind).toBe("quota");
    expect(complaint({ said: `${limit}\n${"and went on\n".repeat(9)}` })?.kind).toBe("exit");
  });

  it("[E81] of a command that is no agent is its last words", () => {
    const limit = "429 Too Many Requests";
    expect(complaint({ errors: `fetching\n${limit}`, isAgent: false })?.kind).toBe("quota");
    expect(complaint({ said: `${limit}\nmore`, errors: `${limit}\na\nb\nc`, isAgent: false })?.kind).toBe(
      "exit",
    );
  });

  it("[E81] has the time that stands beside it", () => {
    const errors = "HTTP/1.1 429 Too Many Requests\nserver: x\nretry-after: 300\n\n";
    expect(complaint({ errors })?.retryAt).toBe(NOW + 300_000);
  });

  it("[E81] may be in words of the user's own", () => {
    const limits = ["allowance * used up"];
    const said = "Your ALLOWANCE for today is used up, back at 11:00 UTC";
    expect(complaint({ said, limits })).toMatchObject({ kind: "quota", retryAt: NOW + HOUR });
    expect(complaint({ said, limits: ["used up * allowance"] })?.kind).toBe("exit");
  });

  it("[E81] is what it waited for when it was ended", () => {
    const said = "429 Too Many Requests";
    expect(complaint({ said, cause: "idle", exitCode: null })?.kind).toBe("quota");
    expect(complaint({ said: "working", cause: "idle", exitCode: null })).toBeUndefined();
  });

  it("[E80] is its crash: the exit code and the last telling line of stderr", () => {
    const errors = "loading\npanic: index out of range\n\ngoroutine 1 [running]:\nmain.main()\n";
    expect(complaint({ errors, exitCode: 3 })).toEqual({
      kind: "exit",
      message: "mine: panic: index out of range",
      said: "panic: index out of range",
      retryable: true,
      exitCode: 3,
    });
    expect(complaint({ exitCode: 99 })).toMatchObject({ message: "mine: exit code 99", said: "" });
    expect(complaint({ said: "Traceback\nValueError: no", exitCode: 2 })).toMatchObject({
      said: "ValueError: no",
    });
    expect(complaint({ exitCode: 0, errors: "panic: no" })).toBeUndefined();
  });

  it("[E81] is looked for in linear time", () => {
    for (const unit of [
      "error: ",
      "you have hit your ",
      "usage limit ",
      "4",
      "[",
      "2026-11-20t10:00:00 ",
      "a.a",
    ])
      expect(
        growth(
          4_000,
          size => unit.repeat(size),
          said => complaint({ said, errors: said }),
        ),
      ).toBeLessThan(LINEAR);
  });
});
