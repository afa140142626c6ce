import { mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openLab } from "../lab.ts";

const TASKS = [
  "# Garden",
  "",
  "## Context",
  "",
  "- ctx-root: docs/spec.md",
  "  - ctx-api",
  "",
  "## Phase 0: Prepare",
  "",
  "### [ ] T0.1: Describe the API",
  "- fills: ctx-api",
  "- run:",
  "  ```sh",
  "  printf '# API\\n\\n- route: /trees\\n'",
  "  ```",
  "",
  "## Phase 1: Build",
  "",
  "### [ ] T1.1: Client",
  "- context: ctx-api",
  "- run:",
  "  ```sh",
  '  grep -q "route: /trees" "$ESPALIER_CONTEXT"',
  "  echo '[ADD_CONTEXT:ctx-api]- token: one hour[/ADD_CONTEXT]'",
  "  ```",
  "",
  "### [ ] T1.2: Server",
  "- context: ctx-api",
  "- depends_on: [T1.1]",
  "- run:",
  "  ```sh",
  '  grep -q "token: one hour" "$ESPALIER_CONTEXT"',
  "  ```",
  "",
].join("\n");

const FILES = { "TASKS.md": TASKS, "docs/spec.md": "# Spec\n\n- gate: oak\n" };

describe("espalier context tree, receipt and revert", { timeout: 120_000 }, () => {
  it("show what a run's tasks were given to read, and take back what one added", async () => {
    await using lab = openLab(FILES);
    const plan = await lab.ask("plan");
    expect(plan.stdout).toContain(
      [
        "Context tree",
        "ctx-root",
        "├╴docs/spec.md  8 tokens",
        "└─ ctx-api  filled by T0.1  read by T1.1, T1.2",
      ].join("\n"),
    );
    expect(plan.stdout).toContain("⇐ T0.1");
    const before = await lab.ask("context", "tree");
    expect(before.stdout).toContain("├╴docs/spec.md  8 tokens · not published yet");

    const run = await lab.cli(["run", "--yes"]);
    expect(run.code).toBe(0);
    const tree = await lab.ask("context", "tree");
    expect(tree.stdout).toBe(
      [
        "ctx-root",
        "├╴docs-spec.md v1  8 tokens · file docs/spec.md",
        "└─ ctx-api  completed  filled by T0.1  read by T1.1, T1.2",
        "   ├╴fill-T0.1 v1  8 tokens · prepared by T0.1, attempt 1, shell",
        "   └╴add-T1.1-1-1 v1  5 tokens · added by T1.1, attempt 1, shell",
        "",
      ].join("\n"),
    );
    const json = JSON.parse((await lab.ask("context", "tree", "--json")).stdout) as {
      nodes: {
        id: string;
        ready: boolean;
        documents: { label: string; provenance: { sha256?: string } | null }[];
      }[];
    };
    expect(json.nodes.map(({ id, ready }) => [id, ready])).toEqual([
      ["ctx-root", true],
      ["ctx-api", true],
    ]);
    expect(json.nodes[1]?.documents[1]?.provenance?.sha256).toMatch(/^[0-9a-f]{64}$/);

    const receipt = await lab.ask("context", "receipt", "T1.2");
    expect(receipt.stdout).toMatch(/^T1\.2#1 read ctx-api: \d+ of 150000 tokens\n/);
    for (const part of ["docs-spec.md v1", "fill-T0.1 v1", "add-T1.1-1-1 v1", "role      worker"])
      expect(receipt.stdout).toContain(part);
    const parts = JSON.parse((await lab.ask("context", "receipt", "T1.2#1", "--json")).stdout) as {
      tokens: number;
      parts: { tokens: number }[];
    };
    expect(parts.parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(parts.tokens);

    const got = async (...name: string[]) => (await lab.ask("context", "get", ...name)).stdout;
    expect(await got("T0.1")).toBe("# API\n\n- route: /trees\n");
    expect(await got("docs/spec.md")).toBe(FILES["docs/spec.md"]);
    expect(await got("add-T1.1-1-1")).toBe("- token: one hour");
    expect(await got()).toBe("docs-spec.md-v1, fill-T0.1-v1, add-T1.1-1-1-v1\nresults of T0.1\n");
    expect((await lab.ask("task", "show", "T0.1")).stdout).toContain("espalier context get T0.1");

    expect((await lab.ask("context", "revert", "T1.1#1")).stdout).toBe("T1.1#1: taken back add-T1.1-1-1\n");
    expect((await lab.ask("context", "revert", "T1.1#1")).stdout).toContain(
      "added nothing that is still there",
    );
    expect((await lab.ask("context", "tree")).stdout).toContain("attempt 1, shell · taken back");
    expect((await lab.ask("context", "show", "add-T1.1-1-1")).stdout).toBe("- token: one hour");
  });

  it("go through the process that runs, and what is taken back is gone from the next package", async () => {
    const waiting = TASKS.replace(
      "### [ ] T1.2: Server",
      "### [ ] T1.15: Wait\n- context: ctx-api\n- depends_on: [T1.1]\n- run:\n  ```sh\n  while [ ! -e go ]; do sleep 0.05; done\n  ```\n\n### [ ] T1.2: Server",
    ).replace(
      "- depends_on: [T1.1]\n- run:\n  ```sh\n  grep",
      "- depends_on: [T1.15]\n- run:\n  ```sh\n  ! grep",
    );
    await using lab = openLab({ ...FILES, "TASKS.md": waiting });
    const run = lab.start(["run", "--yes"]);
    await run.seen("[DISPATCH] T1.15");
    expect((await lab.ask("context", "tree")).stdout).toContain("add-T1.1-1-1 v1");
    const reverted = await lab.ask("context", "revert", "T1.1#1", "--json");
    expect(JSON.parse(reverted.stdout)).toEqual({ task: "T1.1", attempt: 1, labels: ["add-T1.1-1-1"] });
    lab.write("go", "");
    expect((await run.ended).code).toBe(0);
    expect((await lab.ask("context", "receipt", "T1.2")).stdout).not.toContain("add-T1.1-1-1");
  });

  it("say what they miss, in both languages", async () => {
    await using lab = openLab({
      "TASKS.md": "- [ ] T1: x\n  - run: true\n",
      "espalier.yaml": "locale: ko\n",
    });
    const bare = await lab.ask("context", "tree");
    expect(bare.code).toBe(0);
    expect(bare.stdout).toContain("컨텍스트 트리가 없습니다");
    await lab.cli(["run", "--yes"]);
    const none = await lab.ask("context", "receipt", "T9");
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("T9의 수령 내역이 없습니다");
    for (const [name, told] of [
      ["T9", "T9라는 문서나 태스크가 없습니다"],
      ["T1", "T1은 아직 답변을 남기지 않았습니다"],
    ] as const) {
      const got = await lab.ask("context", "get", name);
      expect(got.code).toBe(2);
      expect(got.stderr).toContain(told);
    }
    const bad = await lab.ask("context", "revert", "T1");
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain("태스크#번호");
  });
});

describe("documents of a plan", { timeout: 120_000 }, () => {
  const plan = (line: string) =>
    `## Context\n\n- ctx-a: ${line}\n\n## Tasks\n\n- [ ] T1: x\n  - context: ctx-a\n`;

  it("must be there when it is read", async () => {
    await using lab = openLab({ "TASKS.md": plan("docs/gone.md") });
    const { code, stdout } = await lab.ask("plan");
    expect(code).toBe(3);
    expect(stdout).toContain(
      "TASKS.md:3:1: error DOCUMENT_MISSING: the document docs/gone.md does not exist",
    );
    const run = await lab.ask("run", "--yes");
    expect(run.code).toBe(3);
  });

  it("never lead out of the repository, and are checked for length and text", async () => {
    await using lab = openLab({ "TASKS.md": plan("docs/link.md"), "docs/ok.md": "x" });
    symlinkSync("/etc/passwd", lab.path("docs/link.md"));
    expect((await lab.ask("plan")).stdout).toContain("docs/link.md is a link");
    mkdirSync(lab.path("docs/folder.md"));
    lab.write("TASKS.md", plan("docs/folder.md"));
    expect((await lab.ask("plan")).stdout).toContain("is a folder");
    lab.write("docs/big.md", Buffer.alloc(5 * 1024 ** 2, 65));
    lab.write("TASKS.md", plan("docs/big.md"));
    expect((await lab.ask("plan")).stdout).toContain("is longer than 4 MiB");
    for (const path of ["../secret.md", "/etc/passwd"]) {
      lab.write("TASKS.md", plan(path));
      const { stdout } = await lab.ask("plan");
      // Once, and not also as a file that is not there.
      expect(stdout.match(/ error [A-Z_]+/g)).toEqual([" error BAD_DOCUMENT"]);
    }
    lab.write("TASKS.md", plan("docs/*.rst"));
    const none = await lab.ask("plan");
    expect(none.code).toBe(0);
    expect(none.stdout).toContain("warning BAD_DOCUMENT: the document docs/*.rst matches no file");
  });

  it("may stand in the configuration", async () => {
    const yaml = [
      "context:",
      "  tree:",
      "    ctx-root: { documents: [docs/spec.md] }",
      "    api: { parent: root, shared: [docs/a.md] }",
      "",
    ].join("\n");
    await using lab = openLab({
      "TASKS.md": "- [ ] T1: x\n  - context: api\n",
      "espalier.yaml": yaml.replace("parent: root", "parent: ctx-root"),
      "docs/spec.md": "s",
      "docs/a.md": "a",
    });
    const { code, stdout } = await lab.ask("plan");
    expect(code).toBe(0);
    expect(stdout).toContain("├╴docs/spec.md  1 token");
    expect(stdout).toContain("└─ ctx-api  read by T1\n   └╴docs/a.md  1 token · shared");
    lab.write(
      "espalier.yaml",
      yaml.replace("docs/a.md", "docs/none.md").replace("parent: root", "parent: ctx-root"),
    );
    const missing = await lab.ask("plan");
    expect(missing.code).toBe(3);
    expect(missing.stdout).toContain(
      "espalier.yaml: the document docs/none.md does not exist (context node ctx-api)",
    );
    lab.write("espalier.yaml", "context:\n  tre: {}\n");
    expect((await lab.ask("plan")).stderr).toContain('did you mean "tree"?');
  });
});
