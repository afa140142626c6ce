import { splitFields } from "../call/call.ts";

/** One path that differs between two trees. */
export interface Difference {
  readonly path: string;
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldId: string;
  readonly newId: string;
}

/** The mode of what is not there. */
export const ABSENT = "000000";

/** The mode of a repository in a tree. */
export const GITLINK = "160000";

/** Whether somebody made a repository at a path: what is in it is in no commit of ours. */
export function isMadeRepository({ oldMode, newMode }: Difference): boolean {
  return newMode === GITLINK && oldMode !== GITLINK;
}

/** Reads what git tells with `--raw -z` and without renames. */
export function readRaw(bytes: Uint8Array): Difference[] {
  const fields = splitFields(bytes);
  const found: Difference[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = "", newMode = "", oldId = "", newId = ""] = (fields[at] ?? "").slice(1).split(" ");
    found.push({ path: fields[at + 1] ?? "", oldMode, newMode, oldId, newId });
  }
  return found;
}
