import { lstatSync } from "node:fs";
import type { Strayed } from "../../../../ports/index.ts";
import type { Difference } from "./difference.ts";

/**
 * What a run knows of its repository without asking git again. Only what cannot change: the tree of a commit, the attempt it
 * was made for, the tree of an index file that nobody has written since.
 */
export interface Memory {
  /** Remembers a commit that was made here. */
  noteCommit(commit: string, tree: string, attempt?: string): void;
  /** The tree of a commit, where it is known; any other name is answered with itself. */
  treeNamed(name: string): string;
  /** The attempt a commit was made for; undefined where that is not known. */
  attemptOf(commit: string): string | undefined;
  /** Remembers what differs between two trees; of all that were compared, only the last ones. */
  noteDifferences(from: string, to: string, differences: readonly Difference[]): void;
  differences(from: string, to: string): readonly Difference[] | undefined;
  /** Remembers what an index holds as it stands now. */
  noteIndex(path: string, tree: string): void;
  /** The tree of an index; undefined when it was written since, or was never noted. */
  indexTree(path: string): string | undefined;
  /** Whoever is about to remove a folder asks git again. */
  forgetIndex(path: string): void;
  /** Something that was named is not there, as where somebody pruned it: git is asked again what each index holds. */
  forgetIndexes(): void;
  /** The attempts that a branch holds at a commit; undefined where that was not read. */
  landedOn(ref: string, tip: string): ReadonlyMap<string, string> | undefined;
  noteLanded(ref: string, tip: string, landed: ReadonlyMap<string, string>): void;
  /** A ref stands here by no doing of ours, as far as is not known otherwise; says how somebody else moved it, where that is so. */
  sawRef(ref: string, tip: string | undefined): Strayed | undefined;
  /** We moved a ref. */
  movedRef(ref: string, from: string | undefined, to: string | undefined): void;
  /** What people keep here, as it was seen last; undefined where nobody has looked. */
  keptRefs(): KeptRefs | undefined;
  noteKept(kept: KeptRefs): void;
  /** Refs are about to go by us: nobody misses them. Returns what takes that back. */
  letGo(refs: readonly string[]): () => void;
  /** Where a ref stood when it was first looked at. */
  firstSeen(ref: string): string | undefined;
  /** One more attempt has landed: the branch went from one commit to another, with its work in `work`. */
  addLanded(ref: string, from: string, to: string, attempt: string, work?: string): void;
  /** The note of the work that began last in the main checkout, if it was noted here. */
  begun(): string | undefined;
  noteBegun(note: string): void;
  /** A tree of the main checkout was sealed while this commit was its tip. */
  noteSealed(tree: string, tip: string): void;
  /** That commit; undefined where the tree was not sealed here. */
  sealedOn(tree: string): string | undefined;
  /** What is known of how a file came to what it is. */
  growthOf(path: string): Growth | undefined;
  noteGrowth(path: string, growth: Growth): void;
  /** Whether one commit says all that another does; undefined where that was not asked. */
  contained(tip: string, into: string): boolean | undefined;
  noteContained(tip: string, into: string, isContained: boolean): void;
}

/** How a file came to what it is at a commit. */
export interface Growth {
  readonly tip: string;
  /** That touched it. */
  readonly commits: number;
  /** Whether none of them removed or changed a line. */
  readonly onlyGrew: boolean;
}

/** The time of the last change of its facts cannot be set back by anybody. */
function stampOf(path: string): string | undefined {
  const facts = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return facts === undefined ? undefined : `${facts.ino}:${facts.size}:${facts.ctimeNs}`;
}

/** What people keep in a repository: refs with the object that each names, stashed work with what its entry says. */
export interface KeptRefs {
  readonly refs: Map<string, string>;
  readonly stashed: Map<string, string>;
}

/** A ref that is watched. */
interface SeenRef {
  readonly first: string | undefined;
  /** Where it was seen last, or where we moved it. */
  tip: string | undefined;
  /** How somebody else had moved it before we moved it on. */
  strayed?: Strayed;
}

/** Comparisons that are remembered. */
const COMPARED = 4;
/** Trees of which it is remembered what they were sealed on: of one attempt there are several while it is reviewed. */
const SEALED = 16;
/** Pairs of commits of which it is remembered whether one says all that the other does. */
const CONTAINED = 256;

/** An empty memory. */
export function createMemory(): Memory {
  const commits = new Map<string, { readonly tree: string; readonly attempt: string | undefined }>();
  const indexes = new Map<string, { readonly stamp: string | undefined; readonly tree: string }>();
  const branches = new Map<string, { tip: string; readonly landed: Map<string, string> }>();
  const compared = new Map<string, readonly Difference[]>();
  const refs = new Map<string, SeenRef>();
  const grown = new Map<string, Growth>();
  const sealed = new Map<string, string>();
  const within = new Map<string, boolean>();
  let begun: string | undefined;
  let kept: KeptRefs | undefined;
  return {
    begun: () => begun,
    noteBegun(note) {
      begun = note;
    },
    noteSealed(tree, tip) {
      sealed.delete(tree);
      sealed.set(tree, tip);
      const [oldest] = sealed.keys();
      if (sealed.size > SEALED && oldest !== undefined) sealed.delete(oldest);
    },
    sealedOn: tree => sealed.get(tree),
    growthOf: path => grown.get(path),
    noteGrowth(path, growth) {
      grown.set(path, growth);
    },
    contained: (tip, into) => within.get(`${tip} ${into}`),
    noteContained(tip, into, isContained) {
      within.set(`${tip} ${into}`, isContained);
      const [oldest] = within.keys();
      if (within.size > CONTAINED && oldest !== undefined) within.delete(oldest);
    },
    sawRef(ref, tip) {
      const known = refs.get(ref);
      refs.set(ref, { first: known === undefined ? tip : known.first, tip });
      if (known?.tip === undefined || known.tip === tip) return known?.strayed;
      return { from: known.strayed?.from ?? known.tip, to: tip };
    },
    keptRefs: () => kept,
    noteKept(found) {
      kept = found;
    },
    letGo(going) {
      const released = going.flatMap(ref => {
        const object = kept?.refs.get(ref);
        return object !== undefined && kept?.refs.delete(ref) === true ? [[ref, object] as const] : [];
      });
      return () => {
        for (const [ref, object] of released) kept?.refs.set(ref, object);
      };
    },
    movedRef(ref, from, to) {
      const known = refs.get(ref);
      if (known === undefined) return;
      if (known.tip !== undefined && known.tip !== from)
        known.strayed = { from: known.strayed?.from ?? known.tip, to: from };
      known.tip = to;
    },
    firstSeen: ref => refs.get(ref)?.first,
    noteDifferences(from, to, differences) {
      compared.set(`${from} ${to}`, differences);
      const [oldest] = compared.keys();
      if (compared.size > COMPARED && oldest !== undefined) compared.delete(oldest);
    },
    differences: (from, to) => compared.get(`${from} ${to}`),
    noteCommit(commit, tree, attempt) {
      commits.set(commit, { tree, attempt: attempt ?? commits.get(commit)?.attempt });
    },
    treeNamed: name => commits.get(name)?.tree ?? name,
    attemptOf: commit => commits.get(commit)?.attempt,
    noteIndex(path, tree) {
      indexes.set(path, { stamp: stampOf(path), tree });
    },
    indexTree(path) {
      const known = indexes.get(path);
      return known?.stamp !== undefined && known.stamp === stampOf(path) ? known.tree : undefined;
    },
    forgetIndex(path) {
      indexes.delete(path);
    },
    forgetIndexes() {
      indexes.clear();
    },
    landedOn(ref, tip) {
      const known = branches.get(ref);
      return known?.tip === tip ? known.landed : undefined;
    },
    noteLanded(ref, tip, landed) {
      branches.set(ref, { tip, landed: new Map(landed) });
    },
    addLanded(ref, from, to, attempt, work = to) {
      const known = branches.get(ref);
      if (known?.tip !== from) return;
      known.tip = to;
      known.landed.set(attempt, work);
    },
  };
}
