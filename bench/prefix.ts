/**
 * How much of each package begins as the last one on its branch did: `node bench/prefix.ts`. Fifty tasks on four branches,
 * ten of which add to the tree and some of which change a file; beside packages that put the newest documents in order.
 */
import { createHash } from "node:crypto";
import {
  assemble,
  createLayouts,
  PACKAGE_LIMITS,
  type PackageDocument,
  type PackageNode,
} from "../src/assembly/index.ts";
import { PACKAGE_ENGLISH as WORDS } from "../src/text/index.ts";
import { createTokenCache } from "../src/tokens/index.ts";

const TASKS = 50;
const BRANCHES = 4;
const cache = createTokenCache();

function documentOf(label: string, version: number, text: string): PackageDocument {
  const hash = createHash("sha256").update(text).digest("hex");
  return { label, version, text, hash, origin: { kind: "file", path: `docs/${label}.md` }, name: label };
}

function prose(name: string, lines: number): string {
  const facts = Array.from(
    { length: lines },
    (_, at) => `- ${name} ${at}: held by wire ${(at * 7) % 11} until it is grown`,
  );
  return `# ${name}\n\n${facts.join("\n")}\n`;
}

/** The history of a run: what stands on root and branches before each task. */
function* history(): Generator<{ branch: number; path: PackageNode[]; task: string }> {
  const root = [documentOf("spec", 1, prose("spec", 200)), documentOf("rules", 1, prose("rules", 80))];
  const branches = Array.from({ length: BRANCHES }, (_, at) => [
    documentOf(`branch-${at}`, 1, prose(`b${at}`, 150)),
  ]);
  for (let at = 0; at < TASKS; at++) {
    const branch = at % BRANCHES;
    const own = branches[branch]!;
    const path = [
      { id: "ctx-root", documents: [...root], repeated: [] },
      { id: `ctx-${branch}`, documents: [...own], repeated: [] },
    ];
    yield { branch, path, task: `T1.${at + 1}` };
    // Ten tasks add what they found: to their branch, every third time to the root.
    if (at % 5 === 2) (at % 3 === 0 ? root : own).push(documentOf(`add-${at}`, 1, prose(`found${at}`, 12)));
    // Now and then a person edits a document of the root.
    if (at % 12 === 9) {
      const { version, text } = root[0]!;
      root[0] = documentOf("spec", version + 1, text.replace(`spec ${at}:`, `spec ${at}: since today`));
    }
  }
}

const role = `${WORDS.role("worker", "", true)}\n\n${WORDS.rules(true)}`;

function assignment(task: string): string {
  return `[ULTRA-THIN MODE]\nTask ID: ${task}\n\nRead the details of ${task} in the task file and carry them out.\n`;
}

/** The documents' own order, newest texts in place: the task first, as the seed's prompt has it, or last. */
function plain(path: readonly PackageNode[], task: string, first: boolean): string {
  const documents = path.flatMap(node => node.documents);
  const text = documents.map(({ label, text: body }) => `## ${label}\n\n${body}\n---\n`).join("\n");
  return first ? `${assignment(task)}\n${role}\n\n${text}` : `${role}\n\n${text}\n${assignment(task)}`;
}

function commonLength(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** Shares of all tokens but those of a branch's first package that begin as the last one on the branch, and of all. */
function measure(make: (path: readonly PackageNode[], task: string) => string): {
  branch: number;
  run: number;
  tokens: number;
} {
  const last = new Map<number, string>();
  let before = "";
  const sums = { total: 0, branch: 0, followed: 0, run: 0 };
  for (const { branch, path, task } of history()) {
    const text = make(path, task);
    const tokens = cache.count(text);
    const known = last.get(branch);
    if (known !== undefined) {
      sums.followed += tokens;
      sums.branch += cache.count(text.slice(0, commonLength(known, text)));
    }
    sums.run += cache.count(text.slice(0, commonLength(before, text)));
    sums.total += tokens;
    last.set(branch, text);
    before = text;
  }
  return { branch: sums.branch / sums.followed, run: sums.run / sums.total, tokens: sums.total };
}

const layouts = createLayouts();
const ours = measure(
  (path, task) =>
    assemble(
      {
        kind: "worker",
        path,
        role,
        results: [],
        attempts: [],
        task,
        assignment: assignment(task),
        words: WORDS,
        limits: PACKAGE_LIMITS,
      },
      layouts,
      cache.count,
    ).text,
);
const rows = [
  ["ours", ours],
  ["plain concatenation, task last", measure((path, task) => plain(path, task, false))],
  ["plain concatenation, task first", measure((path, task) => plain(path, task, true))],
] as const;

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
process.stdout.write(
  `${"".padEnd(34)}${"same branch".padStart(14)}${"any before".padStart(14)}${"tokens in all".padStart(16)}\n`,
);
for (const [name, { branch, run, tokens }] of rows)
  process.stdout.write(
    `${name.padEnd(34)}${percent(branch).padStart(14)}${percent(run).padStart(14)}${String(tokens).padStart(16)}\n`,
  );
