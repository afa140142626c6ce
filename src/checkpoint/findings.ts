import { contentStart, keyOf, scanMarkdown } from "../markdown/index.ts";
import { saysNothing } from "./merge-lists.ts";
import { partOf } from "./parts.ts";
import { oneLine } from "./table.ts";

/** What an agent's final message says for the record. */
export interface Findings {
  readonly decisions: readonly string[];
  /** A change of direction it declares; the newest when there are several. */
  readonly shift?: string;
  /** Paths it names as its artifacts, with what it says of them. */
  readonly artifacts: readonly { readonly path: string; readonly change: string }[];
}

const DECISION = ["decision", "decided", "결정", "결정 사항"];
const MAJOR = [
  "major decision",
  "significant decision",
  "direction shift",
  "direction",
  "pivot",
  "중대 결정",
  "방향 전환",
];
const MOST = 50;
const LONGEST = 400;

/** Reads decisions, a change of direction and artifacts from a final message: `Decision: …` lines, and sections of these names. */
export function readFindings(message: string): Findings {
  const { items, sections } = scanMarkdown(withoutSignals(message));
  const decisions: string[] = [];
  const artifacts: { path: string; change: string }[] = [];
  let shift: string | undefined;
  for (const item of items) {
    if (item.kind === "heading" || item.kind === "fence" || item.kind === "blank") continue;
    const part = partOf(sections[item.section]!.title);
    if (isQuoted(item.text)) continue;
    for (const line of item.text.split("\n")) {
      const key = keyOf(line);
      const name = key?.toLowerCase() ?? "";
      const said = key === undefined ? "" : oneLine(valueText(line, key), LONGEST);
      if (saysNothing(said) || (!MAJOR.includes(name) && !DECISION.includes(name))) continue;
      decisions.push(said);
      if (MAJOR.includes(name)) shift = said;
    }
    if (!isListed(item.text)) continue;
    const listed = oneLine(withoutMark(item.text), LONGEST);
    if (part === "decisions" && !isNamed(item.text) && !saysNothing(listed)) decisions.push(listed);
    const artifact = part === "artifacts" ? artifactIn(withoutMark(item.text)) : undefined;
    if (artifact !== undefined) artifacts.push(artifact);
  }
  return {
    decisions: [...new Set(decisions)].slice(0, MOST),
    artifacts: artifacts.slice(0, MOST),
    ...(shift === undefined ? {} : { shift }),
  };
}

/** The line by which an agent reports is none of its findings. */
function withoutSignals(message: string): string {
  const lines = message.split("\n");
  return lines.filter(line => !line.startsWith("DONE:") && !line.startsWith("FAIL:")).join("\n");
}

/** Whether a block stands behind a quotation mark: its words are those of somebody else. */
function isQuoted(text: string): boolean {
  return text.slice(0, contentStart(text)).includes(">");
}

function isListed(text: string): boolean {
  return /^\s*(?:[-*+]|\d{1,4}[.)]) /.test(text);
}

function withoutMark(text: string): string {
  return text.replace(/^\s*(?:[-*+]|\d{1,4}[.)]) /, "");
}

/** Whether its first line is a `Decision: …` line already. */
function isNamed(text: string): boolean {
  const name = keyOf(text.split("\n", 1)[0]!)?.toLowerCase() ?? "";
  return MAJOR.includes(name) || DECISION.includes(name);
}

function valueText(text: string, key: string): string {
  let at = text.indexOf(key) + key.length;
  while (at < text.length && "*_`~: ".includes(text[at]!)) at++;
  return text.slice(at);
}

/** `src/a.ts: what it does`, with or without marks around the path. */
function artifactIn(text: string): { path: string; change: string } | undefined {
  const line = oneLine(text.replaceAll("`", ""), LONGEST);
  const end = line.search(/[\s:(]/);
  const path = end < 0 ? line : line.slice(0, end);
  if (!path.includes("/") && !path.includes(".")) return undefined;
  return { path, change: line.slice(path.length).replace(/^[\s:–—(-]{1,8}/, "") };
}
