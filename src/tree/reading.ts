import { nodeName } from "./ids.ts";
import type { Tree, TreeDocument, TreeNode } from "./tree.ts";

/** A document with the node on whose account it is read. */
export interface PlacedDocument {
  readonly node: TreeNode;
  readonly document: TreeDocument;
}

/** What a reader of a node is given, and what it is spared because another document says the same. */
export interface TreeReading {
  readonly read: readonly PlacedDocument[];
  /** `of` is the label whose text is the same. */
  readonly repeated: readonly (PlacedDocument & { readonly of: string })[];
}

/** The nodes from the root to a node. */
export function pathOf(node: TreeNode): TreeNode[] {
  const path: TreeNode[] = [];
  for (let at: TreeNode | undefined = node; at !== undefined; at = at.parent) path.push(at);
  return path.reverse();
}

/**
 * Root first, of each node its shared prefix before its own documents; of documents with one content, and of labels that hang
 * twice, the first. A label without content yet (`hashOf` is undefined) is left out. Undefined for an unknown node.
 */
export function readingOf(
  tree: Tree,
  id: string,
  hashOf: (label: string) => string | undefined,
): TreeReading | undefined {
  const end = tree.nodes.get(nodeName(id));
  if (end === undefined) return undefined;
  const read: PlacedDocument[] = [];
  const repeated: (PlacedDocument & { of: string })[] = [];
  const first = new Map<string, string>();
  for (const node of pathOf(end)) {
    for (const documents of [node.shared, node.own]) {
      for (const document of documents) {
        const hash = document.withdrawn ? undefined : hashOf(document.label);
        if (hash === undefined) continue;
        const of = first.get(hash);
        if (of === undefined) {
          first.set(hash, document.label);
          read.push({ node, document });
        } else if (of !== document.label) repeated.push({ node, document, of });
      }
    }
  }
  return { read, repeated };
}

/** The documents a task that refers to the node reads, each once by its content; none for an unknown node. */
export function docsOf(
  tree: Tree,
  id: string,
  hashOf: (label: string) => string | undefined,
): readonly TreeDocument[] {
  return readingOf(tree, id, hashOf)?.read.map(placed => placed.document) ?? [];
}
