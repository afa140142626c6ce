import { localDocuments } from "../../adapters/local/documents.ts";
import { growTree, newTree } from "../../context/library/index.ts";
import type { SharedContext } from "../../context/shared/index.ts";
import type { Plan } from "../../plan/index.ts";
import type { NodeStatus, StoredContext } from "../../ports/index.ts";
import { type DocumentOrigin, type Locale, messagesFor } from "../../text/index.ts";
import { countTokens } from "../../tokens/index.ts";
import {
  nodeName,
  restoreTree,
  type Source,
  type Tree,
  type TreeDocument,
  type TreeNode,
} from "../../tree/index.ts";

/** A document as the views show it. Texts are foreign. */
export interface TreeDocumentFacts {
  readonly label: string;
  readonly place: "shared" | "own";
  /** 0 before it is published. */
  readonly version: number;
  readonly tokens: number | null;
  /** Where it comes from, in words. */
  readonly source: string;
  readonly provenance: Source | null;
  readonly withdrawn: boolean;
}

/** A node as the views show it. */
export interface TreeNodeFacts {
  readonly id: string;
  readonly parent: string | null;
  readonly status: NodeStatus;
  readonly mergedInto: string | null;
  readonly by: string;
  readonly filledBy: readonly string[];
  /** Whether its own fills and those above it are completed; null where no run tells. */
  readonly ready: boolean | null;
  readonly readBy: readonly string[];
  readonly documents: readonly TreeDocumentFacts[];
}

/** The context tree as far as plan and state tell of it, parents before their branches. */
export interface TreeFacts {
  readonly nodes: readonly TreeNodeFacts[];
}

/** What is known of a project's context. */
export interface TreeInput {
  readonly plan: Plan | undefined;
  readonly stored: StoredContext | undefined;
  readonly shared: SharedContext | undefined;
  readonly root: string;
  readonly locale: Locale;
  /** Tasks of the run that are completed; undefined where there is none. */
  readonly completed?: ReadonlySet<string>;
}

/** Brings the stored tree and the declared one together; a failure says what is damaged. */
export function treeFacts({ plan, stored, shared, root, locale, completed }: TreeInput): TreeFacts | string {
  const restored = stored === undefined ? undefined : restoreTree(stored);
  if (restored?.ok === false) return restored.failure;
  const tree: Tree = restored?.value ?? newTree(0).tree;
  if (plan !== undefined) growTree(tree, plan.contextNodes, 0);
  const tasks = plan?.tasks ?? [];
  const filledBy = Map.groupBy(tasks, task => (task.fills === undefined ? "" : nodeName(task.fills)));
  const readBy = Map.groupBy(tasks, task => (task.contextRef === undefined ? "" : nodeName(task.contextRef)));
  const declared = new Map((plan?.contextNodes ?? []).map(node => [nodeName(node.id), node]));
  const files = localDocuments(root);
  const words = messagesFor(locale).inPackage;

  function published(node: TreeNode, place: "shared" | "own"): TreeDocumentFacts[] {
    return node[place].flatMap((document): TreeDocumentFacts[] => {
      const text = shared?.text(document.label);
      const kept = text?.ok === true ? text.value : undefined;
      // The root's place for the global context is nothing before that is published.
      if (kept === undefined && document.source.kind === "published") return [];
      return [
        {
          label: document.label,
          place,
          version: kept?.version ?? 0,
          tokens: kept === undefined ? null : countTokens(kept.text),
          source: sourceWords(document),
          provenance: document.source,
          withdrawn: document.withdrawn,
        },
      ];
    });
  }

  function sourceWords({ label, source }: TreeDocument): string {
    if (source.kind !== "published") return words.origin(source satisfies DocumentOrigin);
    const lead = shared?.lead(label);
    return words.origin({
      kind: "published",
      by: (lead?.ok === true ? lead.value?.versions.at(-1)?.by : "") ?? "",
    });
  }

  /** Files that are declared and that no attempt has read yet. */
  function expected(node: TreeNode, place: "shared" | "own"): TreeDocumentFacts[] {
    const known = new Set(
      [...node.shared, ...node.own].flatMap(({ source }) => (source.kind === "file" ? [source.path] : [])),
    );
    const patterns =
      (place === "shared" ? declared.get(node.id)?.shared : declared.get(node.id)?.documents) ?? [];
    return patterns.flatMap(pattern => {
      const paths = files.list(pattern);
      return (paths.ok ? paths.value : [pattern]).flatMap((path): TreeDocumentFacts[] => {
        if (known.has(path)) return [];
        const text = files.read(path);
        const tokens = text.ok ? countTokens(text.value) : null;
        const about = { version: 0, source: "", provenance: null, withdrawn: false };
        return [{ label: path, place, tokens, ...about }];
      });
    });
  }

  const unready = new Set<TreeNode>();
  const isReady = (node: TreeNode): boolean | null => {
    if (completed === undefined) return null;
    const waits = (filledBy.get(node.id) ?? []).some(task => !completed.has(task.id));
    // Parents come first.
    if (waits || (node.parent !== undefined && unready.has(node.parent))) unready.add(node);
    return !unready.has(node);
  };

  const nodes = [...parentsFirst(tree)].map(
    (node): TreeNodeFacts => ({
      id: node.id,
      parent: node.parent?.id ?? null,
      status: node.status,
      mergedInto: node.mergedInto ?? null,
      by: node.by,
      filledBy: (filledBy.get(node.id) ?? []).map(task => task.id),
      ready: isReady(node),
      readBy: (readBy.get(node.id) ?? []).map(task => task.id),
      documents: (["shared", "own"] as const).flatMap(place => [
        ...published(node, place),
        ...expected(node, place),
      ]),
    }),
  );
  return { nodes };
}

function* parentsFirst(tree: Tree): Generator<TreeNode> {
  const open = [tree.root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    open.push(...node.children.toReversed());
  }
}

/** Whether there is more to show than a bare root. */
export function hasTree({ nodes }: TreeFacts): boolean {
  return nodes.length > 1 || nodes.some(node => node.documents.length + node.filledBy.length > 0);
}
