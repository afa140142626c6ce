import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assemble, createLayouts, PACKAGE_LIMITS, type PackageResult } from "../src/assembly/index.ts";
import {
  CACHE_RATES,
  type CachePart,
  firstDifference,
  priorityOf,
  recencyAt,
  sendCost,
} from "../src/budget/index.ts";
import { PACKAGE_ENGLISH } from "../src/text/index.ts";
import { countTokens, createTokenCache } from "../src/tokens/index.ts";

/**
 * What the packages of a run of twenty agents cost under a prompt cache: ours beside plain concatenation in the document's
 * order (task first, the shared context as it is now, outputs by priority). The recorded outputs of examples/research-workflow; the
 * shared context changes after every fourth task. `npx node bench/cache-cost.ts [ATTEMPTS per task, default 1]`
 */
const ATTEMPTS = Math.max(1, Number(process.argv[2] ?? 1));
const root = join(import.meta.dirname, "..", "examples", "research-workflow", "outputs");
const outputs = globSync("*.md", { cwd: root })
  .sort()
  .map(name => readFileSync(join(root, name), "utf8"));
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const cache = createTokenCache();

const SECTIONS = 40;
/** The shared context after so many changes: a line here and there. */
function shared(version: number): string {
  const lines = Array.from({ length: SECTIONS }, (_, at) => {
    const changed = Math.max(
      0,
      ...Array.from({ length: version }, (_each, change) =>
        (change * 7) % SECTIONS === at ? change + 1 : 0,
      ),
    );
    return `## Section ${at + 1}\n\n- rule ${at}: agents name the study, the number and the page they rely on\n- state: ${changed === 0 ? "open" : `decided in change ${changed}`}\n`;
  });
  return `# Global context\n\n${lines.join("\n")}`;
}

const result = (at: number): PackageResult => {
  const text = outputs[at]!;
  return { task: `T${at + 1}`, attempt: 1, text, hash: sha256(text) };
};

const ROLE = "# Role\n\nYou are one of twenty agents of a research team. Work on your task only.\n".repeat(
  20,
);
const assignment = (at: number, attempt: number): string =>
  `Task T${at + 1}, attempt ${attempt}: answer in the contract's form.\n`;

interface Package {
  readonly text: string;
  readonly parts: readonly CachePart[];
}

function ours(): Package[] {
  const layouts = createLayouts();
  return outputs.flatMap((_, at) =>
    Array.from({ length: ATTEMPTS }, (_each, attempt): Package => {
      const version = Math.floor(at / 4) + 1;
      const text = shared(version);
      const document = {
        label: "GC",
        version,
        text,
        hash: sha256(text),
        origin: { kind: "file", path: "GC.md" } as const,
        name: "GC.md",
      };
      const made = assemble(
        {
          kind: "worker",
          path: [{ id: "ctx-root", documents: [document], repeated: [] }],
          role: ROLE,
          results: outputs.slice(0, at).map((_one, position) => result(position)),
          attempts: [],
          task: `T${at + 1}`,
          assignment: assignment(at, attempt + 1),
          words: PACKAGE_ENGLISH,
          limits: PACKAGE_LIMITS,
        },
        layouts,
        text_ => cache.count(text_),
      );
      return { text: made.text, parts: blocks(made.text) };
    }),
  );
}

/** The package in blocks of whole lines, so that the cache sees where the bytes part. */
function blocks(text: string): CachePart[] {
  const parts: CachePart[] = [];
  for (const line of text.split("\n"))
    parts.push({ key: line, tokens: line === "" ? 1 : countTokens(`${line}\n`) });
  return parts;
}

function concatenated(): Package[] {
  return outputs.flatMap((_, at) =>
    Array.from({ length: ATTEMPTS }, (_each, attempt): Package => {
      const byPriority = outputs
        .slice(0, at)
        .map((text, position) => ({ text, worth: priorityOf({ recency: recencyAt(position, at) }) }))
        .sort((a, b) => b.worth - a.worth)
        .map(({ text }) => text);
      const text = [ROLE, assignment(at, attempt + 1), shared(Math.floor(at / 4) + 1), ...byPriority].join(
        "\n\n---\n\n",
      );
      return { text, parts: blocks(text) };
    }),
  );
}

const rates = CACHE_RATES.claude;
console.log(
  `${outputs.length} agents, ${ATTEMPTS} attempt(s) each; write ${rates.write}, read ${rates.read} of plain input`,
);
console.log(
  "| packages | tokens sent | read from cache | cost in input tokens | of plain | bytes shared with the one before, mean |",
);
console.log("|---|---:|---:|---:|---:|---:|");
for (const [name, packages] of [
  ["concatenated", concatenated()],
  ["ours", ours()],
] as const) {
  const { cost, read, plain } = sendCost(
    packages.map(({ parts }) => parts),
    rates,
  );
  const shares = packages.slice(1).map(({ text }, at) => {
    const before = packages[at]!.text;
    return (firstDifference(before, text)?.byte ?? Buffer.byteLength(before)) / Buffer.byteLength(before);
  });
  const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
  const cells = [
    plain,
    `${((read / plain) * 100).toFixed(1)} %`,
    Math.round(cost),
    `${((cost / plain) * 100).toFixed(1)} %`,
    `${(mean * 100).toFixed(1)} %`,
  ];
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
