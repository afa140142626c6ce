import { scanMarkdown } from "../markdown/index.ts";
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
  const { items, sections } = scanMarkdown(message);
  const decisions: string[] = [];
  const artifacts: { path: string; change: string }[] = [];
  let shift: string | undefined;
  for (const item of items) {
    if (item.kind === "heading" || item.kind === "fence" || item.kind === "blank") continue;
    const part = partOf(sections[item.section]!.title);
    const key = item.key?.toLowerCase() ?? "";
    const said = oneLine(valueText(item.text, item.key), LONGEST);
    if (MAJOR.includes(key) && said !== "") {
      shift = said;
      decisions.push(said);
    } else if (DECISION.includes(key) && said !== "") decisions.push(said);
    else if (part === "decisions" && item.kind !== "table-row" && isListed(item.text))
      decisions.push(oneLine(withoutMark(item.text), LONGEST));
    else if (part === "artifacts" && isListed(item.text)) {
      const artifact = artifactIn(withoutMark(item.text));
      if (artifact !== undefined) artifacts.push(artifact);
    }
  }
  return {
    decisions: [...new Set(decisions)].slice(0, MOST),
    artifacts: artifacts.slice(0, MOST),
    ...(shift === undefined ? {} : { shift }),
  };
}

function isListed(text: string): boolean {
  return /^\s*(?:[-*+]|\d{1,4}[.)]) /.test(text);
}

function withoutMark(text: string): string {
  return text.replace(/^\s*(?:[-*+]|\d{1,4}[.)]) /, "");
}

function valueText(text: string, key: string | undefined): string {
  if (key === undefined) return text;
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
