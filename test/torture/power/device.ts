// A disk that remembers everything that was written to it: one file behind /dev/fuse, for a loop device to lie on.
// Started by disk.ts as a process of its own: `device.ts IMAGE LOG MOUNTPOINT`. Each write and each flush is appended to LOG.
import { spawnSync } from "node:child_process";
import { openSync, readFileSync, readSync, writeSync } from "node:fs";
import { flushRecord, writeRecord } from "./log.ts";

const [image = "", log = "", place = ""] = process.argv.slice(2);
const disk = readFileSync(image);
const record = openSync(log, "a");
const fuse = openSync("/dev/fuse", "r+");

/** Requests of the kernel that are answered; everything else is not supported. */
const ASKED = {
  lookup: 1,
  forget: 2,
  getattr: 3,
  setattr: 4,
  open: 14,
  read: 15,
  write: 16,
  statfs: 17,
  release: 18,
  fsync: 20,
  flush: 25,
  init: 26,
  interrupt: 36,
  destroy: 38,
  forgetAll: 42,
} as const;

const ENOENT = 2;
const ENOSYS = 38;
const ROOT = 1n;
const FILE = 2n;
const MOST_WRITTEN = 128 * 1024;
const HEADER = 40;
const NOTHING = new Uint8Array();
/** The protocol as of Linux 5.2, which every later kernel speaks. */
const VERSION = [7, 31] as const;
/** Writes longer than a page, and as many pages as said. */
const FLAGS = (1 << 5) | (1 << 22);

function attributes(node: bigint): Buffer {
  const bytes = Buffer.alloc(88);
  const isFile = node === FILE;
  bytes.writeBigUInt64LE(node, 0);
  bytes.writeBigUInt64LE(BigInt(isFile ? disk.length : 0), 8);
  bytes.writeBigUInt64LE(BigInt(isFile ? disk.length / 512 : 0), 16);
  bytes.writeUInt32LE(isFile ? 0o100600 : 0o40700, 60);
  bytes.writeUInt32LE(1, 64);
  bytes.writeUInt32LE(4096, 80);
  return bytes;
}

function answer(unique: bigint, error: number, body: Uint8Array = NOTHING): void {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(16 + body.length, 0);
  head.writeInt32LE(-error, 4);
  head.writeBigUInt64LE(unique, 8);
  writeSync(fuse, Buffer.concat([head, body]));
}

function greeting(): Buffer {
  const bytes = Buffer.alloc(64);
  bytes.writeUInt32LE(VERSION[0], 0);
  bytes.writeUInt32LE(VERSION[1], 4);
  bytes.writeUInt32LE(MOST_WRITTEN, 8);
  bytes.writeUInt32LE(FLAGS, 12);
  bytes.writeUInt16LE(16, 16);
  bytes.writeUInt16LE(12, 18);
  bytes.writeUInt32LE(MOST_WRITTEN, 20);
  bytes.writeUInt32LE(1, 24);
  bytes.writeUInt16LE(MOST_WRITTEN / 4096, 28);
  return bytes;
}

/** Attributes that hold for an hour, behind what else an answer begins with. */
function lasting(before: Buffer, node: bigint): Buffer {
  return Buffer.concat([before, attributes(node)]);
}

function found(): Buffer {
  const bytes = Buffer.alloc(40);
  bytes.writeBigUInt64LE(FILE, 0);
  bytes.writeBigUInt64LE(3600n, 16);
  bytes.writeBigUInt64LE(3600n, 24);
  return lasting(bytes, FILE);
}

function stored(body: Buffer): Buffer {
  const offset = Number(body.readBigUInt64LE(8));
  const size = body.readUInt32LE(16);
  const bytes = body.subarray(40, 40 + size);
  bytes.copy(disk, offset);
  writeSync(record, writeRecord(offset, bytes));
  const count = Buffer.alloc(8);
  count.writeUInt32LE(size, 0);
  return count;
}

/** What a request is answered with: a body, the number of an error, or nothing at all. */
function reply(opcode: number, node: bigint, body: Buffer): Uint8Array | number | undefined {
  switch (opcode) {
    case ASKED.forget:
    case ASKED.forgetAll:
    case ASKED.interrupt:
      return undefined;
    case ASKED.init:
      return greeting();
    case ASKED.lookup:
      return body.toString("latin1").startsWith("disk\0") ? found() : ENOENT;
    case ASKED.getattr:
    case ASKED.setattr: {
      const valid = Buffer.alloc(16);
      valid.writeBigUInt64LE(3600n, 0);
      return lasting(valid, node === ROOT ? ROOT : FILE);
    }
    case ASKED.open:
      return Buffer.alloc(16);
    case ASKED.read: {
      const offset = Number(body.readBigUInt64LE(8));
      return disk.subarray(offset, offset + body.readUInt32LE(16));
    }
    case ASKED.write:
      return stored(body);
    case ASKED.fsync:
      writeSync(record, flushRecord());
      return NOTHING;
    case ASKED.statfs:
      return Buffer.alloc(80);
    case ASKED.release:
    case ASKED.flush:
    case ASKED.destroy:
      return NOTHING;
    default:
      return ENOSYS;
  }
}

function serve(request: Buffer): void {
  const unique = request.readBigUInt64LE(8);
  const answered = reply(request.readUInt32LE(4), request.readBigUInt64LE(16), request.subarray(HEADER));
  if (typeof answered === "number") answer(unique, answered);
  else if (answered !== undefined) answer(unique, 0, answered);
}

const options = "fd=3,rootmode=40000,user_id=0,group_id=0,allow_other";
const mounted = spawnSync("mount", ["-i", "-t", "fuse", "-o", options, "espalier-power", place], {
  stdio: ["ignore", "inherit", "inherit", fuse],
});
if (mounted.status !== 0) process.exit(1);
process.stdout.write("ready\n");
const buffer = Buffer.alloc(MOST_WRITTEN + 4096 * 2);
for (;;) {
  let length: number;
  try {
    length = readSync(fuse, buffer);
  } catch (error) {
    // A request that was taken back, or the end: nobody has it mounted any more.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EINTR" || code === "EAGAIN") continue;
    break;
  }
  serve(buffer.subarray(0, length));
}
