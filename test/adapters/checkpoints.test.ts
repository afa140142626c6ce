import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { filesOfCommits } from "../../src/adapters/checkpoints/commit-files.ts";
import {
  localKeeper,
  mendCheckpoints,
  openCheckpoints,
  storeCheckpoint,
  storeIndex,
} from "../../src/adapters/checkpoints/index.ts";
import { temporaryName } from "../../src/adapters/file/index.ts";
import { createCheckpoint, rebuild, writeIndex } from "../../src/checkpoint/index.ts";
import { CREATED, chain, must, small } from "../checkpoint/documents.ts";
import { scratchFolder } from "../scratch.ts";

let root: string;
let path: string;
const GIT = "/usr/bin/git";

beforeEach(() => {
  root = scratchFolder("espalier-chk-");
  path = join(root, "checkpoints");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it("removing nothing where no folder is fails at nothing, and makes none", () => {
  expect(openCheckpoints(path).remove([])).toEqual({ ok: true, value: undefined });
  expect(existsSync(path)).toBe(false);
});

function fill(files: Readonly<Record<string, string>>): void {
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(path, file, ".."), { recursive: true });
    writeFileSync(join(path, file), text);
  }
}

const codes = () =>
  openCheckpoints(path)
    .read()
    .history.problems.map(({ code }) => code);
const keeper = () => localKeeper({ path, root, env: process.env, git: GIT, locale: "en", recent: 5 });
const request = {
  work: "### Current State\n\nOn.\n",
  created: CREATED,
  anchor: "run#1",
  headline: "On demand",
};

describe("a folder of checkpoints", () => {
  it("is empty where there is none, and nothing is made by looking", () => {
    const { history } = openCheckpoints(path).read();
    expect(history).toMatchObject({ order: [], problems: [] });
    expect(existsSync(path)).toBe(false);
  });

  it("is made private, and files in it are written whole", () => {
    const folder = openCheckpoints(path);
    must(folder.put("chk-001.md", "text"));
    expect(must(folder.text("chk-001.md"))).toBe("text");
    expect(readdirSync(path)).toEqual(["chk-001.md"]);
    expect(folder.text("nothing.md").ok).toBe(false);
  });

  it("tells what cannot be read: links, folders, bytes that are no text", () => {
    fill(chain(2));
    writeFileSync(join(root, "secret.md"), "secret");
    symlinkSync(join(root, "secret.md"), join(path, "chk-007.md"));
    mkdirSync(join(path, "chk-008.md"));
    writeFileSync(join(path, "chk-009.md"), Buffer.from([0x61, 0xff]));
    writeFileSync(join(path, "delta-what.md"), "no head\n");
    const { history } = openCheckpoints(path).read();
    const unreadable = history.problems
      .filter(({ code }) => code === "UNREADABLE")
      .map(({ about }) => about[0]);
    expect(new Set(unreadable)).toEqual(new Set(["chk-007.md", "chk-008.md", "chk-009.md", "delta-what.md"]));
    expect(history.order).toEqual(["chk-001", "chk-002"]);
  });

  it("does not follow a link in its own place", () => {
    mkdirSync(join(root, "elsewhere"));
    symlinkSync(join(root, "elsewhere"), path);
    expect(openCheckpoints(path).put("chk-001.md", "x").ok).toBe(false);
    expect(readdirSync(join(root, "elsewhere"))).toEqual([]);
  });

  it("reads what lies in the archive, and rebuilds from it", () => {
    const files = chain(3);
    fill(Object.fromEntries(Object.entries(files).map(([file, text]) => [`archive/${file}`, text])));
    const { history, texts } = openCheckpoints(path).read();
    expect(history.current).toBeUndefined();
    expect(must(rebuild(history, "chk-003", texts)).text).toBe(files["chk-003.md"]);
  });

  it("knows when its table of contents is old", () => {
    fill(chain(2));
    expect(codes()).toEqual(["INDEX"]);
    const folder = openCheckpoints(path);
    must(storeIndex(folder));
    expect(codes()).toEqual([]);
    writeFileSync(join(path, "INDEX.md"), `${readFileSync(join(path, "INDEX.md"), "utf8")}x`);
    expect(codes()).toEqual(["INDEX"]);
    must(storeIndex(folder));
    expect(readFileSync(join(path, "INDEX.md"), "utf8")).toBe(writeIndex(folder.read().history));
  });
});

describe("mending", () => {
  /** The files of a stored checkpoint, in the order they are written. */
  function stored(): { files: Record<string, string>; added: [string, string][] } {
    const files = chain(3);
    fill(files);
    const folder = openCheckpoints(path);
    must(storeIndex(folder));
    const { history, texts } = folder.read();
    const made = must(createCheckpoint(history, texts, request));
    return {
      files,
      added: [
        [made.file, made.text],
        [made.delta!.file, made.delta!.text],
      ],
    };
  }

  it.each([0, 1, 2])("makes again what a crash left out after %i files", count => {
    const { added } = stored();
    for (const [file, text] of added.slice(0, count)) writeFileSync(join(path, file), text);
    writeFileSync(temporaryName(path), "half");
    const folder = openCheckpoints(path);
    const mended = mendCheckpoints(folder, "en");
    expect(mended.failed).toEqual([]);
    const { history, texts } = folder.read();
    expect(history.problems).toEqual([]);
    expect(readdirSync(path).filter(name => name.endsWith(".tmp"))).toEqual([]);
    expect(history.order).toHaveLength(count === 0 ? 3 : 4);
    for (const id of history.order) expect(rebuild(history, id, texts).ok).toBe(true);
    expect(mendCheckpoints(folder, "en")).toEqual({ done: [], failed: [] });
  });

  it("changes nothing that somebody wrote", () => {
    const files = { ...chain(2), "chk-003.md": small("chk-003", "chk-001", "fork"), "notes.txt": "mine" };
    fill(files);
    mendCheckpoints(openCheckpoints(path), "en");
    for (const [file, text] of Object.entries(files))
      expect(readFileSync(join(path, file), "utf8")).toBe(text);
  });

  it("stores a checkpoint so that the folder is whole", () => {
    const { added } = stored();
    const folder = openCheckpoints(path);
    const { history, texts } = folder.read();
    must(storeCheckpoint(folder, must(createCheckpoint(history, texts, request))));
    expect(readFileSync(join(path, added[0]![0]), "utf8")).toBe(added[0]![1]);
    expect(codes()).toEqual([]);
  });
});

describe("the keeper", () => {
  it("keeps one after the other, each with its delta", () => {
    const one = keeper();
    expect(one.latest()).toEqual({ exists: false });
    expect(must(one.keep(request)).id).toBe("chk-001");
    expect(one.latest()).toMatchObject({ exists: true, anchor: "run#1" });
    expect(one.latest().text).toMatch(/^---\ncheckpoint: chk-001\n/);
    expect(must(one.keep({ ...request, anchor: "run#9" })).delta?.file).toBe("delta-001-002.md");
    expect(one.latest().anchor).toBe("run#9");
    expect(codes()).toEqual([]);
  });

  it("takes a parent that is kept here, and the current one for another", () => {
    const one = keeper();
    for (const anchor of ["a#1", "a#2", "a#3"]) must(one.keep({ ...request, anchor }));
    expect(must(one.keep({ ...request, parent: "elsewhere" })).text).toContain("parent: chk-003\n");
    expect(must(one.keep({ ...request, parent: "chk-002" })).text).toContain(
      "parent: chk-002\nstatus: active\nsupersedes: chk-004\n",
    );
  });

  it("mends what a crash left before it keeps", () => {
    const { "delta-002-003.md": _, ...files } = chain(3);
    fill(files);
    must(keeper().keep(request));
    expect(codes()).toEqual([]);
    expect(existsSync(join(path, "delta-002-003.md"))).toBe(true);
  });

  it("says why it cannot", () => {
    writeFileSync(path, "a file in the folder's place");
    expect(keeper().keep(request).ok).toBe(false);
  });
});

describe.skipIf(!existsSync(GIT))("files of commits", () => {
  const git = (...args: string[]) =>
    execFileSync(GIT, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  function commit(change: () => void): string {
    change();
    git("add", "-A");
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x");
    return git("rev-parse", "HEAD");
  }
  const found = (...commits: string[]) =>
    filesOfCommits(GIT, root, process.env, commits).map(({ path: file, status }) => `${status} ${file}`);

  it("are created, modified and deleted ones, the last word counting", () => {
    git("init", "-q");
    const first = commit(() => {
      writeFileSync(join(root, "a.ts"), "1");
      writeFileSync(join(root, "ü b.ts"), "1");
      writeFileSync(join(root, "brief.ts"), "1");
    });
    const second = commit(() => {
      writeFileSync(join(root, "a.ts"), "2");
      rmSync(join(root, "brief.ts"));
    });
    expect(found(first)).toEqual(["created a.ts", "created brief.ts", "created ü b.ts"]);
    expect(found(second)).toEqual(["modified a.ts", "deleted brief.ts"]);
    expect(found(first, second)).toEqual(["created a.ts", "created ü b.ts"]);
  });

  it("are none without git, without a repository, and for what is no commit", () => {
    expect(filesOfCommits(undefined, root, process.env, ["a".repeat(40)])).toEqual([]);
    expect(found("a".repeat(40))).toEqual([]);
    expect(found("--output=/tmp/x", "HEAD", "")).toEqual([]);
  });
});
