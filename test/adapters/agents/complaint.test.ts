import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { complaintFailure } from "../../../src/adapters/agent/complaint.ts";
import { resetTime } from "../../../src/adapters/agent/reset-time.ts";
import { growth, LINEAR } from "../../growth.ts";

const NOW = Date.UTC(2026, 10, 20, 10, 0, 0);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe("what an agent says went wrong", () => {
  it.each([
    ["Not logged in · Please run /login", undefined, "auth", false],
    ["Invalid API key · Fix external API key", undefined, "auth", false],
    ["anything", 401, "auth", false],
    ["unexpected status 403 Forbidden", undefined, "auth", false],
    [
      "When using Gemini API, you must specify the GEMINI_API_KEY environment variable.",
      undefined,
      "auth",
      false,
    ],
    ["Credit balance is too low", undefined, "budget", false],
    ["You exceeded your current quota, please check your plan and billing details", 429, "budget", false],
    ["Claude AI usage limit reached|1790000000", undefined, "quota", true],
    ["You've hit your usage limit", undefined, "quota", true],
    ["anything", 429, "quota", true],
    ["API Error: Request rejected (429) · slow down", undefined, "quota", true],
    ["RESOURCE_EXHAUSTED", undefined, "quota", true],
    ['API Error: 529 {"type":"error"}', undefined, "overloaded", true],
    ["Overloaded", undefined, "overloaded", true],
    ["anything", 503, "overloaded", true],
    ["prompt is too long", 400, "exit", true],
    ["something else", undefined, "exit", true],
  ] as const)("%s (status %s) is %s", (said, status, kind, retryable) => {
    const failure = complaintFailure({ agent: "a", said, status }, NOW);
    expect(failure).toMatchObject({ kind, retryable });
    expect(failure.message.startsWith("a: ")).toBe(true);
  });

  it("has one line, of bounded length, and gives the exit code where there are no words", () => {
    const long = complaintFailure({ agent: "a", said: `\n  ${"word ".repeat(200)}\nmore` }, NOW);
    expect(long.message.length).toBeLessThan(220);
    expect(long.message).not.toContain("\n");
    expect(complaintFailure({ agent: "a", said: "", exitCode: 7 }, NOW).message).toBe("a: exit code 7");
    expect(complaintFailure({ agent: "a", said: "" }, NOW).message).toBe("a: no reason given");
  });

  it("takes the time it was told apart before the one in the words", () => {
    const said = "usage limit reached, try again in 5 minutes";
    expect(complaintFailure({ agent: "a", said, resetsAt: NOW + HOUR }, NOW).retryAt).toBe(NOW + HOUR);
    expect(complaintFailure({ agent: "a", said }, NOW).retryAt).toBe(NOW + 5 * MINUTE);
  });
});

describe("[AC8] a lack of money", () => {
  const GEMINI = "You exceeded your current quota, please check your plan and billing details.";

  it.each([
    [`${GEMINI}\nPlease retry in 35.2s.`, 429, "quota", 35_200],
    [`${GEMINI} Please retry in 35.2s.`, undefined, "quota", 35_200],
    [`${GEMINI} Please retry in 3 days.`, 429, "budget", undefined],
    [GEMINI, 429, "budget", undefined],
    ["You've hit your weekly limit · resets Nov 26, 9am (UTC)", undefined, "quota", 143 * HOUR],
  ] as const)("is not what is over within a day: %s", (said, status, kind, wait) => {
    const { kind: found, retryAt } = complaintFailure({ agent: "a", said, status }, NOW);
    expect({ found, wait: retryAt === undefined ? undefined : retryAt - NOW }).toEqual({ found: kind, wait });
  });
});

/** As programs and services were seen to say it, at ten in the morning in Greenwich on a Wednesday. */
const SAID: readonly (readonly [said: string, status: number | undefined, kind: string, at: string])[] = [
  ["You've hit your usage limit. Try again at Nov 25th, 2026 3:14 PM (UTC).", 429, "quota", "25T15:14:00"],
  ["You've hit your session limit · resets 3:45pm (UTC)", undefined, "quota", "25T15:45:00"],
  ["You've hit your session limit · resets 3:45pm (Asia/Seoul)", undefined, "quota", "26T06:45:00"],
  ["You've hit your weekly limit · resets Nov 28, 5pm (Europe/Berlin)", undefined, "quota", "28T16:00:00"],
  ["Your weekly limit resets on Monday 9:00 AM PST", 429, "quota", "30T17:00:00"],
  ["usage limit reached. Try again Thursday, November 26 at 6:00 PM KST", 429, "quota", "26T09:00:00"],
  ["Limit reached, resets at 18:00 UTC+9", 429, "quota", "26T09:00:00"],
  ["Limit reached, resets at 11pm PT", 429, "quota", "26T07:00:00"],
  ["Limit reached, resets tomorrow at 11am (UTC)", 429, "quota", "26T11:00:00"],
  ["Your quota resets tomorrow (UTC)", 429, "quota", "26T00:00:00"],
  ["Your 5-hour limit resets in 4h 12m", 429, "quota", "25T14:12:00"],
  [
    "You have exhausted your capacity on this model. Your quota will reset after 12h34m56s.",
    429,
    "quota",
    "25T22:34:56",
  ],
  [
    "Quota exceeded for metric: generate_content_free_tier_requests, limit: 20 Please retry in 21s",
    429,
    "quota",
    "25T10:00:21",
  ],
  ['API Error: 529 {"type":"overloaded_error","message":"Overloaded"}', undefined, "overloaded", ""],
  ["stream disconnected before completion: error sending request", undefined, "exit", ""],
  ["stream closed before response.completed", undefined, "exit", ""],
  ["API Error: Connection error.", undefined, "exit", ""],
  ["Your authentication token has expired. Please log in again.", 401, "auth", ""],
  ["OAuth token revoked · Please run /login", undefined, "auth", ""],
];

describe("[AC8] what was recorded", () => {
  it.each(SAID)("%s (status %s) is %s, until %s", (said, status, kind, at) => {
    const now = Date.UTC(2026, 10, 25, 10, 0, 0);
    const { kind: found, retryAt } = complaintFailure({ agent: "a", said, status }, now);
    const until = retryAt === undefined ? "" : new Date(retryAt).toISOString().slice(8, 19);
    expect([found, until]).toEqual([kind, at]);
  });
});

describe("when a limit ends", () => {
  it.each([
    [`usage limit reached|${NOW / 1000 + 3600}`, HOUR],
    [`resets at ${NOW + HOUR}`, HOUR],
    ["Please try again in 20s.", 20_000],
    ["try again in 1.5s", 1_500],
    ["try again in 750ms", 750],
    ["Try again in 2 hours 5 minutes.", 2 * HOUR + 5 * MINUTE],
    ["try again in 1 day, 2 hours and 3 minutes", 26 * HOUR + 3 * MINUTE],
    ["retry after 30 seconds", 30_000],
    ["Retry-After: 60", MINUTE],
    ['"retryDelay": "17s"', 17_000],
    ["resets at 2026-11-20T12:30:00Z", 2.5 * HOUR],
    ["resets at 2026-11-20T12:30:00.5+00:00", 2.5 * HOUR + 500],
    ["resets 3pm (UTC)", 5 * HOUR],
    ["resets at 9:30 AM UTC", 23.5 * HOUR],
  ])("%s", (said, ms) => {
    expect(resetTime(said, NOW)).toBe(NOW + ms);
  });

  it.each([
    "nothing of the kind",
    "in the beginning",
    "usage limit reached|1000000000",
    "resets at 2020-01-01T00:00:00Z",
    "try again in 400 days",
    "version 1790000000.1",
    "resets at 2026-99-99T99:99:99Z",
  ])("is not told by: %s", said => {
    expect(resetTime(said, NOW)).toBeUndefined();
  });

  it("is always later than now and within forty days, whatever is said", () => {
    const words = fc.constantFrom(
      "in ",
      "after ",
      "at ",
      "resets ",
      "3 ",
      "h",
      "pm",
      "|",
      "1790000000",
      ":30",
      "d ",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words).map(parts => parts.join("")),
        ),
        said => {
          const at = resetTime(said, NOW);
          expect(at === undefined || (at > NOW && at <= NOW + 40 * 24 * HOUR)).toBe(true);
        },
      ),
    );
  });

  it("is looked for in linear time", () => {
    for (const unit of ["in ", "1"])
      expect(
        growth(
          100_000,
          size => unit.repeat(size),
          said => resetTime(said, NOW),
        ),
      ).toBeLessThan(LINEAR);
  });
});
