/** One task of a benchmark graph: its id and the ids it waits for. */
export interface Node {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

/** Tasks side by side in one layer. */
const WIDTH = 50;

/** A layered random graph: each task waits for three different ones of the layer before. Same size, same graph. */
export function layeredGraph(size: number): Node[] {
  let state = 12345;
  const below = (n: number) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * n);
  };
  const nodes: Node[] = [];
  for (let at = 0; at < size; at++) {
    const layer = Math.floor(at / WIDTH);
    const chosen = new Set<number>();
    while (layer > 0 && chosen.size < 3) chosen.add((layer - 1) * WIDTH + below(WIDTH));
    nodes.push({ id: `T${layer + 1}.${(at % WIDTH) + 1}`, dependsOn: [...chosen].map(n => nodes[n]!.id) });
  }
  return nodes;
}
