import { parseSync } from "oxc-parser";

/** A node of a parsed file; its children are whatever of its fields are nodes. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Where a name is given to a piece of code. */
export interface Named {
  /** `name`, `Class.method`; functions within functions belong to the outer one. */
  readonly symbol: string;
  readonly node: Node;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

/** The nodes directly below a node. */
export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap(value =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

/** Parses a TypeScript source; throws where it is none. */
export function parse(text: string, path = "source.ts"): Node {
  const { program, errors } = parseSync(path, text, { lang: path.endsWith("x") ? "tsx" : "ts" });
  if (errors[0] !== undefined) throw new Error(`${path}: ${errors[0].message}`);
  return program as unknown as Node;
}

function nameOf(value: unknown): string {
  if (!isNode(value)) return "";
  const name = value["name"] ?? value["value"];
  if (typeof name !== "string") return "";
  return value.type === "PrivateIdentifier" ? `#${name}` : name;
}

/** Everything in a file that has a name, from the top down: functions, constants, classes and their members. */
export function namedIn(program: Node): Named[] {
  const found: Named[] = [];
  for (const statement of program["body"] as Node[]) {
    const declared = isNode(statement["declaration"]) ? statement["declaration"] : statement;
    const list = declared.type === "VariableDeclaration" ? (declared["declarations"] as Node[]) : [declared];
    for (const node of list) {
      const symbol = nameOf(node["id"]);
      if (symbol === "") continue;
      found.push({ symbol, node });
      if (node.type !== "ClassDeclaration") continue;
      for (const member of (node["body"] as Node)["body"] as Node[])
        found.push({ symbol: `${symbol}.${nameOf(member["key"])}`, node: member });
    }
  }
  return found;
}
