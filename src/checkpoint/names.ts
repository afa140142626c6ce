const FIRST_WIDTH = 3;
const LONGEST = 64;

/**
 * Whether a text can be a checkpoint's id: letters, digits, `_`, `.`, `-`, with a letter or digit at both ends; at most
 * 64. Such an id is a file name as it stands.
 */
export function isCheckpointId(text: string): boolean {
  if (text.length === 0 || text.length > LONGEST || text.includes("..")) return false;
  for (let at = 0; at < text.length; at++) {
    const inner = at > 0 && at < text.length - 1;
    if (!isAlphanumeric(text.charCodeAt(at)) && !(inner && "_.-".includes(text[at]!))) return false;
  }
  return true;
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** The id with a number: `chk-001`, `chk-1000`. */
export function checkpointId(number: number): string {
  return `chk-${String(number).padStart(FIRST_WIDTH, "0")}`;
}

/** The number of an id that `checkpointId` makes; undefined for another. */
export function numberOf(id: string): number | undefined {
  if (!id.startsWith("chk-") || id.length > 13) return undefined;
  const digits = id.slice(4);
  for (const digit of digits) if (digit < "0" || digit > "9") return undefined;
  const number = Number(digits);
  return checkpointId(number) === id ? number : undefined;
}

/** The id after all of these; one that none could follow does not count. */
export function nextId(ids: Iterable<string>): string {
  let highest = 0;
  for (const id of ids) {
    const number = numberOf(id);
    if (number !== undefined && numberOf(checkpointId(number + 1)) !== undefined)
      highest = Math.max(highest, number);
  }
  return checkpointId(highest + 1);
}

/** A delta's id as its header has it: `chk-001-to-chk-002`. */
export function deltaId(from: string, to: string): string {
  return `${from}-to-${to}`;
}

/** A delta's short name, which is that of its file: `delta-001-002`, or `delta-a-to-b` for ids of another shape. */
export function deltaName(from: string, to: string): string {
  const ours = numberOf(from) !== undefined && numberOf(to) !== undefined;
  return ours ? `delta-${from.slice(4)}-${to.slice(4)}` : `delta-${from}-to-${to}`;
}
