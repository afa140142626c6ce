import { isInline } from "./quote.ts";

/** Whom an update concerns and what they are to do; empty lists where the message does not say. */
export interface Impact {
  readonly affected: readonly string[];
  readonly actions: readonly string[];
}

const HEADING = "## Impact Assessment";
const AFFECTED = "- Affected teammates: ";
const ACTIONS = "- Required actions: ";

/** The part of the message on its impact: a line for each list that is given. An empty list reads `NONE`. */
export function writeImpact(
  affected: readonly string[] | undefined,
  actions: readonly string[] | undefined,
): string[] {
  const listed = (start: string, names: readonly string[] | undefined): string[] =>
    names === undefined ? [] : [`${start}${names.join(", ") || "NONE"}`];
  const lines = [...listed(AFFECTED, affected), ...listed(ACTIONS, actions)];
  return lines.length === 0 ? [] : [HEADING, ...lines];
}

/** Whether a text can stand in a list of the impact part. */
export function isListable(text: string): boolean {
  return isInline(text) && !text.includes(", ") && text !== "NONE";
}

/** Reads the impact part; lines it does not know are skipped. */
export function readImpact(lines: readonly string[]): Impact {
  const after = (start: string): string[] => {
    const line = lines.find(text => text.startsWith(start));
    const names = line?.slice(start.length).trim() ?? "";
    return names === "" || names === "NONE" ? [] : names.split(", ");
  };
  return { affected: after(AFFECTED), actions: after(ACTIONS) };
}
