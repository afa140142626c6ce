import { readBox } from "../syntax/box.ts";
import { isColon, isSpace, skipSpaces } from "../syntax/chars.ts";
import { type FieldHit, readField } from "../syntax/field.ts";
import { CODE, COMMANDS, type FieldKey, GOES_ON, IN_YAML } from "../syntax/fields.ts";
import type { Line } from "../syntax/scan.ts";
import type { Diagram, Draft, Field } from "./document.ts";

/** Adds fields to drafts, with the lines and fences that belong to their values. */
export interface FieldReader {
  /** Adds what one line says. */
  add(draft: Draft, hits: readonly FieldHit[], line: Line, depth: number): void;
  /** Opens a field whose name is a heading and whose value stands below. */
  openHeading(draft: Draft, key: FieldKey, line: Line): void;
  /** Takes the line when it belongs to the value above it. */
  takes(line: Line): boolean;
  /** Whether the line is a command, or a part of one. */
  isCommand(line: Line): boolean;
  /** Nothing below belongs to the value above any more. */
  close(): void;
  /** A line of a code fence; `owner` is the draft it stands in. Says whether the fence is the value of a field. */
  fence(line: Line, owner: Draft | undefined): boolean;
  readonly diagrams: readonly Diagram[];
}

/** A field as a line has it. */
export function fieldOf(text: string, hit: FieldHit, line: Line, depth: number): Field {
  return {
    key: hit.key,
    text: text.slice(hit.valueStart, hit.valueEnd),
    line: line.number,
    column: hit.valueStart - line.start + 1,
    plain: hit.plain,
    depth,
    below: [],
  };
}

/** Creates the field reader of one text. */
export function createFieldReader(text: string): FieldReader {
  const diagrams: Diagram[] = [];
  let open:
    | {
        readonly field: Field;
        readonly indent: number;
        readonly style: "item" | "paragraph" | "heading";
        readonly quoted: boolean;
      }
    | undefined;
  let block: { readonly field: Field; readonly indent: number; margin: number; last: number } | undefined;
  let code: { readonly field: Field; readonly lines: string[]; readonly indent: number } | undefined;
  let yaml: Draft | undefined;
  let command = 0;
  let diagram: { readonly start: number; readonly line: number } | undefined;

  /** `run: |`: deeper lines are the script, whatever they look like. */
  function takesScript(line: Line): boolean {
    if (block === undefined) return false;
    if (line.indent <= block.indent) {
      block = undefined;
      return false;
    }
    const { field } = block;
    if (field.code === undefined) {
      block.margin = line.indent;
      field.code = dedent(text, line, block.margin);
    } else {
      const isFolded = field.text.startsWith(">") && line.number === block.last + 1;
      field.code += isFolded ? " " : "\n".repeat(line.number - block.last);
      field.code += dedent(text, line, block.margin);
    }
    block.last = command = line.number;
    return true;
  }

  function takes(line: Line): boolean {
    if (takesScript(line)) return true;
    if (open === undefined || line.quoted !== open.quoted || (line.kind !== "item" && line.kind !== "text"))
      return false;
    if (!isBelow(open, line)) return false;
    const other = readField(text, line.body, line.end);
    if (other !== undefined && other.key !== open.field.key && other.key !== "test") return false;
    const at = skipSpaces(text, readBox(text, line.body, line.end)?.end ?? line.body, line.end);
    if (COMMANDS.has(open.field.key)) command = line.number;
    open.field.below.push({ text: text.slice(at, line.end), line: line.number, column: at - line.start + 1 });
    return true;
  }

  function openFence(line: Line, owner: Draft | undefined): void {
    if (line.info.toLowerCase().startsWith("mermaid") && !line.quoted)
      diagram = { start: line.end, line: line.number };
    else if (
      open !== undefined &&
      CODE.has(open.field.key) &&
      open.field.code === undefined &&
      isShell(line.info)
    ) {
      code = { field: open.field, lines: [], indent: line.indent };
    } else if (/^ya?ml\b/i.test(line.info) && owner?.head.id !== undefined) yaml = owner;
  }

  function readYamlLine(draft: Draft, line: Line): void {
    if (line.body >= line.end) return;
    if (line.indent > 0 || text.charCodeAt(line.body) === 45) {
      const at = skipSpaces(text, line.body + 1, line.end);
      if (text.charCodeAt(line.body) === 45)
        draft.fields
          .at(-1)
          ?.below.push({ text: text.slice(at, line.end), line: line.number, column: at - line.start + 1 });
      return;
    }
    const hit = readField(text, line.body, line.end);
    if (hit === undefined || !IN_YAML.has(hit.key)) return;
    let colon = hit.nameStart;
    while (colon < hit.valueStart && !isColon(text.charCodeAt(colon)) && !isSpace(text.charCodeAt(colon)))
      colon++;
    if (isColon(text.charCodeAt(colon))) draft.fields.push({ ...fieldOf(text, hit, line, 0), plain: false });
  }

  return {
    diagrams,
    takes,
    isCommand: line => command === line.number,
    add(draft, hits, line, depth) {
      for (const hit of hits) {
        const field = fieldOf(text, hit, line, depth);
        draft.fields.push(field);
        if (COMMANDS.has(hit.key)) command = line.number;
        open = GOES_ON.has(hit.key)
          ? {
              field,
              indent: line.indent,
              style: line.kind === "item" ? "item" : "paragraph",
              quoted: line.quoted,
            }
          : undefined;
        block =
          CODE.has(hit.key) && hit.plain && opensBlock(field.text)
            ? { field, indent: line.indent, margin: 0, last: line.number }
            : undefined;
      }
    },
    openHeading(draft, key, line) {
      const field: Field = { key, text: "", line: line.number, column: 1, plain: false, depth: 0, below: [] };
      draft.fields.push(field);
      open = { field, indent: 0, style: "heading", quoted: false };
    },
    close() {
      open = block = undefined;
    },
    fence(line, owner) {
      block = undefined;
      if (line.kind === "open") openFence(line, owner);
      else if (line.kind === "code") {
        if (code !== undefined) code.lines.push(dedent(text, line, code.indent));
        else if (yaml !== undefined) readYamlLine(yaml, line);
      } else {
        if (diagram !== undefined) diagrams.push({ ...diagram, end: line.start });
        if (code !== undefined) code.field.code = code.lines.join("\n");
        diagram = code = yaml = open = undefined;
      }
      return code !== undefined;
    },
  };
}

/** Deeper lines go on a bullet's value; a list goes on an empty paragraph's; anything goes on a heading's. */
function isBelow(
  open: { readonly field: Field; readonly indent: number; readonly style: string },
  line: Line,
): boolean {
  if (open.style === "item") return line.indent > open.indent;
  if (open.style === "heading") return true;
  return (
    open.field.text === "" &&
    (line.kind === "item" ? line.indent >= open.indent : !line.afterBlank && open.field.below.length === 0)
  );
}

/** YAML's `|` and `>`: the value stands in the deeper lines below. */
export function opensBlock(value: string): boolean {
  return /^[|>][-+]?$/.test(value.trim());
}

function isShell(info: string): boolean {
  const word = info.split(/[\s{]/, 1)[0]!.toLowerCase();
  return ["", "sh", "bash", "shell", "zsh", "console", "powershell"].includes(word);
}

function dedent(text: string, line: Line, indent: number): string {
  let at = line.start;
  for (let columns = 0; columns < indent && at < line.body; columns++) at++;
  return text.slice(at, line.end);
}
