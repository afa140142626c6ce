import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ReadyOptions, readyWorktree } from "../../src/adapters/local/ready-worktree.ts";

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
const ready = (to: string, more: Partial<ReadyOptions> = {}) =>
  readyWorktree({
    from: join(folder, "main"),
    to: join(folder, to),
    copy: [],
    link: [],
    setup: [],
    cache: join(folder, "cache"),
    run: async (command, cwd) => {
      ran.push(`${command} in ${cwd.slice(folder.length + 1)}`);
      mkdirSync(join(cwd, "node_modules"), { recursive: true });
      writeFileSync(join(cwd, "node_modules", "made"), command);
      return command === "fail" ? "exit 1" : undefined;
    },
    ...more,
  });

describe("a worktree made ready", () => {
  it("gets copies and links of what is there, and keeps what it has", async () => {
    write("main/.env", "SECRET");
    write("main/data/big", "big");
    write("main/own.txt", "main's");
    write("one/own.txt", "its own");
    expect(await ready("one", { copy: [".env", "own.txt", "missing"], link: ["data"] })).toBeUndefined();
    expect(readFileSync(join(folder, "one/.env"), "utf8")).toBe("SECRET");
    expect(readFileSync(join(folder, "one/own.txt"), "utf8")).toBe("its own");
    expect(lstatSync(join(folder, "one/data")).isSymbolicLink()).toBe(true);
    writeFileSync(join(folder, "one/.env"), "changed");
    expect(readFileSync(join(folder, "main/.env"), "utf8")).toBe("SECRET");
  });

  it("refuses what leads out of the project or out of the worktree", async () => {
    write("secret", "s");
    symlinkSync(join(folder, "secret"), join(folder, "main/link"));
    expect(await ready("one", { copy: ["link"] })).toContain("leads out of the project");
    write("main/sub/file", "x");
    symlinkSync(folder, join(folder, "one/sub"));
    expect(await ready("one", { copy: ["sub/file"] })).toContain("would leave the worktree");
    expect(existsSync(join(folder, "file"))).toBe(false);
  });

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
    expect(await ready("one", { setup: ["fail", "never"] })).toBe("worktree.setup: fail: exit 1");
    expect(ran.at(-1)).toBe("fail in one");
  });
});
