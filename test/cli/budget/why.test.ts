import { describe, expect, it } from "vitest";
import { openLab } from "../lab.ts";

const TASKS = `# Shed
## Context
- ctx-root: docs/rules.md
## Phase 1: Build
### [ ] T1.1: Choose the store
- run: test -e ready || { touch ready; echo "the schema is unclear" >&2; exit 1; }; cat answer.txt
### [ ] T1.2: Use it
- depends_on: [T1.1]
- run: echo "copied from the shelf"
`;

describe("why an attempt knew something", { timeout: 120_000 }, () => {
  it("[CL93] tells of attempts before and after, of what stood in their place, and of its own answer", async () => {
    await using lab = openLab({
      "TASKS.md": TASKS,
      "docs/rules.md": "Gates are oak.\n",
      "answer.txt": "decided: node:sqlite\n",
      "espalier.yaml": "backoff: { first: 10ms }\n",
    });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    lab.write("answer.txt", "decided: libsql\n");
    lab.write("docs/rules.md", "Gates are larch.\n");
    expect((await lab.cli(["task", "retry", "T1.1"])).code).toBe(0);
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);

    const why = async (attempt: string, text: string) =>
      (await lab.ask("budget", "why", attempt, text)).stdout.trimEnd().split("\n");
    expect(await why("T1.1#2", "schema is unclear")).toEqual([
      "T1.1#1: T1.1#2 was given it, at level 3 (key)",
    ]);
    expect(await why("T1.2", "node:sqlite")).toContain("T1.1#2: T1.2#1 was given it, at level 0 (full)");
    expect(await why("T1.2", "libsql")).toEqual([
      "T1.1#3: says it, but T1.2#1 was given T1.1#2 in its place; whole:  espalier context get T1.1",
    ]);
    expect(await why("T1.2", "oak")).toEqual(["docs-rules.md@1: T1.2#1 was given it, at level 0 (full)"]);
    expect(await why("T1.2", "larch")).toEqual([
      "docs-rules.md@2: says it, but T1.2#1 was given docs-rules.md@1 in its place; whole:  espalier context show docs-rules.md@2",
    ]);
    expect(await why("T1.2", "copied from the shelf")).toEqual(["T1.2#1: says it itself, in its answer"]);
    expect(await why("T1.1#1", "libsql")).toEqual([
      "T1.1#3: says it, but only after T1.1#1 had begun; whole:  espalier context get T1.1",
    ]);
    // It was done, and begun afresh: nothing of it is told.
    expect(await why("T1.1#3", "node:sqlite")).toEqual([
      "T1.1#2: says it, but that is none of what T1.1#3 was told; whole:  espalier task show T1.1",
    ]);
    const korean = (await lab.cli(["--locale", "ko", "budget", "why", "T1.2", "libsql"])).stdout;
    expect(korean).toContain("T1.1#3: 내용이 있지만 T1.2#1에는 대신 T1.1#2가 전달되었습니다");
    const { sightings } = JSON.parse((await lab.ask("budget", "why", "T1.2", "libsql", "--json")).stdout);
    expect(sightings).toMatchObject([{ source: "T1.1#3", fate: "instead", given: "T1.1#2" }]);
  });

  it("[CL93] tells what came after an attempt had begun from what nothing leads to", async () => {
    await using lab = openLab({
      "TASKS.md": `# Shed
## Context
- ctx-root
  - ctx-api
  - ctx-web
## Phase 1: Build
### [ ] T1.1: First
- context: ctx-web
- run: printf '[ADD_CONTEXT:ctx-web]\\nGates are oak.\\n[/ADD_CONTEXT]\\n'
### [ ] T1.2: Second
- context: ctx-api
- depends_on: [T1.1]
- run: echo used
### [ ] T1.3: Third
- context: ctx-api
- depends_on: [T1.2]
- run: printf '[ADD_CONTEXT:ctx-api]\\nGates are larch.\\n[/ADD_CONTEXT]\\n'
`,
    });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const why = async (text: string) =>
      (await lab.ask("budget", "why", "T1.2", text)).stdout.trimEnd().split("\n");
    expect(await why("oak")).toContain(
      "add-T1.1-1-1@1: says it, but T1.2#1 does not read it: no dependency or node leads there; whole:  espalier context show add-T1.1-1-1@1",
    );
    expect(await why("larch")).toContain(
      "add-T1.3-1-1@1: says it, but only after T1.2#1 had begun; whole:  espalier context show add-T1.3-1-1@1",
    );
  });

  it("[CL93] finds what a result or a document says in the one whose text it shares", async () => {
    await using lab = openLab({
      "TASKS.md": `# Shed
## Context
- ctx-root: docs/rules.md, docs/copy.md
## Phase 1: Build
### [ ] T1.1: Choose the store
- run: cat answer.txt
### [ ] T1.2: Choose it again
- run: cat answer.txt
### [ ] T1.3: Use it
- depends_on: [T1.1, T1.2]
- run: echo used
`,
      "docs/rules.md": "Gates are oak.\n",
      "docs/copy.md": "Gates are oak.\n",
      "answer.txt": "decided: node:sqlite\n",
    });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const why = async (text: string) =>
      (await lab.ask("budget", "why", "T1.3", text)).stdout.trimEnd().split("\n");
    expect(await why("node:sqlite")).toEqual([
      "T1.1#1: T1.3#1 was given it, at level 0 (full)",
      "T1.2#1: T1.3#1 was given it, at level 0 (full)",
    ]);
    expect(await why("oak")).toEqual([
      "docs-rules.md@1: T1.3#1 was given it, at level 0 (full)",
      "docs-copy.md@1: T1.3#1 was given it, at level 0 (full)",
    ]);
  });

  it("[CL93] tells of what had no room that the attempt asked for it, and was given it", async () => {
    await using lab = openLab({
      "TASKS.md": TASKS.replaceAll(/^- run: .*\n/gm, ""),
      "docs/rules.md": `# Rules\n\n${"- a rule that is as long as it is dull\n".repeat(400)}- Gates are oak.\n`,
      "agent.sh": [
        "cat > /dev/null",
        '[ "$ESPALIER_TASK" = T1.2 ] && espalier context get docs/rules.md > got',
        'echo "DONE:$ESPALIER_SIGNAL_ID"',
      ].join("\n"),
      "espalier.yaml":
        "agent: w\nagents: { w: { command: sh agent.sh } }\ncontext: { package: { tokens: 500 } }\n",
    });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    expect(lab.read("got")).toContain("Gates are oak.");
    const why = async (task: string) => (await lab.ask("budget", "why", task, "Gates are oak")).stdout;
    expect(await why("T1.2")).toMatch(
      /^docs-rules\.md@1: says it, and T1\.2#1 was given it whole, for it asked/,
    );
    expect(await why("T1.1")).not.toContain("for it asked");
  });

  it("[CL213] says that it was given what it asked for only of what it was given then", async () => {
    await using lab = openLab({
      "TASKS.md": TASKS.replaceAll(/^- run: .*\n/gm, ""),
      "docs/rules.md": "Gates are oak.\n",
      "answer.txt": "decided: node:sqlite\n",
      "agent.sh": [
        "cat > /dev/null",
        '[ "$ESPALIER_TASK" = T1.1 ] && cat answer.txt && echo "Gates are larch." > docs/rules.md',
        '[ "$ESPALIER_TASK" = T1.2 ] && espalier context get T1.1 > got && espalier context get docs/rules.md >> got',
        'echo "DONE:$ESPALIER_SIGNAL_ID"',
      ].join("\n"),
      "espalier.yaml": "agent: w\nagents: { w: { command: sh agent.sh } }\n",
    });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    expect(lab.read("got")).toBe("decided: node:sqlite\nGates are larch.\n");
    lab.write("answer.txt", "decided: libsql\n");
    lab.write("docs/rules.md", "Gates are ash.\n");
    lab.write("agent.sh", lab.read("agent.sh").replace("larch", "ash"));
    expect((await lab.cli(["task", "retry", "T1.1"])).code).toBe(0);
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const why = async (text: string) => (await lab.ask("budget", "why", "T1.2", text)).stdout;
    expect(await why("libsql")).toMatch(/^T1\.1#2: says it, but T1\.2#1 was given T1\.1#1 in its place/);
    expect(await why("ash")).toMatch(
      /^docs-rules\.md@3: says it, but T1\.2#1 was given docs-rules\.md@2 in its/,
    );
  });
});
