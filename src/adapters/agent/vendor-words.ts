/** What keeps an agent from working that is no mistake of its own. */
export type Trouble = "budget" | "quota" | "overloaded" | "auth";

/** How services and their programs word one kind of trouble. */
interface Wording {
  readonly kind: Trouble;
  /** Enough where a program has told an error as such. */
  readonly words: readonly string[];
  /**
   * Beginnings of a line that are enough by themselves, in the output of a program that tells errors as text like any other:
   * what merely talks about limits must not begin like that.
   */
  readonly lines: readonly RegExp[];
}

/** In the order in which they are looked for: an empty account also answers 429. */
export const VENDOR_WORDS: readonly Wording[] = [
  {
    kind: "budget",
    words: [
      "credit balance",
      "insufficient_quota",
      "insufficient credits",
      "billing",
      "payment required",
      "spend limit",
      "check your plan",
    ],
    lines: [
      /^(?:your )?credit balance is too low\b/,
      /^insufficient (?:credits|balance|funds)\b/,
      /^you exceeded your current quota, please check your plan\b/,
      /^402 payment required\b/,
      /^you(?:'ve| have) (?:hit|reached) your (?:[a-z]{1,20} ){0,2}(?:spend|spending|budget) (?:limit|cap)\b/,
    ],
  },
  {
    kind: "quota",
    words: [
      "rate limit",
      "rate_limit",
      "ratelimit",
      "rate-limited",
      "usage limit",
      "usage_limit",
      "hit your limit",
      "limit reached",
      "too many requests",
      "quota",
      "premium request allowance",
      "exhausted your capacity",
      "throttlingexception",
      "resource_exhausted",
      "resource has been exhausted",
    ],
    lines: [
      /^(?:sorry, )?you(?:'ve| have)? (?:hit|reached|exceeded|exhausted|used up|run out of) (?:your|the|a) (?:[a-z0-9/-]{1,20} ){0,4}(?:limits?|quota|allowance|capacity|credits|messages)\b/,
      /^(?:claude |codex |gemini |copilot |cursor )?(?:ai |code |cli )?(?:(?:usage|session|weekly|daily|hourly|monthly|5-hour|opus|sonnet|rate|request|token|plan|account|free tier) ){1,3}(?:limit|quota) (?:has been |was )?(?:reached|exceeded|exhausted|hit)\b/,
      /^(?:sorry, )?you (?:have been|are being|are|were) (?:rate[- ]limited|throttled)\b/,
      /^(?:exceeded retry limit, last )?(?:http(?:\/\d(?:\.\d)?)? )?(?:request failed with )?(?:(?:error|status)(?: code)?:? )?429(?:$|[\s:·,;(]{1,3}(?:too many requests|rate|quota|resource|\{|retry|-))/,
      /^too many requests(?:$|[.:;,!)])/,
      /^(?:free (?:allocated |daily )?)?quota (?:has been )?(?:exceeded|exhausted)\b/,
      /^(?:resource_exhausted\b|resource has been exhausted\b)/,
      /^(?:[a-z_]{2,20}\.){0,3}(?:ratelimiterror|throttlingexception|rate_limit_error|rate_limit_exceeded|usage_limit_reached)\b/,
      /^your (?:free |daily |weekly )?(?:quota|limit) will reset\b/,
    ],
  },
  {
    kind: "overloaded",
    words: [
      "overloaded",
      "service unavailable",
      "temporarily unavailable",
      "at capacity",
      "internal server error",
      "internal_server_error",
      "server_error",
      "bad gateway",
      "api_error",
    ],
    lines: [
      /^(?:the (?:model|server|service|engine) is (?:currently )?overloaded|overloaded_error|overloaded$)/,
      /^(?:http(?:\/\d(?:\.\d)?)? )?(?:(?:error|status)(?: code)?:? )?(?:503 service unavailable|529(?:$|[\s:]{1,2}(?:overloaded|\{)))/,
      /^the model is at capacity\b/,
    ],
  },
  {
    kind: "auth",
    words: [
      "not logged in",
      "/login",
      "login required",
      "log in",
      "invalid api key",
      "invalid x-api-key",
      "incorrect api key",
      "api key not valid",
      "api_key",
      "authentication",
      "unauthorized",
      "unauthenticated",
      "auth method",
      "no credentials",
      "token expired",
    ],
    lines: [
      /^not logged in\b.{0,40}(?:\/login|log ?in\b|sign in\b)/,
      /^invalid api key\b/,
      /^(?:incorrect api key provided|api key not valid)\b/,
      /^please set an auth method\b/,
      /^(?:http(?:\/\d(?:\.\d)?)? )?(?:unexpected )?(?:(?:error|status)(?: code)?:? )?401(?: unauthorized(?:$|[.;!)])|:? invalid authentication credentials\b|:? ?\{.{0,80}"authentication_error")/,
      /^unexpected status 401 unauthorized\b/,
      /^invalid authentication credentials\b/,
      /^(?:your )?oauth (?:access )?token (?:has )?(?:expired|been revoked)(?:$|[.:;,!)])/,
    ],
  },
];

/** Characters of a line that are looked at. */
const MOST = 600;

/** A line without colours, marks, times and words that only say that it tells an error. */
function statement(line: string): string {
  let rest = line.slice(0, MOST).toLowerCase().replaceAll("’", "'");
  for (let count = 0; count < 6; count++) {
    const next = rest
      .replace(/^[^\p{L}\p{N}]{1,20}/u, "")
      .replace(/^\d{4}-\d\d-\d\d[t ]\d\d:\d\d:\d\d[.,\dz+:-]{0,16}\s{0,3}/, "")
      .replace(
        /^(?:api |stream |http |fatal |unexpected )?(?:error|warn(?:ing)?|fatal|failed|failure)(?: (?:code|status))?(?: executing [a-z ]{1,30})?[\]:!)]\s{0,3}/,
        "",
      )
      .replace(/^(?:error|status|code|message|reason|type)"? ?[:=] ?/, "");
    if (next === rest) break;
    rest = next;
  }
  return rest;
}

/** The trouble that a line of plain output tells of; undefined for any other. */
export function troubleIn(line: string): Trouble | undefined {
  const said = statement(line);
  return VENDOR_WORDS.find(({ lines }) => lines.some(one => one.test(said)))?.kind;
}
