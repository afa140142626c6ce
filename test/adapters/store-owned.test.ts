import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openSqliteReader, openSqliteStore } from "../../src/adapters/store/index.ts";
import { scratchFolder } from "../scratch.ts";
import { must } from "./store-fixtures.ts";

let top: string;
let state: string;
let path: string;
let victim: string;

beforeEach(() => {
  top = scratchFolder("espalier-own-store-");
  state = join(top, ".espalier");
  path = join(state, "espalier.db");
  victim = join(top, "victim");
  mkdirSync(state);
  must(openSqliteStore({ path, project: "/demo" })).close();
  writeFileSync(victim, "precious".repeat(1000));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

/** Everything that stands there, by name. */
const contents = (): string[] =>
  readdirSync(top, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => `${entry.name}:${readFileSync(join(entry.parentPath, entry.name)).toString("base64")}`)
    .sort();

/** What writing and reading are answered, and whether everything stands as before. */
const refusals = (): readonly unknown[] => {
  const before = contents();
  const answers = [openSqliteStore({ path, project: "/demo" }), openSqliteReader({ path })];
  const told = answers.map(answer => (answer.ok ? "opened" : answer.failure));
  return [...told, contents().join() === before.join() ? "nothing changed" : "changed"];
};
const refused = (why: string): readonly unknown[] => {
  const what = expect.objectContaining({ path: expect.stringContaining(top), found: expect.any(String) });
  const failure = { kind: "not-owned", message: expect.stringContaining(why), what };
  return [failure, failure, "nothing changed"];
};

/** A rollback journal that names a file as the journal over several databases. */
const journalNaming = (file: string): Buffer => {
  const magic = Buffer.from("d9d505f920a163d7", "hex");
  const head = Buffer.alloc(4096);
  magic.copy(head);
  head.writeUInt32BE(4096, 20);
  head.writeUInt32BE(4096, 24);
  const name = Buffer.from(file);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(name.length, 0);
  numbers.writeUInt32BE(
    name.reduce((sum, byte) => sum + byte, 0),
    4,
  );
  return Buffer.concat([head, Buffer.from([0, 4, 0, 1]), name, numbers, magic]);
};

describe("a database of ours", () => {
  it.each(["", "-wal", "-shm", "-journal"])("[OF7] is not opened where %s leads elsewhere", ending => {
    rmSync(path + ending, { force: true });
    // A reader says that there is nothing where the end of a link is missing.
    symlinkSync("../victim", path + ending);
    expect(refusals()).toEqual(refused("is a symbolic link"));
  });

  it.each(["", "-wal", "-shm", "-journal"])("[OF7] is not opened where %s has a name elsewhere", ending => {
    rmSync(path + ending, { force: true });
    linkSync(victim, path + ending);
    expect(refusals()).toEqual(refused("hard links"));
  });

  it("[OF7] is not opened through a folder that is a link", () => {
    path = join(top, "shortcut", "espalier.db");
    symlinkSync(".espalier", join(top, "shortcut"));
    expect(refusals()).toEqual(refused("shortcut is a symbolic link"));
  });

  it("[OF7] is not opened beside a journal that has SQLite remove another file", () => {
    writeFileSync(`${path}-journal`, journalNaming(victim));
    expect(refusals()).toEqual(refused("names another file"));
  });

  it("[OF7] is opened beside a journal of one database, as a crash leaves it", () => {
    writeFileSync(`${path}-journal`, journalNaming(victim).subarray(0, 4096));
    must(openSqliteStore({ path, project: "/demo" })).close();
    expect(readFileSync(victim, "utf8")).toBe("precious".repeat(1000));
  });
});
