import type { Complaint } from "./complaint.ts";
import { clipped, fields, text } from "./fields.ts";

/** Characters of a line among which a reason is looked for. */
const MOST = 4_096;

/**
 * What an agent tells of an obstacle only on its standard error, while it tries again by itself: Gemini CLI's attempts,
 * OpenCode's log of errors. Undefined for any other line.
 */
export function complaintIn(line: string): Omit<Complaint, "agent"> | undefined {
  const shown = clipped(line, MOST);
  const attempt = /^Attempt \d{1,3} failed with status (\d{3})\b/.exec(shown);
  if (attempt !== null) return { said: reasonIn(shown), status: Number(attempt[1]) };
  // Of those that only make a title nothing depends.
  const isLog = shown.includes(" level=ERROR ") && shown.includes('message="stream error"');
  if (!isLog || shown.includes(" small=true ")) return undefined;
  const start = shown.indexOf(ERROR);
  return start < 0 ? undefined : { said: quoted(shown, start + ERROR.length) };
}

const ERROR = ' error.error="';

function quoted(line: string, start: number): string {
  const end = line.indexOf('"', start);
  return line.slice(start, end < 0 ? undefined : end);
}

/** The service's own words, which come as JSON inside the line. */
function reasonIn(line: string): string {
  const brace = line.indexOf("{");
  if (brace < 0) return line;
  try {
    return text(fields(fields(JSON.parse(line.slice(brace)))["error"])["message"]) || line;
  } catch {
    return line;
  }
}
