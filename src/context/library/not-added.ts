import type { Task } from "../../plan/index.ts";
import { because, type Reason } from "../../ports/index.ts";
import { localeOf, notAddedNote, reasonText } from "../../text/index.ts";
import { type Addition, nodeName, pathOf, scanOutput } from "../../tree/index.ts";
import { type Library, nodeRead } from "./library.ts";

/** A block of a message that is not taken in, and why. */
interface NotAdded {
  readonly why: Reason;
  /** Where it stands, and what it holds: absent where another one begins in it. */
  readonly block: Pick<Addition, "from" | "to"> & { readonly text?: string | undefined };
}

/** Why a task may not add to a node: it adds to what it reads itself, unless the configuration says otherwise. */
export function scopeProblem(library: Library, task: Task, node: string, now: number): Reason | undefined {
  const tree = library.tree(now);
  const target = tree?.nodes.get(nodeName(node));
  if (target === undefined) return because("block-unknown-node", { node });
  if (library.options.addScope === "any") return undefined;
  const own = tree?.nodes.get(nodeRead(task)) ?? tree?.root;
  if (own !== undefined && pathOf(own).includes(target)) return undefined;
  return because("block-out-of-scope", { node, own: own?.id ?? "" });
}

/** The blocks of an accepted message that are not taken in, in their order: broken ones last. */
export function notAdded(library: Library, task: Task, message: string, now: number): NotAdded[] {
  const { addContext, scan } = library.options;
  const { additions, refusals } = scanOutput(message, scan);
  const refused = additions.flatMap((block): NotAdded[] => {
    const { node } = block;
    const why =
      addContext === "off" ? because("blocks-off", { blocks: 1 }) : scopeProblem(library, task, node, now);
    return why === undefined ? [] : [{ why, block }];
  });
  const broken = refusals.map(({ node, line, why, from, to, text }) => ({
    why: because("block-not-taken", { node, line, why }),
    block: { from, to, text },
  }));
  return [...refused, ...broken];
}

/** A message as others read it: what was not taken in stays where it stood, as words, under a line that says so in their language. */
export function withAnswers(message: string, refused: readonly NotAdded[]): string {
  const locale = localeOf(message);
  const parts: string[] = [];
  let from = 0;
  for (const { block, why } of refused.toSorted((a, b) => a.block.from - b.block.from)) {
    parts.push(message.slice(from, block.from), `${notAddedNote(locale, reasonText(why, locale))}\n`);
    // A block that holds others is left as it is: they would count without it.
    if (block.text !== undefined && block.text !== "") parts.push(`${block.text}\n`);
    from = block.text === undefined ? block.from : block.to;
  }
  return [...parts, message.slice(from)].join("");
}

/** The blocks of a message that can be taken in, as they stood. */
export function blocksIn(library: Library, task: Task, message: string, now: number): string {
  const { additions } = scanOutput(message, library.options.scan);
  return additions
    .filter(({ node }) => scopeProblem(library, task, node, now) === undefined)
    .map(({ from, to }) => message.slice(from, to).trimEnd())
    .join("\n\n");
}
