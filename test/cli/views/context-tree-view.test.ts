import { describe, expect, it } from "vitest";
import type { PackageReceipt } from "../../../src/assembly/index.ts";
import { contextTreeView } from "../../../src/cli/views/context-tree-view.ts";
import { lookOf } from "../../../src/cli/views/look.ts";
import { receiptView } from "../../../src/cli/views/receipt-view.ts";
import { treeWords } from "../../../src/cli/views/words/context-tree-words.ts";
import type { TreeDocumentFacts, TreeNodeFacts } from "../../../src/host/project/context-tree.ts";
import { growth, LINEAR } from "../../growth.ts";

const PLAIN = lookOf({ isTTY: false }, {}, "en");
const NARROW = lookOf({ isTTY: true, columns: 50 }, { NO_COLOR: "1" }, "en");
const EN = treeWords("en");

function node(id: string, parent: string | null, more: Partial<TreeNodeFacts> = {}): TreeNodeFacts {
  const base = {
    status: "active",
    mergedInto: null,
    by: "plan",
    filledBy: [],
    ready: null,
    readBy: [],
    documents: [],
  } as const;
  return { id, parent, ...base, ...more };
}

function document(label: string, more: Partial<TreeDocumentFacts> = {}): TreeDocumentFacts {
  const base = {
    place: "own",
    version: 1,
    tokens: 12,
    source: `file ${label}`,
    provenance: null,
    withdrawn: false,
  };
  return { label, ...base, ...more } as TreeDocumentFacts;
}

describe("the drawn tree", () => {
  it("shows branches below their parents, documents before branches, and nothing hanging in the air", () => {
    const nodes = [
      node("ctx-root", null, { documents: [document("spec"), document("rules", { place: "shared" })] }),
      node("ctx-a", "ctx-root", { readBy: ["T1", "T2"], documents: [document("api", { withdrawn: true })] }),
      node("ctx-a1", "ctx-a", { status: "completed", ready: true }),
      node("ctx-b", "ctx-root", {
        filledBy: ["T0"],
        ready: false,
        documents: [document("new.md", { version: 0, source: "" })],
      }),
    ];
    expect(contextTreeView({ nodes }, EN, PLAIN)).toEqual([
      "ctx-root",
      "├╴spec v1  12 tokens · file spec",
      "├╴rules v1  12 tokens · shared · file rules",
      "├─ ctx-a  read by T1, T2",
      "│  ├╴api v1  12 tokens · file api · taken back",
      "│  └─ ctx-a1  completed",
      "└─ ctx-b  being prepared  filled by T0",
      "   └╴new.md  12 tokens · not published yet",
    ]);
  });

  it("draws thousands of nodes, deep or wide, in the time of their number", () => {
    const deep = [node("n0", null), ...Array.from({ length: 1999 }, (_, at) => node(`n${at + 1}`, `n${at}`))];
    expect(contextTreeView({ nodes: deep }, EN, NARROW)).toHaveLength(2000);
    const wide = (size: number) => [
      node("n0", null),
      ...Array.from({ length: size - 1 }, (_, at) => node(`n${at + 1}`, "n0")),
    ];
    const draw = (nodes: ReturnType<typeof wide>) => contextTreeView({ nodes }, EN, NARROW);
    expect(draw(wide(10_000))).toHaveLength(10_000);
    expect(growth(500, wide, draw)).toBeLessThan(LINEAR);
  });

  it("shows foreign names as they are and does nothing they say", () => {
    const evil = "x\u001b[2J\u202e\n- y";
    const nodes = [node("ctx-root", null, { readBy: [evil], documents: [document("d", { source: evil })] })];
    const lines = contextTreeView({ nodes }, EN, PLAIN);
    expect(lines).toHaveLength(2);
    for (const line of lines) {
      expect(line).toContain("x\\x1b[2J\\u{202e}\\n- y");
      expect(line).not.toContain("\u001b");
    }
  });

  it("names some readers and counts the others, within the width of the terminal", () => {
    const readBy = Array.from({ length: 30 }, (_, at) => `T${at}`);
    const [line] = contextTreeView({ nodes: [node("ctx-root", null, { readBy })] }, EN, PLAIN);
    expect(line).toBe("ctx-root  read by T0, T1, T2, T3, T4, T5, T6, T7, +22");
    const [cut] = contextTreeView({ nodes: [node("ctx-root", null, { readBy })] }, EN, NARROW);
    expect(cut!.length).toBeLessThanOrEqual(50);
  });
});

describe("a receipt", () => {
  const receipt: PackageReceipt = {
    form: 1,
    node: "ctx-a",
    tokens: 100,
    limit: 1000,
    prefix: { tokens: 60, bytes: 300 },
    parts: [
      { kind: "role", source: "worker", tokens: 60, level: 0, in: true, why: "given" },
      {
        kind: "document",
        source: "spec",
        node: "ctx-root",
        version: 3,
        tokens: 40,
        level: 0,
        in: true,
        why: "given",
      },
      {
        kind: "document",
        source: "copy",
        node: "ctx-a",
        version: 1,
        tokens: 0,
        level: 0,
        in: false,
        why: "same-text",
        of: "spec",
      },
      { kind: "result", source: "T1#2", tokens: 0, level: "pointer", in: false, why: "no-room" },
    ],
  };

  it("has a line for each part, what is out with its reason", () => {
    expect(receiptView("T2#1", receipt, EN, PLAIN)).toEqual([
      "T2#1 read ctx-a: 100 of 1000 tokens",
      "60 tokens (60 %) begin as the last package of its kind did",
      "  60  role      worker",
      "  40  document  spec v3  ctx-root",
      "   0  document  copy v1  ctx-a  out  the same text as spec",
      "   0  result    T1#2       out  no room was left",
    ]);
  });

  it("adds what was told while the attempt ran, acknowledged or not", () => {
    const live = [
      { label: "spec", version: 4, tokens: 12, acknowledged: true },
      { label: "spec", version: 5, tokens: 9, acknowledged: false },
    ];
    expect(receiptView("T2#1", { ...receipt, live }, EN, PLAIN).slice(-2)).toEqual([
      "  12  update    spec v4  while it ran, acknowledged",
      "   9  update    spec v5  while it ran, not acknowledged",
    ]);
    expect(receiptView("T2#1", { ...receipt, live }, treeWords("ko"), PLAIN).at(-1)).toContain("확인 없음");
  });

  it("speaks Korean, and knows a word for every kind and reason", () => {
    const words = treeWords("ko");
    expect(receiptView("T2#1", receipt, words, PLAIN)[0]).toBe("T2#1 ← ctx-a: 100/1000 토큰");
    for (const group of ["kinds", "reasons", "status"] as const)
      expect(Object.keys(words[group])).toEqual(Object.keys(EN[group]));
    expect(Object.keys(words)).toEqual(Object.keys(EN));
  });
});
