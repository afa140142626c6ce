/** Whether a name matches a pattern of one path segment: `*` stands for any characters, `?` for one. Never exponential. */
export function matchesName(pattern: string, name: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let retry = 0;
  while (from < name.length) {
    if (pattern[at] === "*") {
      star = at++;
      retry = from;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === name[from])) {
      at++;
      from++;
    } else if (star >= 0) {
      // The last star takes one more; an earlier one never has to.
      at = star + 1;
      from = ++retry;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

/** Whether a path or pattern holds a wildcard. */
export function isPattern(path: string): boolean {
  return path.includes("*") || path.includes("?");
}

/** Whether a path with `/` matches a pattern: within a segment as `matchesName`, and `**` stands for any segments, or none. */
export function matchesPath(pattern: string, path: string): boolean {
  const segments = pattern.split("/");
  const names = path.split("/");
  let at = 0;
  let from = 0;
  let star = -1;
  let retry = 0;
  while (from < names.length) {
    if (segments[at] === "**") {
      star = at++;
      retry = from;
    } else if (at < segments.length && matchesName(segments[at]!, names[from]!)) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++retry;
    } else return false;
  }
  while (segments[at] === "**") at++;
  return at === segments.length;
}
