/** What a disk was told, in order: bytes at an offset, or that everything before is to be kept. */
export type DiskRecord =
  | { readonly kind: "write"; readonly offset: number; readonly bytes: Buffer; readonly end: number }
  | { readonly kind: "flush"; readonly end: number };

/** Bytes before the content of a record: its offset, and its length or the mark of a flush. */
const HEAD = 12;
const FLUSH = 0xffffffff;

/** A write as the log has it. */
export function writeRecord(offset: number, bytes: Uint8Array): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeBigUInt64LE(BigInt(offset), 0);
  head.writeUInt32LE(bytes.length, 8);
  return Buffer.concat([head, bytes]);
}

/** A flush as the log has it. */
export function flushRecord(): Buffer {
  const head = Buffer.alloc(HEAD);
  head.writeUInt32LE(FLUSH, 8);
  return head;
}

/** Reads a log; `end` is its length up to and with a record. */
export function readLog(log: Buffer): DiskRecord[] {
  const records: DiskRecord[] = [];
  for (let at = 0; at + HEAD <= log.length; ) {
    const offset = Number(log.readBigUInt64LE(at));
    const length = log.readUInt32LE(at + 8);
    const from = at + HEAD;
    at = length === FLUSH ? from : from + length;
    records.push(
      length === FLUSH
        ? { kind: "flush", end: at }
        : { kind: "write", offset, bytes: log.subarray(from, at), end: at },
    );
  }
  return records;
}

/**
 * What a disk holds whose power was cut after some records: everything before the last flush, and of what came after it,
 * which still was in its cache, whatever `survives` lets through.
 */
export function cutAfter(
  base: Buffer,
  records: readonly DiskRecord[],
  count: number,
  survives: () => boolean,
): Buffer {
  const disk = Buffer.from(base);
  const flushed = records.slice(0, count).findLastIndex(({ kind }) => kind === "flush");
  for (const [at, record] of records.slice(0, count).entries())
    if (record.kind === "write" && (at < flushed || survives())) record.bytes.copy(disk, record.offset);
  return disk;
}
