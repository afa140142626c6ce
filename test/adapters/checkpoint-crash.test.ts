import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  type CheckpointFolder,
  localKeeper,
  mendCheckpoints,
  openCheckpoints,
  storeCheckpoint,
  storeIndex,
} from "../../src/adapters/checkpoints/index.ts";
import { createCheckpoint, rebuild, replay } from "../../src/checkpoint/index.ts";
import { toldText } from "../../src/text/index.ts";
import { CREATED, chain, must } from "../checkpoint/documents.ts";
import { scratchFolder } from "../scratch.ts";

let root: string;
let path: string;
beforeEach(() => {
  root = scratchFolder("espalier-crash-");
  path = join(root, "checkpoints");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const request = { work: "### Current State\n\nOn.\n", created: CREATED, headline: "Next", anchor: "run#9" };
const keeper = () => localKeeper({ path, root, env: {}, git: undefined, locale: "en", recent: 5 });

class PowerCut extends Error {}

/** A folder whose power is cut before its write number `left`. */
function cut(folder: CheckpointFolder, left: number): CheckpointFolder {
  const spend =
    <A extends unknown[], R>(act: (...args: A) => R) =>
    (...args: A): R => {
      if (left-- <= 0) throw new PowerCut();
      return act(...args);
    };
  return {
    ...folder,
    add: spend(folder.add),
    put: spend(folder.put),
    archive: spend(folder.archive),
    remove: spend(folder.remove),
  };
}

/** Whether the power was cut meanwhile; any other failure fails the test. */
function isCut(act: () => unknown): boolean {
  try {
    act();
    return false;
  } catch (error) {
    if (error instanceof PowerCut) return true;
    throw error;
  }
}

function fill(files: Readonly<Record<string, string>>): CheckpointFolder {
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  const folder = openCheckpoints(path);
  must(storeIndex(folder));
  return folder;
}

const all = () => new Map(readdirSync(path).map(file => [file, readFileSync(join(path, file), "utf8")]));

/** Everything fits together, and every state leads to every other. */
function expectWhole(count: number): void {
  const { history, texts } = openCheckpoints(path).read();
  expect(history.problems).toEqual([]);
  expect(history.order).toHaveLength(count);
  for (const id of history.order) expect(rebuild(history, id, texts).ok).toBe(true);
  const [first, last] = [history.order[0]!, history.order.at(-1)!];
  expect(must(replay(history, last, first, texts)).text).toBe(texts.state(first));
}

describe("a power cut while the first checkpoint is stored", () => {
  it.each([0, 1, 2])("after %i writes leaves it whole or not at all", writes => {
    const folder = openCheckpoints(path);
    const { history, texts } = folder.read();
    const created = must(createCheckpoint(history, texts, request));
    expect(isCut(() => must(storeCheckpoint(cut(folder, writes), created)))).toBe(writes < 2);
    mendCheckpoints(openCheckpoints(path), "en");
    expect(openCheckpoints(path).read().history.order).toEqual(writes === 0 ? [] : ["chk-001"]);
    expect(must(keeper().keep(request)).id).toBe(writes === 0 ? "chk-001" : "chk-002");
    expectWhole(writes === 0 ? 1 : 2);
  });
});

describe("a power cut between a checkpoint, its delta and the table of contents", () => {
  it.each([0, 1, 2, 3])("after %i writes is mended by the next run, which goes on", writes => {
    const files = chain(3);
    const folder = fill(files);
    const { history, texts } = folder.read();
    const created = must(createCheckpoint(history, texts, request));
    expect(isCut(() => must(storeCheckpoint(cut(folder, writes), created)))).toBe(writes < 3);
    const next = must(keeper().keep({ ...request, anchor: "run#10" }));
    expect(next.id).toBe(writes === 0 ? "chk-004" : "chk-005");
    expectWhole(writes === 0 ? 4 : 5);
    for (const [file, text] of Object.entries(files)) expect(all().get(file)).toBe(text);
    // The delta that is made again leads to the same bytes, whatever its sentence says.
    const hash = /to_hash: (\S+)/.exec(created.delta!.text)![1]!;
    const delta = all().get("delta-003-004.md");
    expect(all().get("chk-004.md") === created.text).toBe(writes > 0);
    expect(delta?.includes(`\nto_hash: ${hash}\n`)).toBe(writes > 0);
  });

  it("that strikes the mending as well is mended again", () => {
    const { "delta-001-002.md": _, "delta-002-003.md": __, "delta-003-004.md": ___, ...files } = chain(4);
    const kept = chain(4)["delta-001-002.md"]!;
    const folder = fill({ ...files, "delta-001-002.md": kept });
    let cuts = 0;
    for (let writes = 0; writes < 3; writes++)
      if (isCut(() => mendCheckpoints(cut(folder, writes), "en"))) cuts++;
    expect(cuts).toBeGreaterThan(0);
    expect(mendCheckpoints(folder, "en").failed).toEqual([]);
    expectWhole(4);
  });
});

describe("what lies in the way", () => {
  it("is never written over: a file under the next name gets a neighbour", () => {
    const folder = fill(chain(2));
    writeFileSync(join(path, "chk-003.md"), Buffer.from([0xff, 0xfe, 0x00]));
    expect(must(keeper().keep(request)).id).toBe("chk-004");
    expect([...readFileSync(join(path, "chk-003.md"))]).toEqual([0xff, 0xfe, 0x00]);
    expect(folder.read().history.problems.map(({ code }) => code)).toEqual(["UNREADABLE"]);
  });

  it("is never written over: neither by what is stored nor by mending", () => {
    const { "delta-001-002.md": _, ...files } = chain(2);
    const folder = fill(files);
    writeFileSync(join(path, "delta-001-002.md"), Buffer.from([0x61, 0xff]));
    const mended = mendCheckpoints(folder, "en");
    expect(mended.failed.map(one => toldText(one))).toEqual([
      "delta-001-002.md is there already, and stays as it is",
    ]);
    expect([...readFileSync(join(path, "delta-001-002.md"))]).toEqual([0x61, 0xff]);
    const { history, texts } = folder.read();
    const created = must(createCheckpoint(history, texts, request));
    writeFileSync(join(path, created.file), "mine");
    expect(storeCheckpoint(folder, created)).toEqual({
      ok: false,
      failure: "chk-003.md is there already, and stays as it is",
    });
    expect(readFileSync(join(path, "chk-003.md"), "utf8")).toBe("mine");
  });

  it("is not moved over in the archive", () => {
    const folder = fill(chain(2));
    mkdirSync(join(path, "archive"));
    writeFileSync(join(path, "archive/chk-001.md"), "older");
    expect(folder.archive("chk-001.md")).toEqual({
      ok: false,
      failure: "archive/chk-001.md is there already",
    });
    must(folder.archive("chk-002.md"));
    expect(readFileSync(join(path, "archive/chk-001.md"), "utf8")).toBe("older");
    expect(readdirSync(path)).toContain("chk-001.md");
  });
});

describe("a power cut while files go", () => {
  it.each([0, 1, 2, 3, 4, 5])("to the archive, after %i of them, loses none", moved => {
    const files = chain(3);
    const folder = fill(files);
    const going = cut(folder, moved);
    const moving = () => Object.keys(files).map(file => must(going.archive(file)));
    expect(isCut(moving)).toBe(moved < Object.keys(files).length);
    must(storeIndex(folder));
    const { history, texts } = folder.read();
    expect(history.problems).toEqual([]);
    for (const id of ["chk-001", "chk-002", "chk-003"]) {
      expect(texts.state(id)).toBe(files[`${id}.md`]);
      expect(must(rebuild(history, id, texts)).text).toBe(files[`${id}.md`]);
    }
  });
});
