import type { Mutant } from "./bug.ts";
import { childrenOf, type Named, type Node, namedIn, parse } from "./syntax.ts";

interface Change {
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const SHIFTED: Readonly<Record<string, string>> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">" };
const OTHER: Readonly<Record<string, string>> = { "===": "!==", "!==": "===", "+": "-", "-": "+" };
const JOINED: Readonly<Record<string, string>> = { "&&": "||", "||": "&&" };
const SWAPPED: Readonly<Record<string, string>> = { some: "every", every: "some", min: "max", max: "min" };

const field = (node: Node, name: string) => node[name] as Node | undefined;

/** What one node can be made of instead. */
function changesOf(node: Node, parent: Node, text: string): Change[] {
  const { type, start, end } = node;
  const source = ({ start, end }: Node) => text.slice(start, end);
  const whole = (operator: string, replacement: string): Change => ({ operator, start, end, replacement });
  const sign = (operator: string, other: string): Change => {
    const [left, right] = [field(node, "left")!, field(node, "right")!];
    const between = text.slice(left.end, right.start).replace(String(node["operator"]), other);
    return { operator, start: left.end, end: right.start, replacement: between };
  };
  switch (type) {
    case "IfStatement":
    case "ConditionalExpression": {
      const test = field(node, "test")!;
      const negated: Change = { ...test, operator: "condition negated", replacement: `!(${source(test)})` };
      const isGuard =
        type === "IfStatement" && node["alternate"] === null && isReturn(field(node, "consequent"));
      return isGuard ? [negated, whole("guard dropped", ";")] : [negated];
    }
    case "BinaryExpression": {
      const is = String(node["operator"]);
      if (is in SHIFTED) return [sign("boundary shifted", SHIFTED[is]!)];
      // Signs between texts join them: there is nothing to take away.
      const joinsText = is === "+" && /["'`]/.test(source(node));
      return is in OTHER && !joinsText ? [sign("comparison or sign turned", OTHER[is]!)] : [];
    }
    case "LogicalExpression": {
      const is = String(node["operator"]);
      return is in JOINED ? [sign("condition widened or narrowed", JOINED[is]!)] : [];
    }
    case "ExpressionStatement": {
      const expression = field(node, "expression")!;
      const isAwaited = expression.type === "AwaitExpression";
      const call = isAwaited ? field(expression, "argument")! : expression;
      if (call.type !== "CallExpression" || field(call, "callee")?.type === "Super") return [];
      return [whole("call dropped", ";"), ...(isAwaited ? [whole("await dropped", `${source(call)};`)] : [])];
    }
    case "Literal": {
      const value = node["value"];
      if (parent.type === "TSLiteralType" || field(parent, "key") === node) return [];
      if (typeof value === "boolean") return [whole("constant changed", `${!value}`)];
      // Larger ones are times and sizes, whose exact value no rule names.
      return value === 0 || value === 1 || value === 2 ? [whole("constant changed", `${value + 1}`)] : [];
    }
    case "Identifier": {
      const other = SWAPPED[String(node["name"])];
      const isMethod = parent.type === "MemberExpression" && field(parent, "property") === node;
      return other !== undefined && isMethod ? [whole("quantifier turned", other)] : [];
    }
    case "BlockStatement":
      return swaps(node["body"] as Node[], source);
    default:
      return [];
  }
}

function isReturn(node: Node | undefined): boolean {
  return node?.type === "ReturnStatement" || node?.type === "ContinueStatement";
}

/** Neighbouring statements in the other order. */
function swaps(statements: readonly Node[], source: (node: Node) => string): Change[] {
  return statements.flatMap((first, at) => {
    const second = statements[at + 1];
    if (second?.type !== "ExpressionStatement" || first.type !== "ExpressionStatement") return [];
    return [
      {
        operator: "order of two statements swapped",
        start: first.start,
        end: second.end,
        replacement: `${source(second)}\n${source(first)}`,
      },
    ];
  });
}

function walk(node: Node, parent: Node, visit: (node: Node, parent: Node) => void): void {
  // Types are gone when the program runs, and words are what they are.
  if (node.type.startsWith("TS") && node.type !== "TSAsExpression" && node.type !== "TSNonNullExpression")
    return;
  visit(node, parent);
  for (const child of childrenOf(node)) walk(child, node, visit);
}

/** The smallest named piece of code around a place. */
function symbolAt(named: readonly Named[], start: number): string {
  const around = named.filter(({ node }) => node.start <= start && start < node.end);
  return around.at(-1)?.symbol ?? "";
}

/** A drawn change, with what tells it from every other whatever lines move. */
export interface Candidate extends Mutant {
  readonly operator: string;
  /** The code that is changed, in one line. */
  readonly code: string;
}

/** Every change of one source by one operator. */
export function candidatesIn(file: string, text: string): Candidate[] {
  const program = parse(text, file);
  const named = namedIn(program);
  const found: Candidate[] = [];
  walk(program, program, (node, parent) => {
    for (const { operator, start, end, replacement } of changesOf(node, parent, text)) {
      const symbol = symbolAt(named, start);
      const around = operator === "constant changed" || operator === "quantifier turned" ? parent : node;
      const code = text.slice(around.start, around.end).replaceAll(/\s+/g, " ").slice(0, 120);
      if (symbol === "") continue;
      found.push({
        name: `${operator} in ${symbol}: ${code}`,
        file,
        symbol,
        start,
        end,
        replacement,
        operator,
        code,
      });
    }
  });
  return found;
}
