import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type FileCalls,
  isTemporaryName,
  nodeFileCalls,
  temporaryName,
  writeAtomic,
} from "../../src/adapters/file/index.ts";
import { faulty, shortWrites, systemError } from "./file-faults.ts";
import { filePlace, isJson, messageOf, NEW, OLD, text } from "./file-fixtures.ts";

const place = filePlace();

describe("writeAtomic", () => {
  it("writes a new file, readable by its owner alone", () => {
    expect(writeAtomic(place.target, NEW)).toEqual({ ok: true, value: { directorySynced: true } });
    expect(text(place.target)).toBe(NEW);
    expect(statSync(place.target).mode & 0o777).toBe(0o600);
    expect(place.names()).toEqual(["state.json"]);
  });

  it("replaces a file and leaves nothing else behind", () => {
    writeFileSync(place.target, OLD);
    expect(writeAtomic(place.target, NEW).ok).toBe(true);
    expect(text(place.target)).toBe(NEW);
    expect(place.names()).toEqual(["state.json"]);
  });

  it("gives a new file the mode asked for and keeps that of an old one when asked", () => {
    const umask = process.umask(0o022);
    try {
      writeAtomic(place.target, OLD, { mode: 0o644 });
      expect(statSync(place.target).mode & 0o777).toBe(0o644);
      chmodSync(place.target, 0o664);
      writeAtomic(place.target, NEW, { keepMode: true });
      expect(statSync(place.target).mode & 0o777).toBe(0o664);
      writeAtomic(place.target, NEW);
      expect(statSync(place.target).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(umask);
    }
  });

  it.skipIf(process.getuid?.() !== 0)("keeps the owner of a file where permitted (needs root)", () => {
    writeFileSync(place.target, OLD);
    execFileSync("chown", ["65534:65534", place.target]);
    expect(writeAtomic(place.target, NEW, { keepMode: true }).ok).toBe(true);
    expect(statSync(place.target).uid).toBe(65534);
    expect(statSync(place.target).gid).toBe(65534);
  });

  it("writes whatever bytes it is given, exactly", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), fc.integer({ min: 1, max: 700 }), (bytes, most) => {
        const result = writeAtomic(place.target, bytes, { calls: shortWrites(most), backup: () => true });
        expect(result.ok).toBe(true);
        expect(Buffer.compare(readFileSync(place.target), bytes)).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it("writes an empty file", () => {
    expect(writeAtomic(place.target, "").ok).toBe(true);
    expect(statSync(place.target).size).toBe(0);
  });

  it("asks for the temporary in the same directory, exclusively, under an unguessable name", () => {
    const opened: [string, string, number][] = [];
    const calls: FileCalls = {
      ...nodeFileCalls,
      open: (path, way, mode) => {
        opened.push([path, way, mode]);
        return nodeFileCalls.open(path, way, mode);
      },
    };
    writeAtomic(place.target, NEW, { calls });
    writeAtomic(place.target, NEW, { calls });
    const created = opened.filter(([, way]) => way === "create").map(([path]) => path);
    expect(created).toHaveLength(2);
    expect(created[0]).not.toBe(created[1]);
    for (const path of created) expect(path.startsWith(`${place.directory}/.espalier-`)).toBe(true);
    expect(opened.filter(([, way]) => way === "create").every(([, , mode]) => mode === 0o600)).toBe(true);
  });

  it("never opens a temporary that is already there, not even a planted link", () => {
    const token = "0".repeat(32);
    const victim = join(place.directory, "victim");
    writeFileSync(victim, "precious");
    symlinkSync(victim, join(place.directory, `.espalier-${token}.tmp`));
    const result = writeAtomic(place.target, NEW, { calls: { ...nodeFileCalls, token: () => token } });
    expect(result).toMatchObject({ ok: false, failure: { kind: "io", errno: "EEXIST", applied: "no" } });
    expect(text(victim)).toBe("precious");
  });

  it("syncs the file before the rename and the directory after it", () => {
    writeFileSync(place.target, OLD);
    const { calls, log } = faulty(undefined);
    writeAtomic(place.target, NEW, { calls });
    const rename = log.indexOf("rename");
    expect(log.indexOf("fsync")).toBeLessThan(rename);
    expect(log.lastIndexOf("fsync")).toBeGreaterThan(rename);
    expect(log.filter(call => call === "fsync")).toHaveLength(2);
  });
});

describe("writeAtomic refuses", () => {
  it.each<[string, () => void, RegExp]>([
    [
      "a symbolic link that leads somewhere",
      () => {
        writeFileSync(join(place.directory, "elsewhere"), OLD);
        symlinkSync(join(place.directory, "elsewhere"), place.target);
      },
      /symbolic link/,
    ],
    [
      "a symbolic link that leads nowhere",
      () => symlinkSync(join(place.directory, "nowhere"), place.target),
      /symbolic link/,
    ],
    ["a directory", () => mkdirSync(place.target), /a directory/],
    ["a pipe, without waiting for its other end", () => execFileSync("mkfifo", [place.target]), /pipe/],
    [
      "a file with a second name",
      () => {
        writeFileSync(place.target, OLD);
        linkSync(place.target, join(place.directory, "twin"));
      },
      /one of 2 hard links/,
    ],
  ])("%s", (_, arrange, message) => {
    arrange();
    const before = place.names();
    const result = writeAtomic(place.target, NEW, { backup: isJson });
    expect(result).toMatchObject({
      ok: false,
      failure: { kind: "not-regular", path: place.target, applied: "no" },
    });
    expect(messageOf(result)).toMatch(message);
    expect(place.names()).toEqual(before);
    for (const other of ["elsewhere", "twin"].filter(name => before.includes(name))) {
      expect(text(join(place.directory, other))).toBe(OLD);
    }
  });

  it("a backup name taken by a directory or a link, before it touches the file", () => {
    writeFileSync(place.target, OLD);
    mkdirSync(`${place.target}.bak`);
    expect(writeAtomic(place.target, NEW, { backup: isJson })).toMatchObject({
      ok: false,
      failure: { kind: "not-regular", path: `${place.target}.bak` },
    });
    expect(text(place.target)).toBe(OLD);
    expect(place.names().filter(isTemporaryName)).toEqual([]);
  });

  it("a directory that does not exist, naming it", () => {
    const lost = join(place.directory, "no", "such", "file");
    expect(writeAtomic(lost, NEW)).toMatchObject({ ok: false, failure: { kind: "io", errno: "ENOENT" } });
    writeFileSync(join(place.directory, "plain"), "");
    const below = join(place.directory, "plain", "file");
    expect(writeAtomic(below, NEW)).toMatchObject({ ok: false, failure: { errno: "ENOTDIR", path: below } });
  });
});

describe("writeAtomic with a backup", () => {
  it("keeps the previous generation, and only the previous one", () => {
    for (const generation of ["1", "2", "3"])
      expect(writeAtomic(place.target, generation, { backup: isJson }).ok).toBe(true);
    expect(text(place.target)).toBe("3");
    expect(text(`${place.target}.bak`)).toBe("2");
    expect(place.names()).toEqual(["state.json", "state.json.bak"]);
    expect(statSync(place.target).nlink).toBe(1);
  });

  it("never lets unsound content take the place of a good backup", () => {
    writeAtomic(place.target, "1", { backup: isJson });
    writeAtomic(place.target, "2", { backup: isJson });
    writeFileSync(place.target, '{"torn":');
    expect(writeAtomic(place.target, "3", { backup: isJson }).ok).toBe(true);
    expect(text(place.target)).toBe("3");
    expect(text(`${place.target}.bak`)).toBe("1");
    const aside = place.names().filter(name => name.includes(".corrupt-"));
    expect(aside).toHaveLength(1);
    expect(text(join(place.directory, aside[0]!))).toBe('{"torn":');
  });

  it("stores the same damage once", () => {
    for (let round = 0; round < 3; round++) {
      writeFileSync(place.target, "<html>");
      expect(writeAtomic(place.target, "1", { backup: isJson }).ok).toBe(true);
    }
    expect(place.names().filter(name => name.includes(".corrupt-"))).toHaveLength(1);
  });

  it("copies where hard links are not supported", () => {
    const calls: FileCalls = {
      ...nodeFileCalls,
      link: () => {
        throw systemError("EPERM", "link");
      },
    };
    writeAtomic(place.target, "1", { backup: isJson, calls });
    expect(writeAtomic(place.target, "2", { backup: isJson, calls }).ok).toBe(true);
    expect([text(place.target), text(`${place.target}.bak`)]).toEqual(["2", "1"]);
    expect(place.names()).toEqual(["state.json", "state.json.bak"]);
  });

  it("copies what it accepted when the file is exchanged between the look and the link", () => {
    writeFileSync(place.target, "1");
    const calls: FileCalls = {
      ...nodeFileCalls,
      link: (from, to) => {
        rmSync(from);
        writeFileSync(from, "<exchanged>");
        nodeFileCalls.link(from, to);
      },
    };
    expect(writeAtomic(place.target, "2", { backup: isJson, calls }).ok).toBe(true);
    expect([text(place.target), text(`${place.target}.bak`)]).toEqual(["2", "1"]);
  });

  it("goes on where a writer was killed between the link and the rename", () => {
    writeFileSync(place.target, "1");
    linkSync(place.target, `${place.target}.bak`);
    expect(writeAtomic(place.target, "2", { backup: isJson }).ok).toBe(true);
    expect([text(place.target), text(`${place.target}.bak`)]).toEqual(["2", "1"]);
    writeFileSync(`${place.target}.bak`, "0");
    linkSync(place.target, temporaryName(place.directory));
    expect(writeAtomic(place.target, "3", { backup: isJson }).ok).toBe(true);
    expect([text(place.target), text(`${place.target}.bak`)]).toEqual(["3", "2"]);
    expect(place.names()).toEqual(["state.json", "state.json.bak"]);
  });

  it("reads back what it wrote and keeps the old file when the disk lies", () => {
    writeFileSync(place.target, OLD);
    const calls: FileCalls = {
      ...nodeFileCalls,
      write: (fd, bytes, offset, position) => {
        const lie = Buffer.from(bytes);
        lie[lie.length - 1]! ^= 1;
        return nodeFileCalls.write(fd, lie, offset, position);
      },
    };
    const result = writeAtomic(place.target, NEW, { backup: isJson, calls });
    expect(result).toMatchObject({ ok: false, failure: { kind: "io", applied: "no" } });
    expect(text(place.target)).toBe(OLD);
    expect(place.names()).toEqual(["state.json"]);
  });

  it("notices a file that came out shorter than it was written", () => {
    writeFileSync(place.target, OLD);
    const calls: FileCalls = {
      ...nodeFileCalls,
      write: (fd, bytes, offset, position) => {
        nodeFileCalls.write(fd, bytes.subarray(0, bytes.length - 3), offset, position);
        return bytes.length - offset;
      },
    };
    const result = writeAtomic(place.target, NEW, { calls });
    expect(result).toMatchObject({ ok: false, failure: { kind: "io" } });
    expect(messageOf(result)).toContain(`of ${Buffer.byteLength(NEW)} bytes`);
    expect(text(place.target)).toBe(OLD);
  });
});

describe("a file that is written through another folder", () => {
  const through = () => join(place.directory, "own");
  const written = (rename: FileCalls["rename"]) => {
    mkdirSync(through());
    writeFileSync(place.target, OLD);
    const made: string[] = [];
    const calls: FileCalls = {
      ...nodeFileCalls,
      open(path, how, mode) {
        if (how === "create") made.push(dirname(path));
        return nodeFileCalls.open(path, how, mode);
      },
      rename,
    };
    const result = writeAtomic(place.target, NEW, { through: through(), calls });
    expect(place.names()).toEqual(["own", "state.json"]);
    expect(readdirSync(through())).toEqual([]);
    return { result, made };
  };

  it("[OF11] never has anything beside it", () => {
    const { result, made } = written(nodeFileCalls.rename);
    expect(result).toEqual({ ok: true, value: { directorySynced: true } });
    expect(made).toEqual([through()]);
    expect(text(place.target)).toBe(NEW);
  });

  it("[OF11] is written beside where no rename leads from there", () => {
    const { result, made } = written((from, to) => {
      if (dirname(from) !== dirname(to)) throw systemError("EXDEV", "rename");
      nodeFileCalls.rename(from, to);
    });
    expect(result.ok).toBe(true);
    expect(made).toEqual([through(), place.directory]);
    expect(text(place.target)).toBe(NEW);
  });

  it("[OF11] stays as it was where neither works", () => {
    const { result } = written(() => {
      throw systemError("EIO", "rename");
    });
    expect(result).toMatchObject({ ok: false, failure: { kind: "io", applied: "no" } });
    expect(text(place.target)).toBe(OLD);
  });
});
