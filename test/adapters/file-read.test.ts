import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FileCalls, nodeFileCalls, readBounded } from "../../src/adapters/file/index.ts";
import { faulty, systemError } from "./file-faults.ts";

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "espalier-read-"));
  path = join(directory, "file");
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe("readBounded", () => {
  it("returns the bytes of a plain file", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 9000 }), bytes => {
        writeFileSync(path, bytes);
        const read = readBounded(path, { maxBytes: 9000 });
        expect(read.ok && Buffer.compare(read.value, bytes)).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  it("takes a file of exactly the limit and refuses one byte more, with both numbers", () => {
    writeFileSync(path, "12345");
    expect(readBounded(path, { maxBytes: 5 })).toMatchObject({ ok: true });
    expect(readBounded(path, { maxBytes: 4 })).toMatchObject({
      ok: false,
      failure: { kind: "too-large", path, size: 5, limit: 4 },
    });
  });

  it("reads nothing of a file far above the limit", () => {
    writeFileSync(path, "");
    truncateSync(path, 50 * 2 ** 30);
    let reads = 0;
    const calls: FileCalls = {
      ...nodeFileCalls,
      read: (...given) => {
        reads += 1;
        return nodeFileCalls.read(...given);
      },
    };
    expect(readBounded(path, { maxBytes: 1000, calls })).toMatchObject({ failure: { kind: "too-large" } });
    expect(reads).toBe(0);
  });

  it("stops at the limit when a file grows while it is read", () => {
    writeFileSync(path, "");
    const endless: FileCalls = { ...nodeFileCalls, read: (_fd, buffer, offset) => buffer.length - offset };
    expect(readBounded(path, { maxBytes: 100_000, calls: endless })).toMatchObject({
      failure: { kind: "too-large", limit: 100_000 },
    });
  });

  it.skipIf(process.platform !== "linux")("reads files that do not tell their size (Linux only)", () => {
    const read = readBounded("/proc/self/stat", { maxBytes: 10_000 });
    expect(read.ok && Buffer.from(read.value).toString().startsWith(`${process.pid} (`)).toBe(true);
  });

  it("tells a missing file", () => {
    expect(readBounded(path, { maxBytes: 9 })).toMatchObject({ failure: { kind: "missing", path } });
    writeFileSync(path, "");
    expect(readBounded(join(path, "below"), { maxBytes: 9 })).toMatchObject({ failure: { kind: "missing" } });
  });

  it("never waits for a pipe, a socket or a device", async () => {
    execFileSync("mkfifo", [path]);
    expect(readBounded(path, { maxBytes: 9 })).toMatchObject({ failure: { kind: "not-regular", path } });
    expect(readBounded(path, { maxBytes: 9, follow: true })).toMatchObject({
      failure: { kind: "not-regular" },
    });
    expect(readBounded("/dev/zero", { maxBytes: 9 })).toMatchObject({ failure: { kind: "not-regular" } });
    expect(readBounded(directory, { maxBytes: 9 })).toMatchObject({ failure: { kind: "not-regular" } });
    const socket = join(directory, "s");
    const server = createServer().listen(socket);
    await new Promise(resolve => server.once("listening", resolve));
    expect(readBounded(socket, { maxBytes: 9 })).toMatchObject({ failure: { kind: "not-regular" } });
    await new Promise(resolve => server.close(resolve));
  });

  it("follows a symbolic link only when asked, and never to a pipe", () => {
    const link = join(directory, "link");
    writeFileSync(path, "behind");
    symlinkSync(path, link);
    expect(readBounded(link, { maxBytes: 9 })).toMatchObject({
      failure: { kind: "not-regular", path: link },
    });
    const followed = readBounded(link, { maxBytes: 9, follow: true });
    expect(followed.ok && Buffer.from(followed.value).toString()).toBe("behind");
    const loop = join(directory, "loop");
    symlinkSync(loop, loop);
    expect(readBounded(loop, { maxBytes: 9, follow: true })).toMatchObject({
      failure: { kind: "not-regular" },
    });
  });

  it("tells a file that may not be read", () => {
    for (const errno of ["EACCES", "EPERM"]) {
      const calls: FileCalls = {
        ...nodeFileCalls,
        open: () => {
          throw systemError(errno, "open");
        },
      };
      expect(readBounded(path, { maxBytes: 9, calls })).toMatchObject({
        failure: { kind: "permission", path },
      });
    }
  });

  it("turns a fault at any call into an answer and closes what it opened", () => {
    mkdirSync(join(directory, "d"));
    writeFileSync(path, "content");
    const wrong: string[] = [];
    let sites = 0;
    for (const forever of [false, true]) {
      for (let at = 1; ; at++) {
        const { calls, fired, log } = faulty({ at, errno: "EIO", forever, after: false });
        const read = readBounded(path, { maxBytes: 99, calls });
        if (!fired()) break;
        sites++;
        const told = read.ok ? Buffer.from(read.value).toString() : JSON.stringify(read.failure);
        const sound = read.ok ? told === "content" : told.includes('"kind":"io"') && told.includes(path);
        if (!sound || log.includes("close") !== at > 1) wrong.push(`${at} ${forever}: ${told}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(sites).toBeGreaterThan(2 * 4);
  });
});
