import { existsSync, linkSync, mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type FileCalls,
  isTemporaryName,
  nodeFileCalls,
  sweepTemporaries,
  temporaryName,
  type WriteOptions,
  writeAtomic,
} from "../../src/adapters/file/index.ts";
import { type Fault, faulty, smallDisk, systemError } from "./file-faults.ts";
import { filePlace, isJson, messageOf, NEW, OLD, text } from "./file-fixtures.ts";

const place = filePlace();

describe("writeAtomic on a disk that fills", () => {
  it("answers `full` at every amount of room and never shows a part", () => {
    const size = Buffer.byteLength(NEW);
    for (let room = 0; room < size; room += 37) {
      writeFileSync(place.target, OLD);
      const result = writeAtomic(place.target, NEW, { calls: smallDisk(room), backup: isJson });
      expect(result).toMatchObject({ ok: false, failure: { kind: "full", errno: "ENOSPC", applied: "no" } });
      expect(text(place.target)).toBe(OLD);
      expect(place.names().filter(isTemporaryName)).toEqual([]);
    }
    expect(writeAtomic(place.target, NEW, { calls: smallDisk(size), backup: isJson }).ok).toBe(true);
  });

  it.each([-1, 1])(
    "believes the size of what it wrote, not the answers of a disk that took %i bytes more",
    more => {
      writeFileSync(place.target, OLD);
      const calls: FileCalls = {
        ...nodeFileCalls,
        write(fd, bytes, offset, position) {
          const taken = Buffer.concat([
            bytes.subarray(0, bytes.length + Math.min(0, more)),
            Buffer.alloc(Math.max(0, more)),
          ]);
          nodeFileCalls.write(fd, taken, offset, position);
          return bytes.length - offset;
        },
      };
      expect(writeAtomic(place.target, NEW, { calls })).toMatchObject({
        ok: false,
        failure: { kind: "io", applied: "no" },
      });
      expect(text(place.target)).toBe(OLD);
      expect(place.names().filter(isTemporaryName)).toEqual([]);
    },
  );

  it("takes a write of nothing for a full disk instead of trying for ever", () => {
    const result = writeAtomic(place.target, NEW, { calls: { ...nodeFileCalls, write: () => 0 } });
    expect(result).toMatchObject({ ok: false, failure: { kind: "full" } });
  });

  it.each([
    ["ENOSPC", "full"],
    ["EDQUOT", "full"],
    ["EFBIG", "full"],
    ["EROFS", "read-only"],
    ["EACCES", "read-only"],
    ["EPERM", "read-only"],
    ["EIO", "io"],
    ["EMFILE", "io"],
  ])("tells %s as %s, with path and name", (errno, kind) => {
    const { calls } = faulty({ at: 1, errno, forever: true, after: false });
    const result = writeAtomic(place.target, NEW, { calls });
    expect(result).toMatchObject({ ok: false, failure: { kind, errno, applied: "no" } });
    expect(messageOf(result)).toContain(place.directory);
  });
});

describe("writeAtomic when a call fails", () => {
  // What stands in the directory before the write; each shape leads through other calls.
  const shapes: Record<string, () => WriteOptions> = {
    "a new file": () => ({}),
    "a file without backup": () => {
      writeFileSync(place.target, OLD);
      return { keepMode: true };
    },
    "a file with a backup": () => {
      writeFileSync(`${place.target}.bak`, "0");
      writeFileSync(place.target, OLD);
      return { backup: isJson };
    },
    "an unsound file": () => {
      writeFileSync(`${place.target}.bak`, "0");
      writeFileSync(place.target, OLD.slice(1));
      return { backup: isJson };
    },
    "a file a killed writer left with two names": () => {
      writeFileSync(place.target, OLD);
      linkSync(place.target, temporaryName(place.directory));
      return { backup: isJson };
    },
  };
  const clean = (): void => {
    for (const name of place.names()) rmSync(join(place.directory, name));
  };
  const read = (path: string): string | undefined => (existsSync(path) ? text(path) : undefined);

  for (const [shape, arrange] of Object.entries(shapes)) {
    it.each([
      { forever: false, after: false },
      { forever: true, after: false },
      { forever: false, after: true },
      { forever: true, after: true },
    ])(`at any place, over ${shape}: old or new, never a part (%o)`, mode => {
      let sites = 0;
      const wrong: string[] = [];
      for (const errno of ["EIO", "ENOSPC", "EACCES"]) {
        for (let at = 1; ; at++) {
          clean();
          const options = arrange();
          const before = read(place.target);
          const backupBefore = read(`${place.target}.bak`);
          const fault: Fault = { at, errno, ...mode };
          const { calls, fired, log } = faulty(fault);
          const result = writeAtomic(place.target, NEW, { ...options, calls });
          if (!fired()) break;
          sites++;
          const must = (holds: boolean, what: string): void => {
            if (!holds) wrong.push(`${errno} at call ${at} (${log[at - 1]}): ${what}`);
          };
          const now = read(place.target);
          if (result.ok) must(now === NEW, "ok, and yet not the new content");
          else if (result.failure.applied === "no") must(now === before, "refused, and yet changed");
          else must(now === before || now === NEW, "neither old nor new");
          const backups = shape === "an unsound file" ? [backupBefore] : [backupBefore, before];
          must(
            backups.includes(read(`${place.target}.bak`)),
            "the backup is neither the old nor the new one",
          );
          // Whatever was left behind, the next start sweeps it and the next write succeeds.
          sweepTemporaries(place.directory);
          must(
            writeAtomic(place.target, "9", options).ok && text(place.target) === "9",
            "the next write fails",
          );
          must(!place.names().some(isTemporaryName), "a temporary file stays");
          const kept = options.backup === undefined || now === undefined || !isJson(Buffer.from(now));
          must(kept || read(`${place.target}.bak`) === now, "the next write loses a generation");
        }
      }
      expect(wrong).toEqual([]);
      expect(sites).toBeGreaterThan(3 * 8);
    });
  }

  const failing = (call: string, errno: string, times: number): FileCalls => {
    let left = times;
    return new Proxy(nodeFileCalls, {
      get: (real, name: keyof FileCalls) =>
        name !== call
          ? real[name]
          : (...given: never[]) => {
              if (left-- > 0) throw systemError(errno, call);
              return (real[name] as (...all: never[]) => unknown)(...given);
            },
    });
  };

  it("gives a failed sync of the file one more try, with a new file", () => {
    const created: string[] = [];
    const calls = failing("fsync", "EIO", 1);
    const watched: FileCalls = {
      ...calls,
      fsync: fd => calls.fsync(fd),
      open: (path, way, mode) => {
        if (way === "create") created.push(path);
        return nodeFileCalls.open(path, way, mode);
      },
    };
    expect(writeAtomic(place.target, NEW, { calls: watched })).toEqual({
      ok: true,
      value: { directorySynced: true },
    });
    expect(new Set(created).size).toBe(2);
    const twice = writeAtomic(place.target, OLD, { calls: failing("fsync", "EIO", 2) });
    expect(twice).toMatchObject({ ok: false, failure: { kind: "io", errno: "EIO", applied: "no" } });
    expect(text(place.target)).toBe(NEW);
    expect(place.names()).toEqual(["state.json"]);
  });

  it("looks before deciding when the directory cannot be synced", () => {
    writeFileSync(place.target, OLD);
    let renamed = false;
    const calls: FileCalls = {
      ...nodeFileCalls,
      rename: (from, to) => {
        nodeFileCalls.rename(from, to);
        renamed = true;
      },
      fsync: fd => {
        if (renamed) throw systemError("EIO", "fsync");
        nodeFileCalls.fsync(fd);
      },
    };
    expect(writeAtomic(place.target, NEW, { calls })).toEqual({
      ok: true,
      value: { directorySynced: false },
    });
    expect(text(place.target)).toBe(NEW);
    const blind: FileCalls = {
      ...calls,
      lstat: path => {
        if (renamed && path === place.target) throw systemError("EIO", "lstat");
        return nodeFileCalls.lstat(path);
      },
    };
    renamed = false;
    expect(writeAtomic(place.target, OLD, { calls: blind })).toMatchObject({
      ok: false,
      failure: { applied: "unknown" },
    });
  });

  it("takes a rename that answered with an error but took place for done", () => {
    writeFileSync(place.target, OLD);
    const calls: FileCalls = {
      ...nodeFileCalls,
      rename: (from, to) => {
        nodeFileCalls.rename(from, to);
        throw systemError("EIO", "rename");
      },
    };
    expect(writeAtomic(place.target, NEW, { calls }).ok).toBe(true);
    expect(text(place.target)).toBe(NEW);
  });

  it("lets a bug through as a bug", () => {
    const calls: FileCalls = {
      ...nodeFileCalls,
      write: () => {
        throw new TypeError("a bug");
      },
    };
    expect(() => writeAtomic(place.target, NEW, { calls })).toThrow("a bug");
    expect(place.names()).toEqual([]);
  });
});

describe("sweepTemporaries", () => {
  it("removes what writers left, also SQLite's companions, and nothing else", () => {
    const token = "0123456789abcdef".repeat(2);
    const ours = ["", "-journal", "-wal", "-shm"].map(ending => `.espalier-${token}.tmp${ending}`);
    const others = [
      "state.json",
      ".espalier-short.tmp",
      `.espalier-${token}`,
      `.espalier-${token}.tmp.bak`,
      `.espalier-${token.toUpperCase()}.tmp`,
      `espalier-${token}.tmp`,
      `.espalier-${token.slice(1)}g.tmp`,
      ".espalier-",
    ];
    for (const name of [...ours, ...others]) writeFileSync(join(place.directory, name), "");
    expect([...sweepTemporaries(place.directory)].sort()).toEqual([...ours].sort());
    expect(place.names()).toEqual([...others].sort());
    expect(sweepTemporaries(place.directory)).toEqual([]);
  });

  it("leaves alone what somebody may still be writing, where others write as well", () => {
    const [old, young] = [temporaryName(place.directory), temporaryName(place.directory)];
    for (const path of [old, young]) writeFileSync(path, "");
    const before = new Date(Date.now() - 60_000);
    utimesSync(old, before, before);
    expect(sweepTemporaries(place.directory, undefined, 30_000)).toEqual([basename(old)]);
    expect(place.names()).toEqual([basename(young)]);
  });

  it("does not stop at what it may not remove, nor at a missing directory", () => {
    mkdirSync(join(place.directory, `.espalier-${"a".repeat(32)}.tmp`));
    writeFileSync(temporaryName(place.directory), "");
    expect(sweepTemporaries(place.directory)).toHaveLength(1);
    expect(sweepTemporaries(join(place.directory, "missing"))).toEqual([]);
  });

  it("knows every name it makes", () => {
    fc.assert(
      fc.property(fc.string(), name => {
        expect(isTemporaryName(name)).toBe(false);
      }),
    );
    for (let round = 0; round < 20; round++) {
      expect(isTemporaryName(temporaryName("/d").slice("/d/".length))).toBe(true);
    }
  });
});

it("keeps no trace of time: a file from the future is replaced like any other", () => {
  writeFileSync(place.target, OLD);
  utimesSync(place.target, 4_000_000_000, 4_000_000_000);
  expect(writeAtomic(place.target, NEW, { backup: isJson }).ok).toBe(true);
  expect(text(place.target)).toBe(NEW);
});
