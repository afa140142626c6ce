import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type BringOptions, bringOver } from "../../src/adapters/local/bring-over.ts";
import { type SetupOptions, setUp } from "../../src/adapters/local/set-up-worktree.ts";
import { because } from "../../src/ports/index.ts";
import { saidBy } from "../reasons.ts";
import { itWhole } from "../sample.ts";
import { must } from "./store-fixtures.ts";

let folder: string;
let ran: string[];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "espalier-ready-")));
  ran = [];
  for (const name of ["main", "one", "two"]) mkdirSync(join(folder, name));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const bring = (to: string, more: Partial<BringOptions> = {}) =>
  bringOver({
    from: join(folder, "main"),
    to: join(folder, to),
    copy: [],
    link: [],
    notes: join(folder, "notes"),
    ...more,
  });
/** What came of it. */
const brought = (more: Partial<BringOptions> = {}) => must(bring("one", more));
const ready = (to: string, more: Partial<SetupOptions> = {}) =>
  setUp({
    to: join(folder, to),
    setup: [],
    cache: join(folder, "cache"),
    run: async (command, cwd) => {
      ran.push(`${command} in ${cwd.slice(folder.length + 1)}`);
      mkdirSync(join(cwd, "node_modules"), { recursive: true });
      writeFileSync(join(cwd, "node_modules", "made"), command);
      return command === "fail" ? saidBy("command", "exit 1") : undefined;
    },
    ...more,
  });

describe("what a worktree is brought", () => {
  const PATHS = { copy: [".env", "own.txt", "missing", "conf"], link: ["data"] };
  const NOTHING = { changed: [], kept: [], dropped: [] };

  beforeEach(() => {
    write("main/.env", "SECRET");
    write("main/data/big", "big");
    write("main/conf/a/one", "1");
    write("main/conf/a/two", "2");
    write("main/own.txt", "main's");
    write("one/own.txt", "its own");
    brought(PATHS);
  });

  it("[V65] is there, and what it has by itself stays", () => {
    expect([read("one/.env"), read("one/own.txt"), read("one/conf/a/one")]).toEqual([
      "SECRET",
      "its own",
      "1",
    ]);
    expect(lstatSync(join(folder, "one/data")).isSymbolicLink()).toBe(true);
    writeFileSync(join(folder, "one/.env"), "changed");
    expect(read("main/.env")).toBe("SECRET");
  });

  it("[V65] follows the main checkout, file by file", () => {
    expect(brought(PATHS)).toEqual(NOTHING);
    write("main/.env", "MENDED SECRET");
    write("main/own.txt", "main's anew");
    write("main/conf/a/one", "1 anew");
    write("main/conf/b", "new");
    write("main/missing", "here now");
    expect(brought(PATHS)).toEqual({
      ...NOTHING,
      changed: [".env", "missing", "conf/a/one", "conf/b"],
    });
    expect([read("one/.env"), read("one/conf/a/one"), read("one/conf/a/two"), read("one/conf/b")]).toEqual([
      "MENDED SECRET",
      "1 anew",
      "2",
      "new",
    ]);
    expect([read("one/own.txt"), read("one/missing")]).toEqual(["its own", "here now"]);
    expect(brought(PATHS)).toEqual(NOTHING);
  });

  it("[V65] stays where it was changed in the worktree, told once, and comes again where it was removed there", () => {
    write("one/.env", "work's own");
    write("one/conf/a/two", "work's");
    expect(brought(PATHS)).toEqual(NOTHING);
    write("main/.env", "MENDED SECRET");
    write("main/conf/a/two", "2 anew");
    expect(brought(PATHS)).toEqual({ ...NOTHING, kept: [".env", "conf/a/two"] });
    expect(brought(PATHS)).toEqual(NOTHING);
    expect([read("one/.env"), read("one/conf/a/two")]).toEqual(["work's own", "work's"]);
    rmSync(join(folder, "one/.env"));
    expect(brought(PATHS)).toEqual({ ...NOTHING, changed: [".env"] });
    expect(read("one/.env")).toBe("MENDED SECRET");
  });

  it("[V65] is followed again once both have the same", () => {
    write("one/.env", "the same edit");
    write("main/.env", "the same edit");
    expect(brought(PATHS)).toEqual(NOTHING);
    write("main/.env", "and one more");
    expect(brought(PATHS)).toEqual({ ...NOTHING, changed: [".env"] });
  });

  it("[V65] goes once it is not asked for, but not what was changed, or is the last of its kind", () => {
    write("one/conf/a/two", "work's");
    rmSync(join(folder, "main/.env"));
    expect(brought()).toEqual({
      changed: ["conf/a/one", "data"],
      kept: [],
      dropped: ["conf"],
    });
    expect([read("one/.env"), read("one/conf/a/two")]).toEqual(["SECRET", "work's"]);
    expect(existsSync(join(folder, "one/conf/a/one"))).toBe(false);
    expect(lstatSync(join(folder, "one/data"), { throwIfNoEntry: false })).toBeUndefined();
    expect(read("main/data/big")).toBe("big");
  });

  it("[V65] is linked instead of copied, and the other way round, as it is asked for", () => {
    expect(brought({ copy: ["data"], link: ["conf", ".env"] })).toEqual({
      changed: [".env", "conf/a/one", "conf/a/two", "data", "data", "conf", ".env"],
      kept: [],
      dropped: [],
    });
    expect(lstatSync(join(folder, "one/data")).isDirectory()).toBe(true);
    expect(lstatSync(join(folder, "one/conf")).isSymbolicLink()).toBe(true);
  });

  it("[V65] is a folder where the main checkout has one by now, and a file where it has a file", () => {
    rmSync(join(folder, "main/conf"), { recursive: true });
    write("main/conf", "a file");
    rmSync(join(folder, "main/.env"));
    write("main/.env/local", "a folder");
    expect(brought(PATHS).kept).toEqual([]);
    expect([read("one/conf"), read("one/.env/local")]).toEqual(["a file", "a folder"]);
  });

  itWhole("[V65] is copied once where it is a folder of very many files", () => {
    for (let at = 0; at <= 5000; at++) write(`main/many/${at}`, "1");
    const many = { ...PATHS, copy: [...PATHS.copy, "many"] };
    expect(brought(many).changed).toEqual(["many"]);
    write("main/many/7", "another");
    expect(brought(many)).toEqual(NOTHING);
    expect(read("one/many/7")).toBe("1");
  });

  it("[V65] without notes of what was brought stays as it stands", () => {
    write("main/.env", "MENDED SECRET");
    rmSync(join(folder, "notes"));
    expect(brought(PATHS)).toEqual(NOTHING);
    write("notes", "no notes");
    expect(brought(PATHS)).toEqual(NOTHING);
  });

  it("[V65] neither leads out of the project nor out of the worktree", () => {
    write("secret", "s");
    symlinkSync(join(folder, "secret"), join(folder, "main/link"));
    expect(bring("one", { copy: ["link"] })).toEqual({
      ok: false,
      failure: because("leads-out", { how: "copy", path: "link", of: "project" }),
    });
    write("main/sub/file", "x");
    symlinkSync(folder, join(folder, "one/sub"));
    const out = {
      ok: false,
      failure: because("leads-out", { how: "copy", path: "sub/file", of: "worktree" }),
    };
    expect(bring("one", { copy: ["sub/file"] })).toEqual(out);
    expect(existsSync(join(folder, "file"))).toBe(false);
    // Nor does what an agent has put in the place of a folder that was brought.
    brought(PATHS);
    mkdirSync(join(folder, "elsewhere"));
    rmSync(join(folder, "one/conf"), { recursive: true });
    mkdirSync(join(folder, "one/conf"));
    symlinkSync(join(folder, "elsewhere"), join(folder, "one/conf/a"));
    write("main/conf/a/deep/one", "1 anew");
    expect(bring("one", PATHS)).toEqual({
      ok: false,
      failure: because("leads-out", { how: "copy", path: "conf", of: "worktree" }),
    });
    expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
  });
});

describe("a worktree made ready", () => {
  it("is set up once for the same lockfile, and again for another", async () => {
    for (const name of ["one", "two"]) write(`${name}/package-lock.json`, "{}");
    expect(await ready("one", { setup: ["install"] })).toBeUndefined();
    expect(await ready("two", { setup: ["install"] })).toBeUndefined();
    expect(ran).toEqual(["install in one"]);
    expect(readFileSync(join(folder, "two/node_modules/made"), "utf8")).toBe("install");
    writeFileSync(join(folder, "two/node_modules/made"), "changed");
    rmSync(join(folder, "one"), { recursive: true });
    write("one/package-lock.json", "{}");
    await ready("one", { setup: ["install"] });
    expect(readFileSync(join(folder, "one/node_modules/made"), "utf8")).toBe("install");
    rmSync(join(folder, "two"), { recursive: true });
    write("two/package-lock.json", '{"lockfileVersion":3}');
    await ready("two", { setup: ["install"] });
    expect(ran).toEqual(["install in one", "install in two"]);
  });

  it.each(["src/new.txt", "src/old.txt", "deep/node_modules/x", "top.txt"])(
    "is set up every time where the setup does more than make folders: %s",
    async path => {
      for (const name of ["one", "two"]) {
        write(`${name}/package-lock.json`, "{}");
        write(`${name}/src/old.txt`, "old");
        write(`${name}/deep/file`, "x");
      }
      const run = async (_: string, cwd: string) => {
        mkdirSync(join(cwd, "node_modules"), { recursive: true });
        mkdirSync(dirname(join(cwd, path)), { recursive: true });
        writeFileSync(join(cwd, path), "generated");
        return undefined;
      };
      for (const name of ["one", "two"]) {
        expect(await ready(name, { setup: ["install"], run })).toBeUndefined();
        expect(readFileSync(join(folder, name, path), "utf8")).toBe("generated");
      }
    },
  );

  it("is set up every time where no lockfile says what is needed, and tells what failed", async () => {
    await ready("one", { setup: ["install"] });
    await ready("two", { setup: ["install"] });
    expect(ran).toHaveLength(2);
    expect(await ready("one", { setup: ["fail", "never"] })).toEqual(saidBy("command", "exit 1"));
    expect(ran.at(-1)).toBe("fail in one");
  });
});
