/** Characters of a path or pattern. */
const LONGEST = 1000;

/** What keeps a path or pattern from naming documents of the repository, as the end of a sentence; undefined when nothing does. */
export function pathProblem(path: string): string | undefined {
  if (path.trim() === "") return "is empty";
  if (path.length > LONGEST) return `is longer than ${LONGEST} characters`;
  if (path.startsWith("/") || path.startsWith("~") || /^[A-Za-z]:/.test(path)) return "is not relative";
  if (path.includes("\\")) return "has a backslash";
  const segments = path.split("/");
  if (segments.includes("..")) return "leads upwards";
  if (segments[0] === ".git") return "belongs to git";
  for (const char of path) {
    const code = char.codePointAt(0)!;
    if (code < 0x20 || code === 0x7f) return "has a control character";
  }
  return undefined;
}
