import { isAsBefore } from "../../sync/index.ts";
import { matchesPath } from "../../text/index.ts";
import {
  type Edit,
  nodeName,
  pathOf,
  restate,
  type Tree,
  type TreeNode,
  type TreeRows,
} from "../../tree/index.ts";
import { type ContextWork, joinSteps } from "../shared/index.ts";
import type { DocumentFiles } from "./files.ts";
import { asChange, hangDocument } from "./grow-tree.ts";
import type { Library } from "./library.ts";
import { freeLabel } from "./refresh.ts";

/** What tells which files an attempt changed: the commit of its work, or, where there is no git, the folder it worked in. */
export interface Work {
  readonly commit?: string | undefined;
  readonly files?: DocumentFiles | undefined;
}

/** Which declared files an attempt made or changed. */
interface Changes {
  /** Of those that hang already. */
  has(label: string, path: string): boolean;
  /** Of those that patterns of a node name. */
  named(node: TreeNode, patterns: readonly string[]): readonly string[];
}

/**
 * Notes that declared files are an attempt's work: what they say since is no person's word. Without git that is known of files that
 * were read before, and of new ones that its node declares.
 */
export function noteEdits(
  library: Library,
  { commit, files }: Work,
  reads: string,
  by: Omit<Edit, "at">,
): ContextWork | undefined {
  if (commit === undefined && files === undefined) return undefined;
  return now => {
    const tree = library.tree(now);
    if (tree === undefined) return undefined;
    const committed = commit === undefined ? undefined : library.changed?.(commit);
    const changes =
      committed !== undefined
        ? inCommit(committed.flatMap(({ path, status }) => (status === "deleted" ? [] : [path])))
        : files !== undefined
          ? inFolder(library, files, tree.nodes.get(reads) ?? tree.root)
          : undefined;
    if (changes === undefined) return undefined;
    const edited = { ...by, at: now };
    const known = restate(tree, ({ label, source, withdrawn }) =>
      source.kind === "file" && !withdrawn && changes.has(label, source.path)
        ? { ...source, edited }
        : undefined,
    );
    const steps = [known, ...hungNew(library, tree, changes, edited)].flatMap(rows => {
      const change = asChange(rows);
      return change === undefined ? [] : [{ rows: change }];
    });
    return joinSteps(steps);
  };
}

function inCommit(paths: readonly string[]): Changes {
  const changed = new Set(paths);
  return {
    has: (_, path) => changed.has(path),
    named: (_, patterns) => paths.filter(path => patterns.some(pattern => matchesPath(pattern, path))),
  };
}

/** What is not as it was when it was read last, on whatever node, and what is new on those that the attempt read. */
function inFolder(library: Library, files: DocumentFiles, end: TreeNode): Changes {
  const read = new Set(pathOf(end));
  return {
    has(label, path) {
      const lead = library.shared.lead(label);
      const text = files.read(path);
      return (
        lead.ok && lead.value !== undefined && text.ok && !isAsBefore(lead.value, `file ${path}`, text.value)
      );
    },
    named: (node, patterns) =>
      read.has(node)
        ? patterns.flatMap(pattern => {
            const paths = files.list(pattern);
            return paths.ok ? paths.value : [];
          })
        : [],
  };
}

/** Hangs files that hang nowhere yet on the nodes that declare them. */
function hungNew(library: Library, tree: Tree, changes: Changes, edited: Edit): TreeRows[] {
  return library.plan().contextNodes.flatMap(({ id, shared = [], documents = [] }) => {
    const node = tree.nodes.get(nodeName(id));
    if (node === undefined) return [];
    const known = new Set(
      [...node.shared, ...node.own].flatMap(({ source }) => (source.kind === "file" ? [source.path] : [])),
    );
    const hang = (place: "shared" | "own", path: string): TreeRows[] => {
      if (known.has(path)) return [];
      known.add(path);
      const source = { kind: "file", path, edited } as const;
      const hung = hangDocument(tree, id, { label: freeLabel(library, tree, path), source, place });
      return "unhung" in hung ? [] : [hung];
    };
    return [
      ...changes.named(node, shared).flatMap(path => hang("shared", path)),
      ...changes.named(node, documents).flatMap(path => hang("own", path)),
    ];
  });
}
