import type { Base } from "./base.ts";
import type { Piece } from "./piece.ts";
import { refOf, resolveRef } from "./refs.ts";
import { shareChanges } from "./shared.ts";

const ORDER: readonly Piece["kind"][] = [
  "RENAMED",
  "CHANGED",
  "MOVED",
  "REMOVED",
  "REWRAPPED",
  "REPLACED",
  "ADDED",
];

/** A piece as it costs: without the section, and for changes the operation, that it may share with others. */
export function pieceText({ kind, place, inline, body }: Piece): string {
  if (kind === "CHANGED") return `\n ${inline}`;
  if (kind === "RENAMED") return `\n → ${inline}`;
  if (inline === "") return `\n- ${kind}${place}`;
  return `\n- ${kind}${place}: ${inline ?? ""}${body === undefined ? "" : `\n${body.join("\n")}`}`;
}

/**
 * The operations of a message, section by section. A section is named where it begins; what follows without a name
 * belongs to it. Changes and removals of one section share one operation.
 */
export function renderPieces(base: Base, pieces: readonly Piece[]): string[] {
  const lines: string[] = [];
  const bySection = new Map<number, Piece[]>();
  for (const piece of pieces) {
    const known = bySection.get(piece.section);
    if (known === undefined) bySection.set(piece.section, [piece]);
    else known.push(piece);
  }
  let current = 0;
  for (const [section, own] of bySection) {
    const ref = (): string => {
      if (section === current) return "";
      current = section;
      return ` §${refOf(base.view, base.names, section)}`;
    };
    for (const kind of ORDER) {
      const alike = own.filter(piece => piece.kind === kind);
      if (kind === "CHANGED" || kind === "REMOVED" || kind === "MOVED")
        renderLists(base, alike, ref, section, lines);
      else if (kind === "RENAMED")
        for (const { inline } of alike) {
          lines.push(`- CHANGED §${refOf(base.view, base.names, section)} → ${inline}`);
          current = section;
        }
      else for (const piece of alike) renderBlock(piece, ref(), lines);
    }
  }
  return lines;
}

function renderBlock({ kind, place, inline, body }: Piece, ref: string, lines: string[]): void {
  const after =
    kind === "ADDED" && place === "" && ref !== "" && (body ?? []).some(line => line.startsWith("#"));
  const head = `- ${kind}${after ? " after" : ""}${ref}${place}:`;
  if (inline !== undefined) lines.push(inline === "" ? head.slice(0, -1) : `${head} ${inline}`);
  else {
    lines.push(head);
    for (const line of body ?? []) lines.push(line);
  }
}

function renderLists(
  base: Base,
  pieces: readonly Piece[],
  ref: () => string,
  section: number,
  lines: string[],
): void {
  const texts: string[] = [];
  for (const piece of pieces) {
    if (piece.inline !== undefined) texts.push(piece.inline);
    else lines.push(`- ${piece.kind} §${refOf(base.view, base.names, section)}${piece.place}`);
  }
  if (texts.length === 0) return;
  const listed = pieces[0]!.kind === "CHANGED" ? shareChanges(base, section, texts) : texts;
  const head = `- ${pieces[0]!.kind}${ref()}`;
  const [only] = listed;
  if (listed.length > 1) {
    lines.push(`${head}:`);
    for (const line of listed) lines.push(` ${line}`);
  } else if (!head.includes("§")) lines.push(`${head} ${only}`);
  else lines.push(dotted(base, head, only!) ?? `${head}: ${only}`);
}

/** `§Decisions.D-5: …` instead of `§Decisions: D-5: …` where the key is an id and no heading reads the same. */
function dotted(base: Base, head: string, text: string): string | undefined {
  let end = 0;
  let digit = false;
  for (; end < text.length && text[end] !== ":" && text[end] !== " "; end++) {
    const char = text[end]!;
    digit ||= char >= "0" && char <= "9";
    if (char === '"' || char === "…" || char === "." || char === "→") return undefined;
  }
  const whole = end === text.length;
  if (!digit || end < 2 || end > 16 || text[0] === "L" || (!whole && !text.startsWith(": ", end)))
    return undefined;
  const ref = head.slice(head.indexOf("§") + 1);
  if (ref.includes(".") || ref.startsWith('"') || ref.includes("#")) return undefined;
  const joined = `${ref}.${text.slice(0, end)}`;
  if (typeof resolveRef(base.view, base.names, joined) === "number") return undefined;
  return `${head}.${text}`;
}
