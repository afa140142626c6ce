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
