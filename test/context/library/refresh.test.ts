import { describe, expect, it } from "vitest";
import type { PackageReceipt } from "../../../src/assembly/index.ts";
import { hangDocument } from "../../../src/context/library/grow-tree.ts";
import type { DocumentFiles } from "../../../src/context/library/index.ts";
import { fail, ok, type RunEvent } from "../../../src/ports/index.ts";
import { KOREAN, told } from "../../../src/text/index.ts";
import { type Bench, openBench } from "../../engine/bench.ts";
import type { Part } from "../../engine/puppets.ts";
import { inEnglish } from "../../reasons.ts";

/** Files that a test changes while the engine runs. */
function filesOf(texts: Map<string, string>): DocumentFiles {
  const missing = (path: string) =>
    fail({ kind: "missing" as const, path, message: `${path} does not exist` });
  return {
    list: pattern => {
      if (!pattern.includes("*")) return texts.has(pattern) ? ok([pattern]) : missing(pattern);
      const folder = pattern.slice(0, pattern.indexOf("*"));
      return ok([...texts.keys()].filter(path => path.startsWith(folder)).sort());
    },
    read: path => (texts.has(path) ? ok(texts.get(path)!) : missing(path)),
  };
}

const TASKS = [
  "### [ ] T1.1: a\n- context: ctx-a\n",
  "### [ ] T1.2: b\n- context: ctx-a\n- depends_on: [T1.1]\n",
  "### [ ] T1.3: c\n- context: ctx-a\n- depends_on: [T1.2]\n",
  "## Context\n\n- ctx-root: docs/spec.md (shared)\n  - ctx-a: docs/a/*\n",
].join("\n");

const done = (part: Part) => part.say(`DONE:${part.id}`);

function warnings(bench: Bench, code: string): string[] {
  return bench.events.flatMap((event: RunEvent) =>
    event.type === "warning" && event.code === code ? [inEnglish(event.message)] : [],
  );
}

describe("files that nodes declare", () => {
  it("[G12] are read at dispatch; what changed is a new version, what is new hangs on, what is gone goes", async () => {
    const texts = new Map([
      ["docs/spec.md", "# Spec\n\n- gate: oak\n- wire: steel\n- wall: brick\n"],
      ["docs/a/one.md", "one"],
    ]);
    using bench = openBench({ tasks: TASKS, world: { documents: filesOf(texts) } });
    const end = bench.start();
    const first = await bench.puppets.next("T1.1");
    expect(first.prompt).toContain(
      '<document label="docs-spec.md" version=1 node="ctx-root" from="file docs/spec.md"',
    );
    expect(first.prompt).toContain('<document label="docs-a-one.md" version=1 node="ctx-a"');

    texts.set("docs/spec.md", texts.get("docs/spec.md")!.replace("oak", "iron"));
    texts.set("docs/a/two.md", "two");
    done(first);
    const second = await bench.puppets.next("T1.2");
    expect(second.prompt).toContain("[CONTEXT-UPDATE] docs-spec.md-v1→2");
    expect(second.prompt).toContain('<document label="docs-a-two.md" version=1');
    const shared = first.prompt.indexOf("# Task");
    expect(second.prompt.slice(0, shared)).toBe(first.prompt.slice(0, shared));

    texts.delete("docs/a/one.md");
    done(second);
    const third = await bench.puppets.next("T1.3");
    expect(third.prompt).not.toContain("docs-a-one.md");
    expect(third.prompt).toContain("two\n</document");
    done(third);
    expect(await end).toMatchObject({ outcome: "completed" });
    const tree = bench.engine.library.tree(0);
    expect(tree?.nodes.get("ctx-a")?.own.map(({ label, withdrawn }) => [label, withdrawn])).toEqual([
      ["docs-a-one.md", true],
      ["docs-a-two.md", false],
    ]);
    expect(tree?.root.shared.map(({ label }) => label)).toEqual(["GC", "docs-spec.md"]);
  });

  it("[G127] in folders that begin with a dot are read, also where an earlier version gave them a label of no use", async () => {
    const texts = new Map([
      ["docs/spec.md", "# Spec\n"],
      [".github/rules.md", "Gates are oak.\n"],
    ]);
    const tasks = TASKS.replace("docs/a/*", ".github/rules.md");
    using bench = openBench({ tasks, world: { documents: filesOf(texts) } });
    const end = bench.start();
    const first = await bench.puppets.next("T1.1");
    expect(first.prompt).toMatch(/<document label="github-rules\.md-[0-9a-f]{8}" version=1 node="ctx-a"/);
    const tree = bench.engine.library.tree(0)!;
    const source = { kind: "file", path: ".github/rules.md" } as const;
    hangDocument(tree, "ctx-a", { label: ".github-rules.md", source });
    texts.set(".github/rules.md", "Gates are larch.\n");
    done(first);
    const second = await bench.puppets.next("T1.2");
    expect(second.prompt).toContain("Gates are larch.");
    expect(
      tree.nodes.get("ctx-a")?.own.map(({ label, withdrawn }) => [label.slice(0, 7), withdrawn]),
    ).toEqual([
      ["github-", false],
      [".github", true],
    ]);
    done(second);
    done(await bench.puppets.next("T1.3"));
    await end;
  });

  it("[G127] of names that make one label are each read under one of their own", async () => {
    const texts = new Map([
      ["docs/spec.md", "# Spec\n"],
      ["docs/a/b.md", "Gates are oak.\n"],
      ["docs/a-b.md", "Gates are larch.\n"],
    ]);
    const tasks = TASKS.replace("docs/a/*", "docs/a/b.md, docs/a-b.md");
    using bench = openBench({ tasks, world: { documents: filesOf(texts) } });
    const end = bench.start();
    const first = await bench.puppets.next("T1.1");
    expect(first.prompt).toContain("Gates are oak.");
    expect(first.prompt).toContain("Gates are larch.");
    done(first);
    done(await bench.puppets.next("T1.2"));
    done(await bench.puppets.next("T1.3"));
    await end;
  });

  it("[G12] take back nothing that others published since: a change is laid on top of it", async () => {
    const texts = new Map([
      ["docs/spec.md", "# Spec\n\n## Gate\n\n- gate: oak\n\n## Wire\n\n- wire: steel\n"],
    ]);
    using bench = openBench({ tasks: TASKS, world: { documents: filesOf(texts) } });
    const end = bench.start();
    const first = await bench.puppets.next("T1.1");
    const others = texts.get("docs/spec.md")!.replace("steel", "copper");
    await bench.engine.shared.act("docs-spec.md", { type: "publish", text: others, by: "a person" });
    const text = () => {
      const found = bench.engine.shared.text("docs-spec.md");
      return found.ok ? found.value : undefined;
    };
    done(first);
    const second = await bench.puppets.next("T1.2");
    expect(text()).toMatchObject({ version: 2, text: others });
    texts.set("docs/spec.md", texts.get("docs/spec.md")!.replace("oak", "iron"));
    done(second);
    const third = await bench.puppets.next("T1.3");
    expect(text()).toMatchObject({ version: 3, text: others.replace("oak", "iron") });
    expect(third.prompt).toContain("copper");
    done(third);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(text()?.version).toBe(3);
  });

  it("[G45] one that cannot be read is told in the language of the project", async () => {
    const missing = (path: string) =>
      fail({ kind: "missing" as const, path, message: `${path} does not exist`, why: told`does not exist` });
    using bench = openBench({
      tasks: TASKS,
      world: { documents: { list: missing, read: missing } },
      engine: { messages: KOREAN },
    });
    void bench.start();
    await bench.puppets.next("T1.1");
    await bench.engine.send({ type: "tick" });
    expect(warnings(bench, "CONTEXT_FILE")).toEqual(["docs/spec.md: 없습니다", "docs/a/*: 없습니다"]);
  });

  it("[G12] one that was deleted since is told, stands in the receipt, and does not hold the task up", async () => {
    const texts = new Map([["docs/a/one.md", "one"]]);
    using bench = openBench({ tasks: TASKS, world: { documents: filesOf(texts) } });
    void bench.start();
    const part = await bench.puppets.next("T1.1");
    await bench.engine.send({ type: "tick" });
    expect(part.prompt).toContain("one\n</document");
    expect(warnings(bench, "CONTEXT_FILE")).toEqual(["docs/spec.md does not exist"]);
    const rows = bench.engine.library.rows.receipts("run-1", "T1.1");
    const receipt = JSON.parse(rows.ok ? rows.value[0]!.receipt : "{}") as PackageReceipt;
    expect(receipt.parts.at(-1)).toMatchObject({
      source: "docs/spec.md",
      node: "ctx-root",
      in: false,
      why: "unreadable",
      tokens: 0,
    });
  });

  it("[G12] the project's own context is read by all once it is published", async () => {
    using bench = openBench({ tasks: "### [ ] T1.1: a\n\n### [ ] T1.2: b\n- depends_on: [T1.1]\n" });
    void bench.start();
    const first = await bench.puppets.next("T1.1");
    const text = "# Rules\n\n- be kind\n";
    await bench.engine.shared.act("GC", { type: "publish", text, by: "a person" });
    done(first);
    const { prompt } = await bench.puppets.next("T1.2");
    expect(prompt).toContain('<document label="GC" version=1 node="ctx-root" from="published by a person"');
    expect(prompt).toContain("- be kind");
  });

  it("[G13] what an attempt handed over can be taken back, and is gone from the next package", async () => {
    using bench = openBench({
      tasks: TASKS,
      world: { documents: filesOf(new Map([["docs/spec.md", "s"]])) },
    });
    void bench.start();
    const first = await bench.puppets.next("T1.1");
    first.say(`[ADD_CONTEXT:ctx-a]a mistake[/ADD_CONTEXT]\nDONE:${first.id}`);
    const second = await bench.puppets.next("T1.2");
    expect(second.prompt).toContain("a mistake");
    expect(await bench.engine.library.revert("T1.1", 1)).toEqual(["add-T1.1-1-1"]);
    expect(await bench.engine.library.revert("T1.1", 1)).toEqual([]);
    done(second);
    expect((await bench.puppets.next("T1.3")).prompt).not.toContain("a mistake");
  });

  it("[G14] role prompts are replaced by files; one that cannot be read is told", async () => {
    const { DEFAULT_TREE } = await import("../../../src/engine/attempt/briefing.ts");
    const texts = new Map([
      ["docs/spec.md", "s"],
      ["prompts/worker.md", "You are a gardener."],
    ]);
    const prompts = { worker: "prompts/worker.md", contextFill: "prompts/none.md" };
    using bench = openBench({
      tasks: `${TASKS}\n### [ ] T1.4: d\n- fills: ctx-a\n`.replace(
        "### [ ] T1.4",
        "## Phase 1\n### [ ] T1.4",
      ),
      world: { documents: filesOf(texts) },
      engine: { tree: { ...DEFAULT_TREE, prompts } },
    });
    void bench.start();
    const fill = await bench.puppets.next("T1.4");
    expect(fill.prompt).toContain("# Role: Context Preparer");
    expect(warnings(bench, "ROLE_PROMPT")).toEqual(["prompts/none.md does not exist"]);
    fill.say(`# A\nDONE:${fill.id}`);
    const { prompt } = await bench.puppets.next("T1.1");
    expect(prompt.startsWith("You are a gardener.\n")).toBe(true);
    expect(prompt).toContain("[ADD_CONTEXT:");
  });
});
