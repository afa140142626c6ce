import type { AgentFailure } from "../../ports/index.ts";
import type { ProcessEnd } from "../process/index.ts";
import { withWait } from "./complaint.ts";
import { oneLine } from "./fields.ts";
import { resetTime } from "./reset-time.ts";
import { lastLines, tellingLine } from "./telling-line.ts";
import { type Trouble, troubleIn } from "./vendor-words.ts";

/** What is known of a program that tells its errors as text, when it has ended. */
export interface PlainEnd extends Pick<ProcessEnd, "exitCode" | "cause"> {
  /** The agent's name, for the message. */
  readonly agent: string;
  /** The end of its standard output. */
  readonly said: string;
  /** Whole lines of the end of its standard error. */
  readonly errors: string;
  /** What the user's own agents say when a limit is reached; `*` stands for anything. */
  readonly limits: readonly string[];
  /** Whether it speaks for a vendor's agent; of any other command only the last words count. */
  readonly isAgent: boolean;
}

/** Characters and lines of an answer that can be nothing but a complaint. */
const BRIEF = { characters: 500, lines: 4 };

/**
 * What such a program complains of: what only time or a person mends, or its crash. Undefined where it exited with 0 and said
 * more than a complaint. Never a verdict by itself: whoever has done its task and says so may talk about limits.
 */
export function plainComplaint(end: PlainEnd, now: number): AgentFailure | undefined {
  const { agent, exitCode, cause, errors, said } = end;
  const lines = linesOf(end);
  const at = lines.findLastIndex(line => troubleOf(line, end.limits) !== undefined);
  const line = lines[at] ?? "";
  const retryAt = resetTime(line, now) ?? resetTime(lines.slice(Math.max(0, at - 5), at + 6).join("\n"), now);
  const trouble = withWait(troubleOf(line, end.limits), (retryAt ?? Infinity) - now);
  const code = exitCode === null || exitCode === 0 ? {} : { exitCode };
  if (trouble !== undefined) {
    const message = `${agent}: ${oneLine(line)}`;
    if (trouble === "auth" || trouble === "budget")
      return { kind: trouble, message, retryable: false, ...code };
    return {
      kind: trouble,
      message,
      retryable: true,
      ...code,
      ...(retryAt === undefined ? {} : { retryAt }),
    };
  }
  if (cause !== "exit" || exitCode === null || exitCode === 0) return undefined;
  const words = oneLine(tellingLine(errors) || tellingLine(lastLines(said, 5).join("\n")));
  const message = `${agent}: ${words || `exit code ${exitCode}`}`;
  return { kind: "exit", message, said: words, retryable: true, exitCode };
}

/** The lines in which a complaint is looked for. */
function linesOf({ exitCode, said, errors, isAgent }: PlainEnd): readonly string[] {
  if (exitCode === 0) {
    const all = said.trim() === "" ? errors.trim() : said.trim();
    const lines = all.length > BRIEF.characters ? [] : lastLines(all, BRIEF.lines + 1);
    return lines.length > BRIEF.lines ? [] : lines;
  }
  return [...lastLines(said, isAgent ? 5 : 1), ...lastLines(errors, isAgent ? 40 : 3)];
}

function troubleOf(line: string, limits: readonly string[]): Trouble | undefined {
  return limits.some(limit => says(line, limit)) ? "quota" : troubleIn(line);
}

/** Whether a line holds the parts of a pattern, in their order. */
export function says(line: string, pattern: string): boolean {
  const text = line.toLowerCase();
  let from = 0;
  for (const part of pattern.toLowerCase().split("*")) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}
