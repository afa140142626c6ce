/** Groups of names that lead to each other (Tarjan, 1972): in a graph without circles there is none. */
export function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const visit = (name: string): number => {
    let low = order.size;
    const mine = low;
    order.set(name, mine);
    lowest.set(name, mine);
    open.push(name);
    for (const next of graph.get(name) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, lowest.get(next)!);
    }
    lowest.set(name, low);
    if (low !== mine) return low;
    const circle = open.splice(open.indexOf(name));
    if (circle.length > 1) found.push(circle.sort());
    return low;
  };
  for (const name of graph.keys()) if (!order.has(name)) visit(name);
  return found;
}
