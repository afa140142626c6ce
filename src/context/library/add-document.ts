import type { NodeStatus } from "../../ports/index.ts";
import { type Told, textHash, thereAre, told } from "../../text/index.ts";
import { nodeName, type Provenance } from "../../tree/index.ts";
import { joinSteps } from "../shared/index.ts";
import { asChange, hangDocument } from "./grow-tree.ts";
import type { Library } from "./library.ts";

const STATUS: Readonly<Record<NodeStatus, Told>> = {
  active: told`active`,
  completed: told`completed`,
  abandoned: told`abandoned`,
  merged: told`merged`,
};

/** A document that somebody adds outside of an attempt's message. */
export interface AddedDocument {
  readonly node: string;
  readonly label: string;
  readonly text: string;
  readonly origin: Omit<Provenance, "at" | "sha256">;
}

/** Hangs a document on a node and publishes it, in one change; why not, where that fails. */
export async function addDocument(library: Library, added: AddedDocument): Promise<Told | undefined> {
  const { node, label, text, origin } = added;
  let problem: Told | undefined;
  await library.ledger.commit(now => {
    const grown = library.grow(now);
    const tree = library.tree(now);
    if (tree === undefined) {
      problem = told`the context tree cannot be read`;
      return grown;
    }
    const source = { kind: "added", index: 1, ...origin, at: now, sha256: textHash(text) } as const;
    const hung = hangDocument(tree, nodeName(node), { label, source });
    if ("unhung" in hung) {
      const { unhung: id, status } = hung;
      problem =
        status === undefined
          ? told`there is no context node ${id}; ${thereAre(node, [...tree.nodes.keys()])}`
          : told`context node ${id} is ${STATUS[status]}`;
      return grown;
    }
    const published = library.shared.work(label, { type: "publish", text, by: origin.agent });
    if (!published.ok) {
      problem = told`${label} could not be published (${published.failure.kind})`;
      return grown;
    }
    const rows = asChange(hung);
    return joinSteps([grown, rows === undefined ? undefined : { rows }, published.value(now)]);
  });
  return problem;
}
