import type { Resolver } from "../graph/resolve.ts";
import { isWord } from "../syntax/chars.ts";
import { readHead } from "../syntax/head.ts";
import { type GraphNode, readDiagram } from "../syntax/mermaid.ts";
import { beforeWords, readPhaseWord, toPhase } from "../syntax/phase.ts";
import type { Phase } from "../types.ts";
import type { MarkdownDocument } from "./document.ts";

/** Tasks an arrow joins: every one of `to` comes after every one of `from`. */
export interface DiagramEdge {
  readonly from: readonly number[];
  readonly to: readonly number[];
  readonly line: number;
}

interface Target {
  readonly tasks: readonly number[];
  /** A whole phase: arrows between phases only repeat their order. */
  readonly phase: boolean;
}

/** Letters and digits only, in lower case: `T0_5_1` and `T0.5.1` meet. */
function compact(text: string): string {
  let out = "";
  for (const character of text) if (isWord(character.charCodeAt(0))) out += character;
  return out.toLowerCase();
}

/** The phase a subgraph's title or name says it shows. */
function phaseSaid(subgraph: GraphNode): Phase | undefined {
  for (const words of [subgraph.label, subgraph.key]) {
    const start = beforeWords(words, 0, words.length);
    const read = readPhaseWord(words, start, words.length);
    if (read !== undefined) return read.phase;
    const head = readHead(words, start, words.length, false);
    if (head.shape === "phase" && head.id !== undefined) return toPhase(head.id.slice(1));
  }
  return undefined;
}

/** Looks up the phase of the nearest subgraph around a node that says one; each subgraph is asked once. */
function createPhaseFinder(): (node: GraphNode | undefined) => Phase | undefined {
  const known = new Map<GraphNode, Phase | undefined>();
  return node => {
    const passed: GraphNode[] = [];
    let phase: Phase | undefined;
    for (let at = node; at !== undefined; at = at.parent) {
      if (known.has(at)) {
        phase = known.get(at);
        break;
      }
      passed.push(at);
      phase = at.members === undefined ? undefined : phaseSaid(at);
      if (phase !== undefined) break;
    }
    for (const subgraph of passed) known.set(subgraph, phase);
    return phase;
  };
}

/** Maps the arrows of a file's diagrams to tasks: by the id in a node's label, by its key, by its subgraph. */
export function diagramEdges(
  document: MarkdownDocument,
  resolver: Resolver,
  ids: readonly string[],
): DiagramEdge[] {
  if (document.diagrams.length === 0) return [];
  const compacted = new Map<string, number>();
  for (const [index, id] of ids.entries()) {
    const key = compact(id);
    compacted.set(key, compacted.has(key) ? -1 : index);
  }
  const targets = new Map<GraphNode, Target | undefined>();
  const phaseOf = createPhaseFinder();

  function byWords(words: string, phase: Phase | undefined): Target | undefined {
    if (words === "") return undefined;
    const start = beforeWords(words, 0, words.length);
    const head = readHead(words, start, words.length, false);
    const where = phase === undefined ? {} : { phase };
    if (head.id !== undefined && head.shape !== "phase") {
      const found = resolver.find(head.id, where);
      if (found !== undefined) return { tasks: found.tasks, phase: head.shape === "milestone" };
    }
    const label = head.shape === "phase" ? head.id?.slice(1) : head.phase;
    if (label === undefined || head.several) return undefined;
    const members = resolver.resolve(
      { kind: "phase", phase: toPhase(String(label)), at: { line: 0, column: 0, length: 1 } },
      {},
    );
    return members === undefined ? undefined : { tasks: members.tasks, phase: true };
  }

  function byKey(node: GraphNode, phase: Phase | undefined): Target | undefined {
    for (const key of [node.key, node.key.replaceAll("_", "."), node.key.replaceAll("_", "-")]) {
      const found = byWords(key, phase);
      if (found !== undefined) return found;
    }
    const index =
      compacted.get(compact(node.key)) ??
      (phase === undefined ? -1 : (compacted.get(compact(`P${phase}${node.key}`)) ?? -1));
    return index >= 0 ? { tasks: [index], phase: false } : undefined;
  }

  function targetOf(node: GraphNode): Target | undefined {
    if (targets.has(node)) return targets.get(node);
    const phase = phaseOf(node.members === undefined ? node.parent : node);
    let target = byWords(node.label, phase) ?? byKey(node, phase);
    if (target === undefined && node.members !== undefined) {
      const tasks = node.members
        .filter(member => member.members === undefined)
        .flatMap(member => targetOf(member)?.tasks ?? []);
      if (tasks.length > 0) target = { tasks, phase: phase !== undefined };
    }
    targets.set(node, target);
    return target;
  }

  const edges: DiagramEdge[] = [];
  for (const diagram of document.diagrams) {
    for (const edge of readDiagram(document.text, diagram)) {
      const from = targetOf(edge.from);
      const to = targetOf(edge.to);
      if (from === undefined || to === undefined || (from.phase && to.phase)) continue;
      edges.push({ from: from.tasks, to: to.tasks, line: edge.line });
    }
  }
  return edges;
}
