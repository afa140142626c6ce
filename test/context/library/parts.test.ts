import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { growTree, hangDocument, newTree } from "../../../src/context/library/grow-tree.ts";
import { fillProblem } from "../../../src/context/library/harvest.ts";
import { addedLabel, fileLabel, fillLabel } from "../../../src/context/library/labels.ts";
import { attemptsOf } from "../../../src/context/library/package-sources.ts";
import { resultText } from "../../../src/context/library/result-text.ts";
import { revertAttempt } from "../../../src/context/library/revert.ts";
import { isLabel } from "../../../src/delta/index.ts";
import type { ContextNodeDeclaration } from "../../../src/plan/index.ts";
import { ENGLISH, KOREAN, type Messages, reasonText } from "../../../src/text/index.ts";
import {
  complete,
  docsOf,
  merge,
  nodeName,
  parentName,
  pathOf,
  ROOT,
  treeRows,
} from "../../../src/tree/index.ts";
import { itWhole } from "../../sample.ts";

const free = () => false;

describe("labels", () => {
  it.each([
    ["docs/spec.md", "docs-spec.md"],
    ["README.md", "README.md"],
    ["a_b/c.d-e.md", "a_b-c.d-e.md"],
    ["docs/설계.md", "docs-설계.md"],
    ["문서/認証.md", "문서-認証.md"],
  ])("[G127] %s is called %s", (path, label) => {
    expect(fileLabel(path, free)).toBe(label);
  });

  it("[G127] of odd, long or reserved names carry a hash, and are never the global one", () => {
    expect(fileLabel("docs/인증 (초안).md", free)).toMatch(/^docs-인증-초안-\.md-[0-9a-f]{8}$/);
    expect(fileLabel("docs/인증.md".normalize("NFD"), free)).toMatch(/^docs-인증\.md-[0-9a-f]{8}$/);
    expect(fileLabel(".github/rules.md", free)).toMatch(/^github-rules\.md-[0-9a-f]{8}$/);
    expect(fileLabel("-", free)).toMatch(/^file-[0-9a-f]{8}$/);
    expect(fileLabel("GC", free)).toMatch(/^GC-[0-9a-f]{8}$/);
    expect(fileLabel(`${"x".repeat(300)}.md`, free)).toMatch(/-[0-9a-f]{8}$/);
    expect(fileLabel("a/b.md", label => label === "a-b.md")).toMatch(/^a-b\.md-[0-9a-f]{8}$/);
    expect(fillLabel("T1.2")).toBe("fill-T1.2");
    expect(addedLabel("T1.2", 3, 1)).toBe("add-T1.2-3-1");
  });

  itWhole("[G1] [G2] [G127] of any name can stand in messages, and differ where the names do", () => {
    const text = fc.oneof(fc.string({ unit: "binary", maxLength: 100 }), fc.string({ maxLength: 100 }));
    fc.assert(
      fc.property(
        text,
        text,
        fc.integer({ min: 1, max: 999_999 }),
        fc.integer({ min: 1, max: 20 }),
        (a, b, n, m) => {
          for (const label of [
            fileLabel(a, free),
            fileLabel(a, () => true),
            fillLabel(a),
            addedLabel(a, n, m),
          ]) {
            expect([label, isLabel(label)]).toEqual([label, true]);
            expect(label).not.toBe("GC");
          }
          expect(fillLabel(a) === fillLabel(b)).toBe(a === b);
        },
      ),
    );
  });
});

const tree = (nodes: readonly ContextNodeDeclaration[]) => {
  const grown = newTree(1).tree;
  growTree(grown, nodes, 2);
  return grown;
};

/** Declared trees without circles: each node hangs on an earlier one or on the root, in any order of declaration. */
const declared = fc
  .array(fc.record({ parent: fc.nat(20), rank: fc.nat(1000) }), { maxLength: 15 })
  .map(given =>
    given
      .map(({ parent, rank }, at) => ({
        rank,
        node: {
          id: `n${at}`,
          ...(parent % (at + 1) === 0 ? {} : { parent: `ctx-n${(parent % (at + 1)) - 1}` }),
        },
      }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ node }): ContextNodeDeclaration => node),
  );

describe("growing the tree", () => {
  it("[G12] makes every declared node below its parent, whatever stands first", () => {
    fc.assert(
      fc.property(declared, nodes => {
        const grown = tree(nodes);
        expect(grown.nodes.size).toBe(nodes.length + 1);
        for (const node of nodes)
          expect(grown.nodes.get(nodeName(node.id))?.parent?.id).toBe(parentName(node));
        expect(growTree(grown, nodes, 3)).toEqual({ nodes: [], documents: [] });
      }),
    );
  });

  it("[G12] moves what is declared elsewhere now, and forgets nothing", () => {
    fc.assert(
      fc.property(declared, declared, (before, after) => {
        const grown = tree(before);
        const known = [...grown.nodes.keys()];
        growTree(grown, after, 3);
        for (const id of known) expect(grown.nodes.has(id)).toBe(true);
        for (const node of grown.nodes.values()) expect(pathOf(node)[0]).toBe(grown.root);
      }),
    );
  });

  it("[G12] keeps the root's place for the project's own context", () => {
    const grown = tree([{ id: "a", documents: ["x.md"] }]);
    expect(grown.root.shared.map(({ label }) => label)).toEqual(["GC"]);
    expect(treeRows(grown).documents).toMatchObject([
      { node: ROOT, label: "GC", place: "shared", position: 0 },
    ]);
    expect(docsOf(grown, "a", () => undefined)).toEqual([]);
  });
});

const origin = { task: "T1", attempt: 1, agent: "a", at: 1, sha256: "0" };

describe("handing over", () => {
  it("[G2] to a merged node is to the node it was merged into", () => {
    const grown = tree([{ id: "a" }, { id: "b" }, { id: "c" }]);
    merge(grown, "a", "b");
    merge(grown, "b", "c");
    const source = { kind: "added", index: 1, ...origin } as const;
    expect(hangDocument(grown, "a", { label: "x", source })).toMatchObject({
      documents: [{ node: "ctx-c" }],
    });
    complete(grown, "c");
    expect(hangDocument(grown, "a", { label: "y", source })).toEqual({
      unhung: "ctx-c",
      status: "completed",
    });
    expect(hangDocument(grown, "z", { label: "y", source })).toEqual({ unhung: "ctx-z" });
  });

  it("[G13] is taken back attempt by attempt, fills and blocks alike", () => {
    const grown = tree([{ id: "a" }]);
    const put = (label: string, attempt: number, kind: "fill" | "added") => {
      const from = { ...origin, attempt };
      hangDocument(grown, "a", {
        label,
        source: kind === "fill" ? { kind, ...from } : { kind, index: 1, ...from },
      });
    };
    put("one", 1, "fill");
    put("two", 1, "added");
    put("three", 2, "added");
    expect(revertAttempt(grown, "T1", 1).labels).toEqual(["one", "two"]);
    expect(revertAttempt(grown, "T1", 1)).toEqual({ labels: [], step: undefined });
    expect(revertAttempt(grown, "T2", 2).labels).toEqual([]);
    const hashOf = (label: string) => (label === "GC" ? undefined : label);
    expect(docsOf(grown, "a", hashOf).map(({ label }) => label)).toEqual(["three"]);
  });
});

describe("an answer as others read it", () => {
  it.each([
    ["built\nDONE:T1#ab", "built"],
    ["built\n\nFAIL:T1#ab:why\n\n", "built"],
    ["DONE:T1#ab", ""],
    ["DONE: is a word\nof mine", "DONE: is a word\nof mine"],
    ["[ADD_CONTEXT:a]x[/ADD_CONTEXT]\nbuilt\n[SPAWN:research] y\nDONE:T1", "built"],
    ["[ADD_CONTEXT:a]\nnever ends", "[ADD_CONTEXT:a]\nnever ends"],
    ["", ""],
  ])("[G1] %j is %j", (message, text) => {
    expect(resultText(message)).toBe(text);
  });

  it("[G42] is read by the next attempt without the signal of the one that gave it", () => {
    const row = {
      number: 1,
      outcome: "failed",
      nonce: "ab",
      feedback: "[ADD_CONTEXT:a]x[/ADD_CONTEXT]\n3 of 41 tests are red\n\nFAIL:T1#ab:red",
      reason: { code: "agent-said", args: { text: "red" } },
    };
    const store = { attempts: () => ({ ok: true, value: [row] }) };
    const reading = { task: { id: "T1" }, runId: "r", attempt: 2, store, feedback: "", now: 0 };
    const [told] = attemptsOf(reading as never, ENGLISH);
    expect(told?.told).toBe("[ADD_CONTEXT:a]x[/ADD_CONTEXT]\n3 of 41 tests are red");
  });

  it("[G45] is told in the language of the project, and a reason once", () => {
    const row = { number: 1, outcome: "failed", feedback: "" };
    const of = (more: object, locale: Messages) => {
      const store = { attempts: () => ({ ok: true, value: [{ ...row, ...more }] }) };
      const reading = { task: { id: "T1" }, runId: "r", attempt: 2, store, feedback: "", now: 0 };
      return attemptsOf(reading as never, locale)[0];
    };
    const crash = { reason: { code: "agent-crashed", args: { exit: 3, said: "panic" } } };
    expect(of({ ...crash, feedback: "에이전트 종료 코드 3: panic" }, KOREAN)).toEqual({
      number: 1,
      how: "실패: 에이전트 종료 코드 3: panic",
      told: "",
    });
    expect(of({ ...crash, feedback: "agent exit 3: panic\nmore" }, ENGLISH)?.told).toBe(
      "agent exit 3: panic\nmore",
    );
    const none = { outcome: "no-signal", reason: { code: "no-signal", args: {} } };
    expect([of(none, KOREAN)?.how, of(none, ENGLISH)?.how]).toEqual(["신호 없음", "no signal"]);
  });

  it("[G6] is no document when nothing is left, or when its beginning may be missing", () => {
    expect(fillProblem("# API\nDONE:T1#a")).toBeUndefined();
    for (const empty of ["", "DONE:T1#a", "\n\n", "[ADD_CONTEXT:a]x[/ADD_CONTEXT]\nDONE:T1#a"])
      expect(fillProblem(empty)?.code).toBe("document-empty");
    expect(fillProblem("가".repeat(22_000))?.code).toBe("document-too-long");
    for (const locale of ["en", "ko"] as const)
      expect(reasonText(fillProblem("a".repeat(65_536))!, locale)).toContain("$ESPALIER_DOCUMENT");
    expect(fillProblem("a".repeat(65_535))).toBeUndefined();
  });
});
