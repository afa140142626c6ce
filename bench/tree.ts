/**
 * The context tree and packages: `node bench/tree.ts`. What a node's reader is given, in a tree of 10,000 nodes with ten
 * documents each, and a package of 150,000 tokens with its counts cached.
 */
import { createHash } from "node:crypto";
import { assemble, createLayouts, PACKAGE_LIMITS, type PackageDocument } from "../src/assembly/index.ts";
import { PACKAGE_ENGLISH } from "../src/text/index.ts";
import { countTokens, createTokenCache } from "../src/tokens/index.ts";
import { addDoc, branch, docsOf, initRoot, pathOf, ROOT } from "../src/tree/index.ts";

const NODES = 10_000;
const DOCUMENTS = 10;
const DEPTH = 10;

function timed(rounds: number, run: (round: number) => void): { mean: number; worst: number } {
  let worst = 0;
  const begin = performance.now();
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    run(round);
    worst = Math.max(worst, performance.now() - start);
  }
  return { mean: (performance.now() - begin) / rounds, worst };
}

/** Prints a row; beyond its limit the bench fails. */
function say(name: string, { mean, worst }: { mean: number; worst: number }, limit = Infinity): void {
  if (mean > limit) process.exitCode = 1;
  process.stdout.write(
    `${name.padEnd(58)}${mean.toFixed(4).padStart(10)} ms${worst.toFixed(3).padStart(12)} ms\n`,
  );
}

process.stdout.write(`${"".padEnd(58)}${"mean".padStart(10)}   ${"worst".padStart(12)}\n`);

const origin = { at: 0, by: "plan" };
const { tree } = initRoot([], origin);
const ids: string[] = [ROOT];
const depth = new Map([[ROOT, 1]]);
const building = performance.now();
for (let at = 1; at < NODES; at++) {
  // Chains of ten, so that half of the nodes lie deep.
  const above = ids.at(-1)!;
  const parent = depth.get(above)! < DEPTH ? above : ROOT;
  const id = `ctx-n${at}`;
  branch(tree, parent, [id], origin);
  depth.set(id, depth.get(parent)! + 1);
  ids.push(id);
}
for (const id of ids)
  for (let at = 0; at < DOCUMENTS; at++)
    addDoc(tree, id, { label: `${id}-${at}`, source: { kind: "file", path: `docs/${id}/${at}.md` } });
const built = performance.now() - building;
const deep = ids.filter(id => depth.get(id) === DEPTH);
say(`building ${NODES} nodes with ${DOCUMENTS} documents each`, { mean: built, worst: built });
const hashOf = (label: string): string => label;
const read = docsOf(tree, deep[0]!, hashOf).length;
say(
  `docsOf, depth ${pathOf(tree.nodes.get(deep[0]!)!).length}, ${read} documents`,
  timed(2000, round => void docsOf(tree, deep[round % deep.length]!, hashOf)),
  1,
);

const sentence = "- the gate opens when every branch has grown as far as the wire, and not before\n";
const each = Math.ceil(148_000 / 100 / countTokens(sentence));
const documents = Array.from({ length: 100 }, (_, at): PackageDocument => {
  const text = `# Document ${at}\n\n${`- ${at}: ${sentence.slice(2)}`.repeat(each)}`;
  const hash = createHash("sha256").update(text).digest("hex");
  const path = `docs/${at}.md`;
  return { label: `doc-${at}`, version: 1, text, hash, origin: { kind: "file", path }, name: path };
});
const cache = createTokenCache();
const limits = { ...PACKAGE_LIMITS, tokens: 400_000 };
const make = (layouts = createLayouts()) =>
  assemble(
    {
      kind: "worker",
      path: [{ id: ROOT, documents, repeated: [] }],
      role: PACKAGE_ENGLISH.role("worker", ROOT, true),
      results: [],
      attempts: [],
      task: "T1",
      assignment: "Task ID: T1",
      words: PACKAGE_ENGLISH,
      limits,
    },
    layouts,
    cache.count,
  );
const first = timed(1, () => void make());
const { tokens } = make().receipt;
say(`package of ${tokens} tokens, nothing counted before`, first);
say(
  `package of ${tokens} tokens, counts cached`,
  timed(50, () => void make()),
);
const layouts = createLayouts();
make(layouts);
say(
  `package of ${tokens} tokens, laid out before`,
  timed(50, () => void make(layouts)),
);
