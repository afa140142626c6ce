/** Bytes of either end that are kept of a line which is too long to be read. */
const KEPT = 1024;

/** A line too long to be read, as it passes by: of the request in it at least the id is found, which its sender waits for. */
export interface LongLine {
  pass(part: Uint8Array): void;
  /** Its request's id, where it stands first or last; serializers put it there. */
  id(): string | number | null;
}

/** Begins with the parts that have been read already. */
export function longLine(parts: readonly Uint8Array[]): LongLine {
  let head = "";
  let tail = "";
  const pass = (part: Uint8Array): void => {
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    if (head.length < KEPT) head += bytes.toString("latin1", 0, KEPT);
    tail = (tail + bytes.toString("latin1", Math.max(0, bytes.length - KEPT))).slice(-KEPT);
  };
  for (const part of parts) pass(part);
  return { pass, id: () => idFrom(FIRST.exec(head) ?? LAST.exec(tail)) };
}

/** Quotes inside of texts are escaped: what looks like a member at the end of an object is one. */
const FIRST =
  /^\s{0,8}\{\s{0,8}(?:"jsonrpc"\s{0,8}:\s{0,8}"2\.0"\s{0,8},\s{0,8})?"id"\s{0,8}:\s{0,8}(\d{1,15}|"[\w.:-]{1,100}")/;
const LAST =
  /,\s{0,8}"id"\s{0,8}:\s{0,8}(\d{1,15}|"[\w.:-]{1,100}")\s{0,8}(?:,\s{0,8}"jsonrpc"\s{0,8}:\s{0,8}"2\.0"\s{0,8})?\}\s{0,8}$/;

function idFrom(found: RegExpExecArray | null): string | number | null {
  return found === null ? null : (JSON.parse(found[1] ?? "null") as string | number);
}
