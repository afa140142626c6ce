import { told } from "../../text/index.ts";
import type { Limits } from "../limits.ts";
import type { Report } from "../report.ts";
import { scanLines } from "../syntax/scan.ts";
import type { ContextNodeDeclaration } from "../types.ts";

/** Titles of the section that declares the tree. */
const TITLES: ReadonlySet<string> = new Set([
  "context",
  "context tree",
  "컨텍스트",
  "컨텍스트 트리",
  "コンテキスト",
  "上下文",
]);
/** Only items that begin so declare nodes: many files have a section of that name for prose. */
const PREFIX = "ctx-";
const SHARED = "(shared)";

/** An item of the section that may have items below it. */
interface Open {
  readonly indent: number;
  readonly id: string;
}

/**
 * The tree that a section `## Context` declares: a list of nodes, each below its parent, with the paths of its documents
 * behind a colon; `(shared)` behind a path puts it before the node's own ones.
 */
export function readContextSection(text: string, limits: Limits, report: Report): ContextNodeDeclaration[] {
  if (!text.includes(PREFIX)) return [];
  const nodes: ContextNodeDeclaration[] = [];
  const open: Open[] = [];
  let level = 0;
  const cursor = { offset: 0, line: 1 };
  scanLines(
    text,
    cursor,
    limits.lineLength,
    line => {
      const content = text.slice(line.body, line.end);
      if (line.kind === "heading") {
        if (level > 0 && line.level <= level) level = 0;
        if (level === 0 && TITLES.has(content.replaceAll("#", "").trim().toLowerCase())) level = line.level;
        open.length = 0;
      }
      if (level === 0 || line.kind !== "item" || line.quoted) return true;
      while (open.length > 0 && open.at(-1)!.indent >= line.indent) open.pop();
      const node = readNode(content, open.at(-1)?.id, line.number, report);
      if (node === undefined) return true;
      nodes.push(node);
      open.push({ indent: line.indent, id: node.id });
      return true;
    },
    () => {},
  );
  return nodes;
}

function readNode(
  content: string,
  parent: string | undefined,
  line: number,
  report: Report,
): ContextNodeDeclaration | undefined {
  const plain = content.replaceAll("`", "");
  const head = plain.startsWith("**") ? plain.slice(2) : plain;
  if (!head.startsWith(PREFIX)) return undefined;
  const colon = head.indexOf(":");
  const id = (colon < 0 ? head : head.slice(0, colon)).replaceAll("**", "").trim();
  // The stress of a name may close behind the colon; two stars further on stand for folders.
  const value = colon < 0 ? "" : head.slice(colon + 1).trimStart();
  const paths = head !== plain && value.startsWith("** ") ? value.slice(3) : value;
  if (id.includes(" ")) {
    const message = told`"${id.slice(0, 80)}" begins like a context node, but goes on with words`;
    report.add("warning", "NODE_IGNORED", { line, column: 1 }, message, told`write - ctx-name: path, path`);
    return undefined;
  }
  const shared: string[] = [];
  const documents: string[] = [];
  for (const part of paths.split(",")) {
    const path = part.trim();
    if (path.endsWith(SHARED)) shared.push(path.slice(0, -SHARED.length).trim());
    else if (path !== "") documents.push(path);
  }
  return {
    id,
    ...(parent === undefined ? {} : { parent }),
    ...(shared.length === 0 ? {} : { shared }),
    ...(documents.length === 0 ? {} : { documents }),
    line,
  };
}
