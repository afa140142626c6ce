import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { PackageDocument } from "../../../src/assembly/index.ts";
import { budgetSchema, createSessionTier, settleBudget } from "../../../src/budget/index.ts";
import { documentLevels } from "../../../src/context/library/document-levels.ts";
import { UNUSED } from "../../../src/context/library/uses.ts";
import type { DocumentOrigin } from "../../../src/text/index.ts";
import { countTokens } from "../../../src/tokens/index.ts";
import { itWhole } from "../../sample.ts";

const settled = settleBudget(budgetSchema().parse({}));
if (!settled.ok) throw new Error("no budget");
const budget = settled.value;

const FILE: DocumentOrigin = { kind: "file", path: "docs/a.md" };
const AGENTS: DocumentOrigin = { kind: "added", task: "T1", attempt: 1, agent: "a" };

function doc(label: string, text: string, origin = FILE): PackageDocument {
  const hash = createHash("sha256").update(text).digest("hex");
  return { label, version: 1, text, hash, origin, name: label };
}

/** A guide of so many sections, about a word. */
const guide = (word: string, sections: number) =>
  `# ${word}\n\n${Array.from({ length: sections }, (_, at) => `## Part ${at}\n\n- the ${word} of bed ${at} must never be wider than ${at * 3 + 1} cm\n`).join("\n")}`;

function levelsOf(documents: readonly PackageDocument[], question = "", asked: Record<string, number> = {}) {
  const of = documentLevels({
    budget,
    path: [{ id: "ctx-root", documents, repeated: [] }],
    question,
    usesOf: source => ({ ...UNUSED, asked: asked[source] ?? 0 }),
    count: countTokens,
    memory: createSessionTier(1e8),
  });
  return documents.map(document => of(document));
}

describe("how documents may be told where not everything fits", () => {
  it("[G28] a long one at lower levels, each shorter than the one before; a short one whole or not at all", () => {
    const [long, short] = levelsOf([doc("long", guide("fence", 200)), doc("short", guide("gate", 3))]);
    expect(long!.forms.map(({ level }) => level)).toEqual([0, 1, 2, 3]);
    const sizes = long!.forms.map(({ text }) => countTokens(text));
    expect(sizes).toEqual(sizes.toSorted((a, b) => b - a));
    expect(sizes[3]).toBeLessThanOrEqual(300);
    expect(short!.forms.map(({ level }) => level)).toEqual([0]);
  });

  it("[G28] what a person wrote, what the task is about and what was asked for is worth more", () => {
    const documents = [
      doc("oak", "the oak stands by the wall"),
      doc("elm", "the elm stands by the pond"),
      doc("found", "the elm has been felled", AGENTS),
    ];
    const worth = (question: string, asked = {}) =>
      levelsOf(documents, question, asked).map(({ priority }) => priority);
    const [oak, elm, found] = worth("nothing of that");
    expect(oak).toBe(elm);
    expect(found).toBeLessThan(elm!);
    const about = worth("water the elm");
    expect(about[1]).toBeGreaterThan(about[0]!);
    expect(about[1]).toBeGreaterThan(about[2]!);
    expect(worth("", { oak: 3 })[0]).toBeGreaterThan(worth("")[0]!);
  });

  it("[G140] one that is longer than what is read of it at levels that say so, and not as if it had no room", () => {
    const [huge] = levelsOf([
      doc("huge", `${guide("fence", 200)}${"x ".repeat(500_000)}\n\n## End\n\n- oak\n`),
    ]);
    const [, detailed, , key] = huge!.forms;
    expect(huge!.forms.map(({ level }) => level)).toEqual([0, 1, 2, 3]);
    expect(detailed!.text).toContain("characters are not read here)");
    expect(countTokens(key!.text)).toBeLessThanOrEqual(300);
  });

  itWhole("[G28] no more is read than a package can bear", () => {
    const huge = Array.from({ length: 4 }, (_, at) =>
      doc(`d${at}`, `${guide(`w${at}`, 200)}${"x ".repeat(200_000)}`),
    );
    const told = levelsOf(huge).map(({ forms }) => forms.length > 1);
    expect(told).toEqual([true, true, false, false]);
  });
});
