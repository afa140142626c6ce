import type { Random } from "./random.ts";
import type { Meant } from "./tasks-md-plan.ts";

/** A drawn graph and what it says about each task. */
export interface Graph {
  readonly lines: readonly string[];
  /** What the graph makes each task wait for. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /** Its nodes are groups of tasks: whether every task of a group waits is then left open. */
  readonly groups: boolean;
}

/** A node of the graph: one task, or a group that stands for its tasks. */
interface Node {
  readonly name: string;
  readonly label: string;
  readonly tasks: readonly Meant[];
}

/** A Mermaid graph of the tasks' dependencies, or none. */
export function drawGraph(random: Random, tasks: readonly Meant[], tags: Set<string>): Graph | undefined {
  if (!random.chance(0.4)) return undefined;
  const groups =
    tasks.some(task => task.group) && tasks.every(task => !task.id.endsWith("-V")) && random.chance(0.4);
  const alias = random.pick(["letters", "squeezed", "id"]);
  // Mermaid trips over ids with dots, so real files give such tasks another name.
  const safe = alias === "id" && tasks.every(task => /^[A-Z0-9-]+$/.test(task.id));
  const quote = random.chance(0.4) ? '"' : "";
  tags.add(`graph:${groups ? "groups, " : ""}${safe ? "id" : alias}${quote}`);
  const nodes = units(tasks, groups).map(
    ([label, members], index): Node => ({
      label,
      tasks: members,
      name: safe ? label : alias === "letters" ? `N${index}` : label.replaceAll(/[^A-Za-z0-9]/g, "_"),
    }),
  );
  const nodeOf = new Map(nodes.flatMap(node => node.tasks.map(task => [task.id, node] as const)));
  const arrow = random.dare(0.4) ? random.pick(["-.->", "==>"]) : "-->";
  if (arrow !== "-->") tags.add(`beyond:graph${arrow}`);

  const lines = ["```mermaid", random.pick(["flowchart TD", "graph TD", "graph LR"])];
  const word = (): string => random.pick(["API", "화면", "schema"]);
  for (const node of nodes) lines.push(`    ${node.name}[${quote}${node.label}: ${word()}${quote}]`);
  lines.push("");
  const sources = new Map<string, readonly string[]>();
  for (const [index, node] of nodes.entries()) {
    const before = groups
      ? random.some(nodes.slice(0, index), random.int(0, 2))
      : node.tasks[0]!.dependsOn.map(id => nodeOf.get(id)!);
    for (const task of node.tasks)
      sources.set(
        task.id,
        before.flatMap(source => source.tasks.map(other => other.id)),
      );
    lines.push(...edges(random, before, node, arrow, tags));
  }
  if (random.chance(0.3)) lines.push(`    style ${nodes[0]!.name} fill:#e1f5ff`);
  lines.push("```");
  return { lines, sources, groups };
}

function units(tasks: readonly Meant[], groups: boolean): [label: string, members: readonly Meant[]][] {
  const byLabel = new Map<string, Meant[]>();
  for (const task of tasks) {
    const label = groups ? (task.group ?? task.id) : task.id;
    const members = byLabel.get(label);
    if (members) members.push(task);
    else byLabel.set(label, [task]);
  }
  return [...byLabel];
}

function edges(
  random: Random,
  before: readonly Node[],
  node: Node,
  arrow: string,
  tags: Set<string>,
): string[] {
  if (before.length > 1 && random.chance(0.2)) {
    tags.add("graph:&");
    return [`    ${before.map(source => source.name).join(" & ")} ${arrow} ${node.name}`];
  }
  return before.map(
    source => `    ${source.name} ${arrow}${random.chance(0.05) ? "|needs|" : ""} ${node.name}`,
  );
}
