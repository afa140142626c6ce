import type { AgentFailure } from "../../ports/index.ts";
import { oneLine } from "./fields.ts";
import { resetTime } from "./reset-time.ts";
import { type Trouble, troubleIn, VENDOR_WORDS } from "./vendor-words.ts";

/** What an agent or its service said went wrong. */
export interface Complaint {
  /** The agent's name, for the message. */
  readonly agent: string;
  /** Foreign text. */
  readonly said: string;
  /** HTTP status of the service's answer, where it is known. */
  readonly status?: number | undefined;
  /** The service's own word for it, e.g. `rate_limit_error`. */
  readonly code?: string | undefined;
  /** Epoch milliseconds of the reset, where the agent told it apart. */
  readonly resetsAt?: number | undefined;
  readonly exitCode?: number | undefined;
}

type Kind = Trouble | "exit";

function kindOfStatus(status: number | undefined): Kind | undefined {
  if (status === undefined) return undefined;
  if (status === 401 || status === 403) return "auth";
  if (status === 402) return "budget";
  if (status === 429) return "quota";
  return status >= 500 && status < 600 ? "overloaded" : undefined;
}

/** The HTTP status in a text such as `API Error: 529 {…}`, `unexpected status 401` or `rejected (429)`. */
function statusIn(said: string): number | undefined {
  const found = /\b(?:error|status|code):? {0,2}([45]\d\d)\b|\(([45]\d\d)\)/i.exec(said.slice(0, 4_096));
  return found === null ? undefined : Number(found[1] ?? found[2]);
}

function kindOf({ said, code = "", status = statusIn(said) }: Complaint, wait: number): Kind {
  const words = `${code}\n${said}`.toLowerCase();
  const worded = VENDOR_WORDS.find(entry => entry.words.some(word => words.includes(word)))?.kind;
  const kind = withWait(worded ?? troubleIn(said), wait);
  // A status is exact, but an account without money answers like one that was too fast.
  return kind === "budget" ? kind : (kindOfStatus(status) ?? kind ?? "exit");
}

/** Milliseconds within which no account gets its money back by itself. */
const SOON = 24 * 3_600_000;

/** What is over soon is no lack of money, whatever plans and billing it talks of: Gemini tells every limit that way. */
export function withWait(kind: Trouble | undefined, wait: number): Trouble | undefined {
  return kind === "budget" && wait < SOON ? "quota" : kind;
}

/** One failure for whatever words an agent or its service finds for it. `now` is wall time in epoch milliseconds. */
export function complaintFailure(complaint: Complaint, now: number): AgentFailure {
  const { agent, said, exitCode } = complaint;
  const retryAt = complaint.resetsAt ?? resetTime(said, now);
  const kind = kindOf(complaint, (retryAt ?? Infinity) - now);
  const words = oneLine(said) || (exitCode === undefined ? "no reason given" : `exit code ${exitCode}`);
  const failure = { message: `${agent}: ${words}`, ...(exitCode === undefined ? {} : { exitCode }) };
  switch (kind) {
    case "quota":
      return { kind, ...failure, retryable: true, ...(retryAt === undefined ? {} : { retryAt }) };
    case "auth":
    case "budget":
      return { kind, ...failure, retryable: false };
    case "overloaded":
      return { kind, ...failure, retryable: true };
    case "exit":
      return {
        kind,
        ...failure,
        ...(exitCode === undefined ? {} : { said: oneLine(said) }),
        retryable: true,
      };
    default: {
      const never: never = kind;
      throw new Error(`unknown kind ${String(never)}`);
    }
  }
}
