/** A configuration file of git as keys and values, read without git: to look at it must start nothing. */
export type ConfigEntries = ReadonlyMap<string, readonly string[]>;

/** The name of a section header: `[filter "x"]` is `filter.x`. Undefined where the line is none. */
function sectionOf(line: string): string | undefined {
  const end = line.lastIndexOf("]");
  if (!line.startsWith("[") || end < 0) return undefined;
  const inner = line.slice(1, end);
  const quote = inner.indexOf('"');
  if (quote < 0) return inner.trim().toLowerCase();
  const close = inner.lastIndexOf('"');
  const name = close > quote ? inner.slice(quote + 1, close) : inner.slice(quote + 1);
  return `${inner.slice(0, quote).trim().toLowerCase()}.${name.replaceAll("\\", "")}`;
}

/** Lines, with those that end in a backslash joined to the next. */
function logicalLines(text: string): string[] {
  const lines: string[] = [];
  let open = "";
  for (const raw of text.split("\n")) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (line.endsWith("\\")) open += line.slice(0, -1);
    else {
      lines.push((open + line).trim());
      open = "";
    }
  }
  if (open !== "") lines.push(open.trim());
  return lines;
}

/** Reads a configuration file. What git would refuse is read as far as it makes sense. */
export function readConfigFile(text: string): ConfigEntries {
  const entries = new Map<string, string[]>();
  let section = "";
  for (const line of logicalLines(text)) {
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    const found = sectionOf(line);
    if (found !== undefined) section = found;
    // A key may stand behind its header on the same line.
    const rest = found === undefined ? line : line.slice(line.lastIndexOf("]") + 1).trim();
    if (rest === "") continue;
    const equals = rest.indexOf("=");
    const name = (equals < 0 ? rest : rest.slice(0, equals)).trim().toLowerCase();
    const key = `${section}.${name}`;
    const value = equals < 0 ? "true" : rest.slice(equals + 1).trim();
    const values = entries.get(key);
    if (values === undefined) entries.set(key, [value]);
    else values.push(value);
  }
  return entries;
}

/** A file that could name any of them. */
function includes(key: string): boolean {
  return key.startsWith("include.") || key.startsWith("includeif.");
}

/** A value without its quotes and without the remark behind it. */
function plainValue(value: string): string {
  let plain = "";
  let isQuoted = false;
  for (let at = 0; at < value.length; at++) {
    const char = value[at]!;
    if (char === "\\") plain += value[++at] ?? "";
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === "#" || char === ";")) break;
    else plain += char;
  }
  return plain.trim();
}

/** The paths of further files that a file has git read, as they are written. */
export function includedIn(entries: ConfigEntries): string[] {
  return [...entries].flatMap(([key, values]) =>
    includes(key) && key.endsWith(".path") ? values.map(plainValue) : [],
  );
}

/** Keys whose value is a program that no flag of ours can silence: filters and merge drivers. */
function namesProgram(key: string): boolean {
  const last = key.slice(key.lastIndexOf(".") + 1);
  if (key.startsWith("filter.")) return last === "clean" || last === "smudge" || last === "process";
  return key.startsWith("merge.") && last === "driver";
}

/** What of a repository's own configuration git would start on our calls, as `key=value`. */
export function programsOf(entries: ConfigEntries): string[] {
  return [...entries].flatMap(([key, values]) =>
    namesProgram(key) || includes(key) ? values.map(value => `${key}=${value}`) : [],
  );
}

/** Settings that switch those programs off. */
export function switchedOff(entries: ConfigEntries): string[] {
  return [...entries.keys()].flatMap(key => {
    if (!namesProgram(key)) return [];
    // A filter that must exist would fail every file without its program.
    const required = `${key.slice(0, key.lastIndexOf("."))}.required=false`;
    return key.startsWith("filter.") ? [`${key}=`, required] : [`${key}=false`];
  });
}

/** Keys that people and their tools set all the time and that can start nothing. */
function isHarmless(key: string): boolean {
  return key.startsWith("branch.") || key.startsWith("user.") || key.startsWith("gui.");
}

/** Keys that differ between two readings and could matter. */
export function changedKeys(before: ConfigEntries, after: ConfigEntries): string[] {
  const same = (key: string) => before.get(key)?.join("\0") === after.get(key)?.join("\0");
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter(key => !isHarmless(key) && !same(key)).sort();
}
