/** The node every tree has; it needs no declaration. */
export const ROOT = "ctx-root";
/** The label of the project's global context, which hangs on the root. */
export const GLOBAL_LABEL = "GC";
/** What ids of nodes begin with; left out, it is added. */
const PREFIX = "ctx-";
/** Characters an id may have, prefix included. */
export const LONGEST_ID = 64;

/** What is wrong with an id of a node. */
export type IdProblem = "empty" | "too-long" | "characters";

/** The id a reference means: in normal form, with the prefix that people leave out. */
export function nodeName(reference: string): string {
  const id = reference.normalize("NFC").trim();
  return id === "" || id.startsWith(PREFIX) ? id : PREFIX + id;
}

/** Letters of any script, digits, `-`, `_` and `.`; ids are shown and compared, and never become paths. */
const ALLOWED = /^[\p{L}\p{M}\p{N}._-]*$/u;

/** Why an id cannot name a node; undefined when it can. */
export function idProblem(id: string): IdProblem | undefined {
  if (id === "" || id === PREFIX) return "empty";
  if (id.length > LONGEST_ID) return "too-long";
  return ALLOWED.test(id) && id.normalize("NFC") === id && !id.includes("..") ? undefined : "characters";
}

/** Equal for ids that a person could take for one another: they differ in case or in composition only. */
export function twinKey(id: string): string {
  return id.normalize("NFKC").toLowerCase();
}
