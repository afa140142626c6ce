import { type Told, told } from "../../text/index.ts";
import { checkNodes, type TreeProblem } from "../../tree/index.ts";
import { NOWHERE, type Place, type Report } from "../report.ts";
import type { ContextNodeDeclaration } from "../types.ts";
import { pathProblem } from "./paths.ts";

/** What a node's id is made of, as a hint. */
export const NODE_ID_HINT = told`write ctx- and letters, digits, -, _ or .; at most 64 characters, and no path`;

/** Where a node is declared; the whole file for one that stands in the configuration. */
export function placeOfNode({ line }: ContextNodeDeclaration): Place {
  return line === undefined ? NOWHERE : { line, column: 1 };
}

/** Reports what is wrong with declared nodes and the paths of their documents. */
export function reportNodes(nodes: readonly ContextNodeDeclaration[], report: Report): void {
  for (const problem of checkNodes(nodes)) {
    const [code, message, hint] = words(problem);
    report.add("error", code, placeOfNode(nodes[problem.at]!), message, hint);
  }
  for (const node of nodes) {
    for (const path of [...(node.shared ?? []), ...(node.documents ?? [])]) {
      const problem = pathProblem(path);
      if (problem === undefined) continue;
      const message = told`context node ${node.id} names the document "${path}", which ${problem}`;
      report.add("error", "BAD_DOCUMENT", placeOfNode(node), message, DOCUMENT_HINT);
    }
  }
}

const DOCUMENT_HINT = told`name files of the repository by relative paths; * stands for a name, ** for folders`;

const WHY = { empty: told`empty`, "too-long": told`too-long`, characters: told`characters` } as const;

function words(problem: TreeProblem): [code: string, message: Told, hint: Told] {
  switch (problem.kind) {
    case "bad-id":
      return [
        "BAD_NODE",
        told`"${problem.id}" cannot name a context node (${WHY[problem.why]})`,
        NODE_ID_HINT,
      ];
    case "duplicate":
      return [
        "DUPLICATE_NODE",
        told`context node ${problem.id} is declared twice`,
        told`leave one of them out`,
      ];
    case "twin": {
      const message = told`context nodes ${problem.id} and ${problem.other} differ in case or spelling only`;
      return ["TWIN_NODE", message, told`give one of them another id`];
    }
    case "root-parent":
      return ["ROOT_PARENT", told`${problem.id} is the root and has no parent`, told`leave its parent out`];
    case "unknown-parent": {
      const message = told`context node ${problem.id} has the parent ${problem.parent}, which is not declared`;
      const hint =
        problem.near === undefined
          ? told`declare the parent, or correct it`
          : told`did you mean ${problem.near}? Else declare the parent, or correct it`;
      return ["UNKNOWN_NODE", message, hint];
    }
    case "cycle":
      return [
        "NODE_CYCLE",
        told`context node ${problem.id} is its own ancestor`,
        told`give one of the nodes another parent`,
      ];
    default: {
      const never: never = problem;
      return never;
    }
  }
}
