import { type Told, told } from "../../text/index.ts";

/** Characters of a path or pattern. */
const LONGEST = 1000;

/** What keeps a path or pattern from naming documents of the repository, as the end of a sentence; undefined when nothing does. */
export function pathProblem(path: string): Told | undefined {
  if (path.trim() === "") return told`is empty`;
  if (path.length > LONGEST) return told`is longer than ${LONGEST} characters`;
  if (path.startsWith("/") || path.startsWith("~") || /^[A-Za-z]:/.test(path)) return told`is not relative`;
  if (path.includes("\\")) return told`has a backslash`;
  const segments = path.split("/");
  if (segments.includes("..")) return told`leads upwards`;
  if (segments[0] === ".git") return told`belongs to git`;
  for (const char of path) {
    const code = char.codePointAt(0)!;
    if (code < 0x20 || code === 0x7f) return told`has a control character`;
  }
  return undefined;
}
