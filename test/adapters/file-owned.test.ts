import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { nodeFileCalls, type OpenWay } from "../../src/adapters/file/calls.ts";
import {
  directFileCalls,
  entriesOwned,
  makeOwnedFolder,
  NotOwned,
  ownedFileCalls,
  readBounded,
  removeEntries,
  removeOwned,
  requireOwnFile,
  writeAtomic,
} from "../../src/adapters/file/index.ts";
import { scratchFolder } from "../scratch.ts";

let top: string;
let state: string;
let victim: string;

beforeEach(() => {
  top = scratchFolder("espalier-owned-");
  state = join(top, "project", ".espalier");
  victim = join(top, "victim");
  mkdirSync(state, { recursive: true });
  mkdirSync(victim);
  writeFileSync(join(victim, "file"), "precious");
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const own = (name: string): string => join(state, name);
const open = (path: string, way: OpenWay = "read", calls = ownedFileCalls): string => {
  const fd = calls.open(path, way, 0o600);
  const { size } = calls.fstat(fd);
  calls.close(fd);
  return `${size} bytes`;
};
const isUntouched = (): void => {
  expect(readdirSync(victim)).toEqual(["file"]);
  expect(readFileSync(join(victim, "file"), "utf8")).toBe("precious");
};

describe("what is ours", () => {
  it("[OF1] is not reached through a link in its place, to a file, a folder or nothing", () => {
    symlinkSync("../../victim/file", own("a"));
    symlinkSync("../../victim", own("b"));
    symlinkSync("../../victim/new", own("c"));
    for (const name of ["a", "b", "c"]) {
      for (const way of ["read", "append"] as const) expect(() => open(own(name), way)).toThrow(NotOwned);
      expect(() => open(own(name), "create")).toThrow("EEXIST");
      expect(() => requireOwnFile(own(name))).toThrow(`${own(name)} is a symbolic link`);
    }
    expect(() => entriesOwned(own("b"))).toThrow(NotOwned);
    expect(() => makeOwnedFolder(own("b"))).toThrow(NotOwned);
    expect(() => makeOwnedFolder(own("c"))).toThrow(NotOwned);
    isUntouched();
  });

  it.each(["a link to a folder", "a link to a folder above", "a link to nothing"])(
    "[OF1] is not reached through %s on the way",
    what => {
      rmSync(join(top, "project"), { recursive: true });
      if (what === "a link to a folder") {
        mkdirSync(join(top, "project"));
        symlinkSync("../victim", state);
      } else symlinkSync(what === "a link to nothing" ? "nowhere" : "victim", join(top, "project"));
      mkdirSync(join(victim, ".espalier"));
      const acts: (() => unknown)[] = [
        () => open(own("file")),
        () => open(own("new"), "append"),
        () => open(own("new"), "create"),
        () => open(state, "directory"),
        () => ownedFileCalls.list(state),
        () => ownedFileCalls.lstat(own("file")),
        () => ownedFileCalls.unlink(own("file")),
        () => ownedFileCalls.rename(own("file"), own("other")),
        () => ownedFileCalls.link(own("file"), own("other")),
        () => makeOwnedFolder(own("folder")),
        () => entriesOwned(state),
        () => removeOwned(own("file")),
        () => requireOwnFile(own("file")),
      ];
      for (const act of acts) expect(act).toThrow(NotOwned);
      expect(writeAtomic(own("file"), "x", { calls: ownedFileCalls })).toMatchObject({ ok: false });
      expect(readBounded(own("file"), { maxBytes: 100, calls: ownedFileCalls })).toMatchObject({ ok: false });
      rmSync(join(victim, ".espalier"), { recursive: true });
      isUntouched();
    },
  );

  it("[OF1] may lie in a project that is reached through a link, once that is resolved", () => {
    expect(writeAtomic(own("file"), "x", { calls: ownedFileCalls })).toMatchObject({ ok: true });
    expect(open(own("file"))).toBe("1 bytes");
  });

  it("[OF2] has no name elsewhere, and may have several at home", () => {
    linkSync(join(victim, "file"), own("a"));
    for (const way of ["read", "append"] as const) expect(() => open(own("a"), way)).toThrow("hard links");
    expect(() => requireOwnFile(own("a"))).toThrow("hard links");
    expect(writeAtomic(own("a"), "x", { calls: ownedFileCalls })).toMatchObject({ ok: false });
    linkSync(own("a"), own("b"));
    expect(() => open(own("a"))).toThrow("one of 3 hard links");
    isUntouched();
    writeFileSync(own("c"), "ours");
    linkSync(own("c"), own("c.bak"));
    expect(open(own("c"))).toBe("4 bytes");
    // Others' names are no matter where only links are.
    expect(open(own("a"), "read", directFileCalls)).toBe("8 bytes");
  });

  it("[OF3] is nobody else's", ({ skip }) => {
    skip(process.getuid?.() !== 0, "needs root to give files away");
    writeFileSync(own("a"), "theirs");
    chownSync(own("a"), 65534, 65534);
    expect(() => open(own("a"))).toThrow(`${own("a")} is another user's`);
    chownSync(state, 65534, 65534);
    // A file of whoever owns the folder is right; the folder then has to be as right in its own.
    expect(open(own("a"))).toBe("6 bytes");
    expect(() => entriesOwned(state)).toThrow(`${state} is another user's`);
    expect(() => makeOwnedFolder(state)).toThrow(`${state} is another user's`);
    chownSync(join(top, "project"), 65534, 65534);
    expect(entriesOwned(state)).toHaveLength(1);
  });

  it("[OF4] is not waited for where a pipe stands, and is nothing else either", () => {
    execFileSync("mkfifo", [own("pipe")]);
    mkdirSync(own("folder"));
    expect(readBounded(own("pipe"), { maxBytes: 10, calls: ownedFileCalls })).toMatchObject({
      ok: false,
      failure: { kind: "not-regular" },
    });
    expect(() => open(own("pipe"), "append")).toThrow("ENXIO");
    for (const name of ["pipe", "folder"]) expect(() => requireOwnFile(own(name))).toThrow("no plain file");
    expect(() => makeOwnedFolder(own("pipe"))).toThrow("ENOTDIR");
  });

  it.skipIf(process.platform !== "linux")("[OF5] stays in the folder that was opened (Linux)", () => {
    writeFileSync(own("file"), "ours");
    // The folder is exchanged for a link right after it was looked at.
    const real = nodeFileCalls.list;
    const calls = { ...nodeFileCalls, list: real };
    let swapped = 0;
    Object.assign(nodeFileCalls, {
      open: (path: string, way: OpenWay, mode: number) => {
        renameSync(state, `${state}.was`);
        symlinkSync("../victim", state);
        swapped++;
        return calls.open(path, way, mode);
      },
    });
    try {
      const fd = directFileCalls.open(own("file"), "append", 0o600);
      appendFileSync(fd, "!");
      directFileCalls.close(fd);
    } finally {
      Object.assign(nodeFileCalls, { open: calls.open });
    }
    expect(swapped).toBe(1);
    expect(readFileSync(join(`${state}.was`, "file"), "utf8")).toBe("ours!");
    isUntouched();
  });

  it("[OF6] is named in the failure, with what was found and what to do", () => {
    symlinkSync("../../victim/file", own("a"));
    expect(() => requireOwnFile(own("a"))).toThrow(
      `${own("a")} is a symbolic link; it is neither read nor written: move it away`,
    );
    const missing = (() => {
      try {
        return open(own("none"));
      } catch (error) {
        return (error as Error).message;
      }
    })();
    expect(missing).toBe(`ENOENT: no such file or directory, open '${own("none")}'`);
  });

  it("[OF6] is removed without what a link in it leads to", () => {
    mkdirSync(own("folder"));
    symlinkSync(victim, own("folder/link"));
    symlinkSync(victim, own("link"));
    removeOwned(own("folder"));
    removeOwned(own("link"));
    removeOwned(own("none"));
    expect(readdirSync(state)).toEqual([]);
    isUntouched();
  });

  it.each([10, 3_000])(
    "[OF14] entries go with all in them, %d files, and nothing that a link leads to",
    async size => {
      for (const name of ["one", "two", "stays"]) mkdirSync(own(name));
      for (let n = 0; n < size; n++) writeFileSync(own(`one/${n}`), "");
      symlinkSync(victim, own("two/link"));
      symlinkSync(victim, own("link"));
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      await removeEntries(state, ["one", "two", "link", "none"]);
      clearInterval(timer);
      // Only where it would take long is there time for anything else.
      expect(turns > 0).toBe(size > 2_000);
      expect(readdirSync(state)).toEqual(["stays"]);
      isUntouched();
      rmSync(own("stays"), { recursive: true });
    },
  );

  it("[OF14] whose removal fails in its thread fail here", async () => {
    mkdirSync(own("one"));
    for (let n = 0; n < 3_000; n++) writeFileSync(own(`one/${n}`), "");
    // What is no entry: a path through a file.
    await expect(removeEntries(state, ["one", "one\0"])).rejects.toThrow(/null bytes/);
    await expect(removeEntries(own("none"), [])).rejects.toMatchObject({ code: "ENOENT" });
    rmSync(own("one"), { recursive: true, force: true });
  });

  it("is made private, with the folders above it", () => {
    expect(makeOwnedFolder(own("a/b"))).toBe(own("a"));
    expect(lstatSync(own("a")).mode & 0o777).toBe(0o700);
    expect(makeOwnedFolder(own("a/b"))).toBeUndefined();
  });

  it("[OF15] opens and looks at a file that another process writes with a backup again and again", async () => {
    const path = own("thin.json");
    const module = new URL("../../src/adapters/file/index.ts", import.meta.url).href;
    const script = `
      const { ownedFileCalls, writeAtomic } = await import(${JSON.stringify(module)});
      for (let n = 0; n < 400; n++) {
        const done = writeAtomic(process.argv[1], Buffer.from("x" + n), { backup: () => true, calls: ownedFileCalls });
        if (!done.ok) throw new Error(done.failure.message);
      }
    `;
    writeFileSync(path, "x");
    const writer = spawn(process.execPath, ["--input-type=module", "-e", script, "--", path], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    const ended = once(writer, "exit");
    let looks = 0;
    while (writer.exitCode === null && writer.signalCode === null) {
      for (let n = 0; n < 50; n++) {
        requireOwnFile(path);
        ownedFileCalls.close(ownedFileCalls.open(path, "read", 0));
        looks++;
      }
      await setImmediate();
    }
    expect([await ended, looks > 100]).toEqual([[0, null], true]);
  });

  it("[OF15] looks no more than a few times where each look takes long", () => {
    const path = own("thick.json");
    writeFileSync(path, "x");
    linkSync(path, join(victim, "thick.json"));
    const list = nodeFileCalls.list;
    const looks = vi.spyOn(nodeFileCalls, "list").mockImplementation(folder => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
      return list(folder);
    });
    try {
      expect(() => requireOwnFile(path)).toThrow("one of 2 hard links");
      expect(looks).toHaveBeenCalledTimes(3);
    } finally {
      looks.mockRestore();
    }
  });
});
