import { splitFields } from "./call.ts";

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
