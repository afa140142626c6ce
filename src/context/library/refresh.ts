import { isLabel } from "../../delta/index.ts";
import { isAsBefore, lastBy } from "../../sync/index.ts";
import { textHash } from "../../text/index.ts";
import {
  type PlacedDocument,
  pathOf,
  restate,
  type Tree,
  type TreeNode,
  type TreeRows,
  withdraw,
} from "../../tree/index.ts";
import { type ContextWork, together } from "../shared/index.ts";
import type { DocumentFiles, DocumentProblem } from "./files.ts";
import { asChange, hangDocument, type Unhung } from "./grow-tree.ts";
import { fileLabel } from "./labels.ts";
import type { Library } from "./library.ts";

/** A declared document that could not be read, and where it was to hang. */
export interface Unread {
  readonly node: string;
  readonly problem: DocumentProblem;
}

/** A file as it is now, on its node. */
interface Found {
  readonly path: string;
  readonly place: "shared" | "own";
  readonly text: string;
}

/**
 * Reads the declared files of a node's path as they are now: what is new hangs on its node from now on, what changed becomes a
 * new version of its label, and what is gone is taken back. Durable when it resolves.
 */
export async function refresh(
  library: Library,
  node: string,
  now: number,
  files: DocumentFiles | undefined = library.files,
): Promise<Unread[]> {
  if (!library.isGrown()) await library.ledger.commit(library.grow);
  const tree = library.tree(now);
  const end = tree?.nodes.get(node) ?? tree?.root;
  if (tree === undefined || end === undefined || files === undefined) return [];
  const unread: Unread[] = [];
  const given = new Map<string, string>();
  const works = pathOf(end).flatMap(on => {
    const found = filesOf(library, files, on, unread);
    return found === undefined ? [] : changes(library, tree, on, found, given);
  });
  if (works.length > 0) await library.ledger.commit(together(works));
  return unread;
}

/** The files a node declares; undefined where it declares none and holds none. */
function filesOf(
  library: Library,
  files: DocumentFiles,
  node: TreeNode,
  unread: Unread[],
): Found[] | undefined {
  const declared = library.declared(node.id);
  const holdsFiles = [...node.shared, ...node.own].some(({ source }) => source.kind === "file");
  if (declared === undefined && !holdsFiles) return undefined;
  const found = new Map<string, Found>();
  for (const place of ["shared", "own"] as const) {
    const patterns = (place === "shared" ? declared?.shared : declared?.documents) ?? [];
    for (const pattern of patterns) {
      const paths = files.list(pattern);
      if (!paths.ok) unread.push({ node: node.id, problem: paths.failure });
      for (const path of paths.ok ? paths.value : []) {
        if (found.has(path)) continue;
        const text = files.read(path);
        if (text.ok) found.set(path, { path, place, text: text.value });
        else unread.push({ node: node.id, problem: text.failure });
      }
    }
  }
  return [...found.values()];
}

/** What is new on a node; `given`: paths by the labels that were given on the way, of which the tree does not know yet. */
function changes(
  library: Library,
  tree: Tree,
  node: TreeNode,
  found: readonly Found[],
  given: Map<string, string>,
): ContextWork[] {
  const labels = new Map<string, string>();
  // Earlier versions gave files in folders such as `.github` labels that nothing can be published under.
  for (const { label, source } of [...node.shared, ...node.own])
    if (source.kind === "file" && isLabel(label)) labels.set(source.path, label);
  const present = new Set(found.map(({ path }) => path));
  const works: ContextWork[] = [];
  for (const { path, place, text } of found) {
    const label = labels.get(path) ?? freeLabel(library, tree, path, given);
    given.set(label, path);
    const by = `file ${path}`;
    const lead = library.shared.lead(label);
    // What others published since stays where the file has not changed.
    const isKnown = lead.ok && lead.value !== undefined && isAsBefore(lead.value, by, text);
    if (!isKnown && library.hashOf(label) !== textHash(text)) {
      const published = library.shared.work(label, {
        type: "publish",
        text,
        by,
        follows: true,
        outranks: true,
      });
      if (published.ok) works.push(published.value);
      // What an attempt had left there was read before: this is somebody else's.
      const last = lead.ok && lead.value !== undefined ? lastBy(lead.value, by) : undefined;
      if (last !== undefined)
        works.push(() =>
          rowsStep(
            restate(tree, ({ source }) =>
              source.kind === "file" && source.path === path && (source.edited?.at ?? last.at) < last.at
                ? { kind: "file", path }
                : undefined,
            ),
          ),
        );
    }
    const slot = node.slots.get(label);
    if (slot !== undefined && node[slot.place][slot.position]?.withdrawn === false) continue;
    works.push(() => rowsStep(hangDocument(tree, node.id, { label, source: { kind: "file", path }, place })));
  }
  const isGone = ({ node: on, document: { label, source } }: PlacedDocument) =>
    on === node && source.kind === "file" && !(present.has(source.path) && isLabel(label));
  const gone = [...node.shared, ...node.own].some(
    document => !document.withdrawn && isGone({ node, document }),
  );
  if (gone) works.push(() => rowsStep(withdraw(tree, (document, on) => isGone({ node: on, document }))));
  return works;
}

function rowsStep(rows: TreeRows | Unhung | undefined): ReturnType<ContextWork> {
  const change = rows === undefined || "unhung" in rows ? undefined : asChange(rows);
  return change === undefined ? undefined : { rows: change };
}

/** A label for a file that means nothing else; `given`: paths by labels that nothing is published under yet. */
export function freeLabel(
  library: Library,
  tree: Tree,
  path: string,
  given: ReadonlyMap<string, string> = new Map(),
): string {
  return fileLabel(path, label => (given.get(label) ?? path) !== path || isTaken(library, tree, label, path));
}

/** Whether a label means something else than this file. */
function isTaken(library: Library, tree: Tree, label: string, path: string): boolean {
  for (const node of tree.nodes.values()) {
    const slot = node.slots.get(label);
    const source = slot === undefined ? undefined : node[slot.place][slot.position]?.source;
    if (source !== undefined) return source.kind !== "file" || source.path !== path;
  }
  const lead = library.shared.lead(label);
  return lead.ok && lead.value !== undefined && lead.value.versions.at(-1)?.by !== `file ${path}`;
}
