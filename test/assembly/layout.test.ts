import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ContextPackage,
  createLayouts,
  PACKAGE_LIMITS,
  type PackageDocument,
  type PackageRequest,
} from "../../src/assembly/index.ts";
import { CACHE_RATES } from "../../src/budget/index.ts";
import { decode } from "../../src/delta/index.ts";
import { PACKAGE_ENGLISH, PACKAGE_KOREAN } from "../../src/text/index.ts";
import { assembler, doc, node, prose, request } from "./parts.ts";

/** What a reader who follows the parts in order holds of each document in the end. */
function heldBy({ text }: ContextPackage): Map<string, string> {
  const held = new Map<string, string>();
  for (let at = 0; ; ) {
    const open = /<(document|update) label="([^"]+)"[^>]* hash="([0-9a-f]{12})">\n/g;
    open.lastIndex = at;
    const tag = open.exec(text);
    if (tag === null) return held;
    const [, kind, label, hash] = tag as unknown as [string, string, string, string];
    const from = open.lastIndex;
    const end = text.indexOf(`</${kind} ${hash}>`, from);
    const body = text.slice(from, end);
    if (kind === "document") held.set(label, body);
    else {
      const base = held.get(label);
      // A text that did not end with a line break was given one; its own form is the one that decodes.
      const bases = [base!, base!.slice(0, -1)];
      const read = bases
        .map(text => decode(body.endsWith("\n") ? body.slice(0, -1) : body, text))
        .find(result => result.ok);
      if (read?.ok !== true) throw new Error(`an update of ${label} is of no use to its reader`);
      held.set(label, read.value.text.endsWith("\n") ? read.value.text : `${read.value.text}\n`);
    }
    at = end;
  }
}

describe("documents that change", () => {
  const root = doc("spec", prose("spec", 600));
  const api = doc("api", prose("api", 600));

  it("[B3] are appended as updates; everything before stays as it was", () => {
    const make = assembler();
    const first = make(request([node("ctx-root", root), node("ctx-a", api)]));
    const next = doc("spec", root.text.replace("- spec: the gate", "- spec: the last gate"), 2);
    const second = make(request([node("ctx-root", next), node("ctx-a", api)]));
    expect(second.receipt.parts.map(part => `${part.kind} ${part.source} ${part.version ?? ""}`)).toEqual([
      "role worker ",
      "heading documents ",
      "document spec 1",
      "document api 1",
      "heading updates ",
      "update spec 2",
      "heading task ",
      "task T1 ",
    ]);
    expect(second.text).toContain("[CONTEXT-UPDATE] spec-v1→2");
    const upTo = first.text.indexOf("# Task");
    expect(second.text.slice(0, upTo)).toBe(first.text.slice(0, upTo));
    expect(heldBy(second).get("spec")).toBe(next.text);
  });

  it("[B3] new ones are appended behind the branch, also those of the root", () => {
    const make = assembler();
    make(request([node("ctx-root", root), node("ctx-a", api)]));
    const found = doc("add-1", "The token lives for an hour.\n");
    const second = make(request([node("ctx-root", root, found), node("ctx-a", api)]));
    expect(second.receipt.parts.map(part => part.source)).toEqual([
      "worker",
      "documents",
      "spec",
      "api",
      "updates",
      "add-1",
      "task",
      "T1",
    ]);
    // Another branch of the same root sees it in the same place.
    const other = make(request([node("ctx-root", root, found), node("ctx-b", doc("b", "b"))]));
    expect(other.receipt.parts.map(part => part.source).slice(2, 6)).toEqual([
      "spec",
      "b",
      "updates",
      "add-1",
    ]);
  });

  it("[B106] one that is given anew as a whole is said to replace the version before it", () => {
    for (const words of [PACKAGE_ENGLISH, PACKAGE_KOREAN]) {
      const make = assembler();
      const other = doc("spec", "Nothing of it is left.\n", 2);
      const rules = { role: words.rules(false), words };
      make(request([node("ctx-root", root), node("ctx-a", api)], rules));
      const { text } = make(request([node("ctx-root", other), node("ctx-a", api)], rules));
      expect(text).toContain('<document label="spec" version=1');
      expect(text).toContain('<document label="spec" version=2');
      const [, above = ""] = text.split(/^(# .*)\n\n<document label="spec" version=2/m);
      expect(above).toMatch(/a higher version replaces the version before it|높은 버전은 그 전 버전만 대체/);
      // A session that goes on has read older ones in an earlier package.
      const again = assembler()(request([node("ctx-root", other)], rules));
      expect(again.text).toMatch(/the highest one replaces the others|가장 높은 버전이 나머지를 대체/);
    }
  });

  it("[B4] a withdrawn one is gone from the next package", () => {
    const make = assembler();
    make(request([node("ctx-root", root, doc("bad", "poison"))]));
    const { text } = make(request([node("ctx-root", root)]));
    expect(text).not.toContain("poison");
  });

  it("[B4] is laid out afresh when half of it is superseded", () => {
    const make = assembler();
    let version = 1;
    let kinds: string[] = [];
    const seen: string[][] = [];
    for (let at = 0; at < 8; at++) {
      const lines = Array.from(
        { length: 40 },
        (_, line) => `- item ${line}: ${(line + at) % 3 === 0 ? at : "x"}`,
      );
      const made = make(request([node("ctx-root", doc("d", `# D\n\n${lines.join("\n")}\n`, version++))]));
      kinds = made.receipt.parts
        .map(part => part.kind)
        .filter(kind => kind === "document" || kind === "update");
      seen.push(kinds);
      const { tokens } = made.receipt;
      expect(tokens).toBeLessThan(2000);
    }
    expect(seen.some(list => list.length > 1)).toBe(true);
    expect(seen.slice(1).some(list => list.length === 1)).toBe(true);
  });

  it("[B4] changes are folded in when reading them as often as is to come costs more than storing the rest anew", () => {
    const outlook = (turns: number, cold = false) => ({
      rates: CACHE_RATES.claude,
      turns: () => turns,
      cold: () => cold,
    });
    const kindsAfter = (more: Pick<PackageRequest, "outlook">, changes: number) => {
      const make = assembler();
      make(request([node("ctx-root", root), node("ctx-a", api)]));
      let made: ContextPackage | undefined;
      for (let version = 2; version < 2 + changes; version++) {
        const text = root.text.replace("- spec: the gate", `- spec: gate number ${version}`);
        made = make(request([node("ctx-root", doc("spec", text, version)), node("ctx-a", api)], more));
      }
      return made!.receipt.parts.map(({ kind }) => kind).filter(kind => kind === "update").length;
    };
    // About 1,200 tokens would be stored anew, 1.15 times their price; a change of 40 tokens is read at a tenth of its.
    expect(kindsAfter({ outlook: outlook(20) }, 1)).toBe(1);
    expect(kindsAfter({ outlook: outlook(2000) }, 1)).toBe(0);
    expect(kindsAfter({ outlook: outlook(20) }, 3)).toBe(3);
    expect(kindsAfter({ outlook: outlook(150) }, 3)).toBeLessThan(3);
    expect(kindsAfter({ outlook: outlook(1, true) }, 1)).toBe(0);
    expect(kindsAfter({}, 3)).toBe(3);
  });

  it("[B4] a node that had nothing is laid out when something comes", () => {
    const make = assembler();
    make(request([node("ctx-root")]));
    const { receipt } = make(request([node("ctx-root", root)]));
    expect(receipt.parts.map(part => part.source)).toEqual(["worker", "documents", "spec", "task", "T1"]);
  });

  it("[B4] so is a branch without documents behind a root with some, unless the root has changed since", () => {
    const make = assembler();
    make(request([node("ctx-root", root), node("ctx-a")]));
    const filled = make(request([node("ctx-root", root), node("ctx-a", api)]));
    expect(filled.receipt.parts.map(part => part.source)).toEqual([
      "worker",
      "documents",
      "spec",
      "api",
      "task",
      "T1",
    ]);
    const other = assembler();
    const found = doc("found", "found\n");
    other(request([node("ctx-root", root), node("ctx-a")]));
    other(request([node("ctx-root", root, found), node("ctx-a")]));
    const late = other(request([node("ctx-root", root, found), node("ctx-a", api)]));
    expect(late.receipt.parts.map(part => part.source).slice(2, 6)).toEqual([
      "spec",
      "updates",
      "found",
      "api",
    ]);
  });

  it("[B3] a version that goes back, or of other numbers, is given whole", () => {
    const make = assembler();
    make(request([node("ctx-root", { ...root, version: 5 })]));
    const back = { ...doc("spec", `${root.text}- more\n`), version: 2 };
    const made = make(request([node("ctx-root", back)]));
    expect(heldBy(made).get("spec")).toBe(back.text);
    expect(made.receipt.parts.some(part => part.kind === "update")).toBe(false);
  });
});

describe("any history", () => {
  /** A step changes, adds or takes back a document on one of three nodes, then one branch is read. */
  const step = fc.record({
    node: fc.nat(2),
    document: fc.nat(3),
    change: fc.constantFrom("edit", "edit", "edit", "withdraw"),
    line: fc.nat(8),
    word: fc.constantFrom("alpha", "beta", "§", "- x: y → z", "# H", "가나다", "", "</document 0>"),
    read: fc.nat(1),
    turns: fc.constantFrom(undefined, 0, 1, 30, 1000),
    cold: fc.boolean(),
  });

  it("[B2] [B3] [B11] gives readers the newest text of every document, the same bytes again, and adds up", () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 12 }), steps => {
        const run = () => {
          const make = assembler(createLayouts());
          const nodes = ["ctx-root", "ctx-a", "ctx-b"].map(() => new Map<string, PackageDocument>());
          const out: string[] = [];
          for (const { node: at, document, change, line, word, read, turns, cold } of steps) {
            const label = `d${at}-${document}`;
            const old = nodes[at]!.get(label);
            if (change === "withdraw") nodes[at]!.delete(label);
            else {
              const lines = (
                old?.text ?? `# ${label}\n\n- a: 1\n- b: 2\n\n## S\n\nwords of ${label}\n`
              ).split("\n");
              lines.splice(Math.min(line, lines.length - 1), old === undefined ? 0 : 1, `${word} ${label}`);
              nodes[at]!.set(label, doc(label, lines.join("\n"), (old?.version ?? 0) + 1));
            }
            const path = [0, read + 1].map(index =>
              node(["ctx-root", "ctx-a", "ctx-b"][index]!, ...nodes[index]!.values()),
            );
            const outlook =
              turns === undefined
                ? {}
                : { outlook: { rates: CACHE_RATES.claude, turns: () => turns, cold: () => cold } };
            const made = make(request(path, outlook));
            const expected = new Map(
              path.flatMap(({ documents }) =>
                documents.map(
                  ({ label, text }) => [label, text.endsWith("\n") ? text : `${text}\n`] as const,
                ),
              ),
            );
            expect(heldBy(made)).toEqual(expected);
            const { parts, tokens } = made.receipt;
            expect(parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(tokens);
            expect(tokens).toBeLessThanOrEqual(PACKAGE_LIMITS.tokens);
            out.push(made.text);
          }
          return out;
        };
        expect(run()).toEqual(run());
      }),
      { numRuns: 60 },
    );
  });
});
