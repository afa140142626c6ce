const BOM = "\uFEFF";
/** Lines of front matter that are looked at. */
const MOST_LINES = 200;

/** One `key: value` line of a front matter. */
export interface Field {
  readonly key: string;
  /** Without quotes and trailing comment. */
  readonly value: string;
  /** 1-based. */
  readonly line: number;
}

/** What stands between a first line `---` and the next `---`, as plain fields. */
export interface FrontMatter {
  readonly fields: readonly Field[];
  /** Lines it takes, both marks included; 0 when there is none. */
  readonly lines: number;
  /** It begins and never ends, within the lines that are looked at: nothing of it counts. */
  readonly unclosed?: boolean;
  /** Lines of it that are neither a field, a comment, a list item nor blank; 1-based. */
  readonly broken: readonly number[];
}

const NONE: FrontMatter = { fields: [], lines: 0, broken: [] };
const UNCLOSED: FrontMatter = { ...NONE, unclosed: true };

/** Reads a document's front matter; looks only at its beginning. Nothing is executed, and nesting is not followed. */
export function readFrontMatter(text: string): FrontMatter {
  const fields: Field[] = [];
  const broken: number[] = [];
  let from = text.startsWith(BOM) ? 1 : 0;
  for (let line = 1; line <= MOST_LINES; line++) {
    const end = text.indexOf("\n", from);
    if (end < 0 && line === 1) return NONE;
    const raw = text.slice(from, end < 0 ? text.length : end).trimEnd();
    if (line === 1) {
      if (raw !== "---") return NONE;
    } else if (raw === "---" || raw === "...") return { fields, lines: line, broken };
    else if (!isAside(raw)) {
      const field = fieldOf(raw, line);
      if (field === undefined) broken.push(line);
      else fields.push(field);
    }
    if (end < 0) return UNCLOSED;
    from = end + 1;
  }
  return UNCLOSED;
}

/** Blank lines, comments, and what belongs to a key above. */
function isAside(line: string): boolean {
  return line === "" || "# \t-".includes(line[0]!);
}

function fieldOf(line: string, number: number): Field | undefined {
  const colon = line.indexOf(":");
  const next = line[colon + 1];
  if (colon < 1 || (next !== undefined && next !== " ")) return undefined;
  return { key: line.slice(0, colon).trim(), value: scalar(line.slice(colon + 1).trim()), line: number };
}

/** `"a"`, `'a'` and `a # comment` are all `a`. */
function scalar(text: string): string {
  const quote = text[0];
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, 1);
    if (end > 0) return text.slice(1, end);
  }
  const comment = text.indexOf(" #");
  return comment < 0 ? text : text.slice(0, comment).trimEnd();
}

/** The value of a field that is there and not empty; the first where several have the name. */
export function fieldOfName(front: FrontMatter, ...names: readonly string[]): Field | undefined {
  return front.fields.find(({ key, value }) => names.includes(key) && value !== "");
}

/** The fields that are there and not empty, each under a name of ours; `names` gives theirs. */
export function namedFields<K extends string>(
  front: FrontMatter,
  names: Readonly<Record<K, string>>,
): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {};
  for (const own of Object.keys(names) as K[]) {
    const field = fieldOfName(front, names[own]);
    if (field !== undefined) found[own] = field.value;
  }
  return found;
}
