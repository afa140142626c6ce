import { deepStrictEqual, ok as isTrue, strictEqual } from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Result, Vcs, VcsFailure, WorkFolder } from "../ports/index.ts";
import type { ConformanceCase } from "./store.ts";

/** One repository with a commit on its target branch, in which `file` holds one line. */
export interface VcsPlace {
  readonly vcs: Vcs;
  readonly target: string;
  /** A tracked file at the top. */
  readonly file: string;
  /** A path beside the repository where nothing is yet. */
  readonly beside: (name: string) => string;
  readonly dispose: () => void | Promise<void>;
}

/** What an adapter's author hands to the suite. */
export interface VcsSetup {
  /** Makes a new place; called once for each case. */
  readonly place: () => Promise<VcsPlace>;
}

interface Rule {
  readonly name: string;
  check(place: VcsPlace): Promise<void>;
}

function good<T>(result: Result<T, VcsFailure>): T {
  isTrue(result.ok, result.ok ? "" : JSON.stringify(result.failure.reason));
  return result.value;
}

const never = async (): Promise<undefined> => undefined;

async function open({ vcs, target, beside }: VcsPlace, branch: string, from = target): Promise<WorkFolder> {
  return good(await vcs.open({ branch, path: beside(branch.replaceAll("/", "-")), from }));
}

async function land({ vcs }: VcsPlace, folder: WorkFolder, into: WorkFolder, attempt: string) {
  const { tree } = good(await vcs.snapshot(folder));
  const by = { task: `of ${attempt}`, title: "title", attempt, verified: true };
  return good(await vcs.land({ folder, tree, by, into, how: "rebase", verify: never }));
}

function put(folder: WorkFolder, name: string, text: string): void {
  writeFileSync(join(folder.path, name), text);
}

const RULES: readonly Rule[] = [
  {
    name: "[V1] a branch's folder is made once and found again, with what stands in it",
    async check(place) {
      const first = await open(place, "phase/1");
      put(first, "new", "x");
      deepStrictEqual(await open(place, "phase/1"), first);
      strictEqual(readFileSync(join(first.path, "new"), "utf8"), "x");
    },
  },
  {
    name: "[V2] equal content has equal snapshots, and a snapshot can be put back",
    async check(place) {
      const folder = await open(place, "phase/1");
      put(folder, "new", "x");
      const one = good(await place.vcs.snapshot(folder));
      deepStrictEqual(one.changed, ["new"]);
      put(folder, place.file, "spoilt");
      isTrue(good(await place.vcs.snapshot(folder)).tree !== one.tree);
      good(await place.vcs.restore(folder, one.tree));
      deepStrictEqual(good(await place.vcs.snapshot(folder)), one);
    },
  },
  {
    name: "[V3] an attempt's work lands once, however often it is asked, and can be found",
    async check(place) {
      const into = await open(place, "phase/1");
      const own = await open(place, "task/1", "phase/1");
      put(own, "new", "x");
      const first = await land(place, own, into, "a1");
      deepStrictEqual(await land(place, own, into, "a1"), first);
      const found = good(await place.vcs.attemptsIn("phase/1"));
      deepStrictEqual(
        found.map(({ attempt, task }) => [attempt, task]),
        [["a1", "of a1"]],
      );
      strictEqual(readFileSync(join(into.path, "new"), "utf8"), "x");
    },
  },
  {
    name: "[V4] what two changed in ways that cannot both stand is a conflict with both sides",
    async check(place) {
      const into = await open(place, "phase/1");
      const [one, two] = [await open(place, "task/1", "phase/1"), await open(place, "task/2", "phase/1")];
      put(one, place.file, "first\n");
      put(two, place.file, "second\n");
      await land(place, one, into, "a1");
      const landed = await land(place, two, into, "a2");
      isTrue(landed.kind === "conflict");
      const [conflict] = landed.files;
      strictEqual(conflict?.path, place.file);
      isTrue(conflict.sides.includes("first") && conflict.sides.includes("second"));
      const again = await open(place, "task/2", "phase/1");
      deepStrictEqual(good(await place.vcs.snapshot(again)).unresolved, [place.file]);
    },
  },
  {
    name: "[V5] a folder goes, and what stood nowhere else is saved and named",
    async check(place) {
      const folder = await open(place, "task/1");
      put(folder, "loose", "x");
      const request = { ...folder, heldBy: [place.target], deleteBranch: true };
      const gone = good(await place.vcs.retire(request));
      isTrue(gone.branch !== undefined && !existsSync(folder.path));
      deepStrictEqual(good(await place.vcs.branches(place.target)), []);
    },
  },
  {
    name: "[V6] a branch joins the target once",
    async check(place) {
      const folder = await open(place, "phase/1");
      put(folder, "new", "x");
      await land(place, folder, folder, "a1");
      const request = { branch: "phase/1", into: place.target, message: "join" };
      const first = good(await place.vcs.merge(request));
      isTrue(first.kind === "merged" && !first.already);
      const second = good(await place.vcs.merge(request));
      deepStrictEqual(second, { kind: "merged", commit: first.commit, already: true });
      deepStrictEqual(good(await place.vcs.branches(place.target)), [{ branch: "phase/1", held: true }]);
    },
  },
  {
    name: "[V7] unlanded work can be moved out of a shared folder onto a branch of its own",
    async check(place) {
      const folder = await open(place, "phase/1");
      put(folder, "half", "x");
      deepStrictEqual(good(await place.vcs.setAside(folder, "task/1")), { branch: "task/1" });
      deepStrictEqual(good(await place.vcs.snapshot(folder)).changed, []);
      const own = await open(place, "task/1", "phase/1");
      strictEqual(readFileSync(join(own.path, "half"), "utf8"), "x");
      good(await place.vcs.inspect());
    },
  },
  {
    name: "[V8] work that no other branch holds does not go with its own",
    async check(place) {
      const folder = await open(place, "phase/1");
      put(folder, "new", "x");
      await land(place, folder, folder, "a1");
      const request = { ...folder, heldBy: [place.target], deleteBranch: true };
      const { branch = folder.branch } = good(await place.vcs.retire(request));
      const found = good(await place.vcs.attemptsIn(branch));
      deepStrictEqual(
        found.map(({ attempt }) => attempt),
        ["a1"],
      );
    },
  },
  {
    name: "[V9] lines that two inserted at one place stand in the order they landed, where that may be",
    async check(place) {
      const into = await open(place, "phase/1");
      const [one, two] = [await open(place, "task/1", "phase/1"), await open(place, "task/2", "phase/1")];
      const was = readFileSync(join(into.path, place.file), "utf8");
      put(one, place.file, `${was}first\n`);
      put(two, place.file, `${was}second\n`);
      await land(place, one, into, "a1");
      const { tree } = good(await place.vcs.snapshot(two));
      const by = { task: "two", title: "title", attempt: "a2", verified: true };
      const landed = good(
        await place.vcs.land({
          folder: two,
          tree,
          by,
          into,
          how: "rebase",
          inserts: "proved",
          verify: never,
        }),
      );
      isTrue(landed.kind === "landed");
      deepStrictEqual(
        landed.joined?.map(({ path, others }) => [path, others]),
        [[place.file, ["of a1"]]],
      );
      strictEqual(readFileSync(join(into.path, place.file), "utf8"), `${was}first\nsecond\n`);
    },
  },
  {
    name: "[V10] a folder that is opened anew stands on its base, and what stood there is kept",
    async check(place) {
      const { vcs, target, beside } = place;
      const request = { branch: "task/1", path: beside("task-1"), from: target };
      const first = good(await vcs.open(request));
      put(first, "half", "x");
      put(first, place.file, "spoilt");
      const again = good(await vcs.open({ ...request, anew: "of-one" }));
      isTrue(again.left?.kind === "kept");
      strictEqual(again.base, first.base);
      deepStrictEqual(good(await vcs.snapshot(again)).changed, []);
      strictEqual(good(await vcs.open({ ...request, anew: "of-one" })).left, undefined);
    },
  },
  {
    name: "[V11] proved work is found again in its folder, and not once the folder stands on something else",
    async check(place) {
      const folder = await open(place, "phase/1");
      put(folder, "new", "x");
      const { tree } = good(await place.vcs.snapshot(folder));
      const by = { task: "one", title: "title", attempt: "a1", verified: true };
      const commit = good(await place.vcs.noteProved(folder, tree, by));
      put(folder, "more", "y");
      const found = good(await place.vcs.findProved(folder, commit));
      deepStrictEqual(
        [found?.snapshot.tree, found?.snapshot.changed, found?.verified],
        [tree, ["new"], true],
      );
      isTrue(!existsSync(join(folder.path, "more")));
      await land(place, folder, folder, "a2");
      const later = await open(place, "phase/1");
      strictEqual(good(await place.vcs.findProved(later, commit)), undefined);
    },
  },
  {
    name: "[V60] a branch is brought up to what its source has become, with what is open in its folder",
    async check(place) {
      const { vcs, target } = place;
      const [phase, other] = [await open(place, "phase/1"), await open(place, "task/1")];
      put(other, "theirs", "x");
      await land(place, other, other, "a1");
      put(phase, "open", "y");
      strictEqual(good(await vcs.holds("phase/1", "task/1")), false);
      const brought = good(await vcs.bringUp(phase, "task/1"));
      strictEqual(good(await vcs.holds("phase/1", "task/1")), true);
      isTrue(brought.kind === "brought");
      const now = await open(place, "phase/1");
      deepStrictEqual([now.base, readFileSync(join(now.path, "theirs"), "utf8")], [brought.base, "x"]);
      deepStrictEqual(good(await vcs.snapshot(now)).changed, ["open"]);
      strictEqual(good(await vcs.bringUp(now, target)).kind, "current");
    },
  },
  {
    name: "[V60] a branch that does not join its source stays as it is, and the files are named",
    async check(place) {
      const [phase, other] = [await open(place, "phase/1"), await open(place, "task/1")];
      put(other, place.file, "theirs");
      await land(place, other, other, "a1");
      put(phase, place.file, "open");
      const brought = good(await place.vcs.bringUp(phase, "task/1"));
      deepStrictEqual(brought, { kind: "conflict", paths: [place.file], base: phase.base });
      deepStrictEqual(await open(place, "phase/1"), phase);
      strictEqual(readFileSync(join(phase.path, place.file), "utf8"), "open");
    },
  },
  {
    name: "[V61] proved work that is to be proved anew is joined with the newest of its source",
    async check(place) {
      const { vcs } = place;
      const [phase, task] = [await open(place, "phase/1"), await open(place, "task/1", "phase/1")];
      put(task, "new", "x");
      const { tree } = good(await vcs.snapshot(task));
      const by = { task: "one", title: "title", attempt: "a1", verified: false };
      const commit = good(await vcs.noteProved(task, tree, by));
      put(phase, "theirs", "y");
      await land(place, phase, phase, "a2");
      const source = { from: "phase/1", holds: "phase/1" };
      const found = good(await vcs.findProved(task, commit, source));
      deepStrictEqual([found?.snapshot.changed, found?.verified], [["new"], false]);
      strictEqual(found?.base, (await open(place, "phase/1")).base);
      strictEqual(readFileSync(join(task.path, "theirs"), "utf8"), "y");
    },
  },
];

/** Every requirement of the Vcs port, as cases for any test runner. */
export function vcsConformance(setup: VcsSetup): readonly ConformanceCase[] {
  return RULES.map(({ name, check }) => ({
    name,
    run: async () => {
      const place = await setup.place();
      try {
        await check(place);
      } finally {
        await place.dispose();
      }
    },
  }));
}
