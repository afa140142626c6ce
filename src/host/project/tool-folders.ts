import { matchesName } from "../../text/index.ts";

/** Folders that begin with a dot and are for what is kept between runs: ours, and the one that the documents' state lay in. */
const OF_STATE = /^\.espalier(?:-[\w-]+)?$|^\.claude$/;
/** Folders below which every repository, package or program of somebody's may lie; what is written there is read or started. */
const READ_BY_TOOLS: readonly string[] = [".git", "node_modules"];

/** Whether a part of a path may come to read like a name; no placeholder is ever filled with a dot or an underline. */
function mayBe(part: string, name: string): boolean {
  const placeholder = /\{\w+\}/g;
  const said = part.replaceAll(placeholder, "");
  const isSaid = (mark: string) => !name.includes(mark) || said.includes(mark);
  return isSaid(".") && isSaid("_") && matchesName(part.replaceAll(placeholder, "*").toLowerCase(), name);
}

/** The part of a path that is a repository's own folder or one of packages, wherever it stands in it. */
export function partOfTools(path: string): string | undefined {
  return path.split("/").find(part => READ_BY_TOOLS.some(name => mayBe(part, name)));
}

/** The part of a path inside a project in which tools look for their settings and programs: no place for a state folder. */
export function partNotForState(inside: string): string | undefined {
  const isDotted = (part: string) => part.startsWith(".") && !OF_STATE.test(part);
  return inside.split("/").find(isDotted) ?? partOfTools(inside);
}
