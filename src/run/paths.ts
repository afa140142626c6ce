/** Whether a path is a pattern for many. */
function isGlob(path: string): boolean {
  return path.includes("*") || path.includes("?") || path.includes("[") || path.includes("{");
}

/** `./src//a/` is `src/a`. */
function plain(path: string): string {
  return path
    .split("/")
    .filter(part => part !== "" && part !== ".")
    .join("/");
}

/**
 * Walks two sequences where a star in the pattern stands for any run of the other: greedy, going back to the last star only,
 * so never more than the product of their lengths.
 */
function matchesRun<T>(
  pattern: readonly T[],
  text: readonly T[],
  isStar: (part: T) => boolean,
  equals: (part: T, other: T) => boolean,
): boolean {
  let at = 0;
  let star = -1;
  let resume = 0;
  for (let to = 0; to < text.length; ) {
    const part = pattern[at];
    if (part !== undefined && isStar(part)) {
      star = at++;
      resume = to;
    } else if (part !== undefined && equals(part, text[to]!)) {
      at++;
      to++;
    } else if (star >= 0) {
      at = star + 1;
      to = ++resume;
    } else return false;
  }
  while (at < pattern.length && isStar(pattern[at]!)) at++;
  return at === pattern.length;
}

function matchesName(pattern: string, name: string): boolean {
  // Classes and alternatives are taken for anything: better one task too few at once than one too many.
  if (pattern.includes("[") || pattern.includes("{")) return true;
  return matchesRun(
    Array.from(pattern),
    Array.from(name),
    part => part === "*",
    (part, other) => part === "?" || part === other,
  );
}

/** Whether a pattern covers a path: `*` and `?` within a name, `**` across folders. */
export function covers(pattern: string, path: string): boolean {
  return matchesRun(pattern.split("/"), path.split("/"), part => part === "**", matchesName);
}

/** The folder a pattern certainly stays in. */
function fixedFolder(pattern: string): string {
  const parts = pattern.split("/");
  return parts.slice(0, parts.findIndex(isGlob)).join("/");
}

/** The folders around a path, outermost (empty) first, without itself. */
function foldersOf(path: string): string[] {
  const folders = [""];
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) folders.push(path.slice(0, at));
  return folders;
}

/**
 * For each list of declared paths the names under which it meets every list it overlaps: a folder holds what lies in it, a
 * pattern what it covers, and two patterns meet when one's folder lies in the other's.
 */
export function meetingNames(lists: readonly (readonly string[])[]): (readonly string[])[] {
  const paths = new Set<string>();
  const patterns = new Map<string, string[]>();
  const known = new Map<string, string>();
  for (const list of lists) {
    for (const raw of list) {
      if (known.has(raw)) continue;
      const path = plain(raw);
      known.set(raw, path);
      if (!isGlob(path)) paths.add(path);
      else {
        const folder = fixedFolder(path);
        patterns.set(folder, [...(patterns.get(folder) ?? []), path]);
      }
    }
  }
  const names = new Map<string, readonly string[]>();
  for (const [raw, path] of known) names.set(raw, namesOf(path, paths, patterns));
  return lists.map(list => [...new Set(list.flatMap(raw => names.get(raw)!))]);
}

function namesOf(
  path: string,
  paths: ReadonlySet<string>,
  patterns: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  if (!isGlob(path)) {
    const folders = foldersOf(path);
    const around = folders.filter(folder => paths.has(folder));
    const covering = folders.flatMap(folder =>
      (patterns.get(folder) ?? []).filter(pattern => covers(pattern, path)),
    );
    return [path, ...around, ...covering];
  }
  const fixed = fixedFolder(path);
  const folders = [...foldersOf(fixed), fixed];
  const around = folders.filter(folder => paths.has(folder));
  const beside = folders.filter(folder => patterns.has(folder)).map(folder => `${folder}/**/*`);
  return [path, ...around, ...beside];
}
