import { describe, expect, it } from "vitest";
import { openLab } from "./lab.ts";

const TASKS = [
  "# Garden",
  "",
  "## Context",
  "",
  "- ctx-root: docs/spec.md",
  "  - ctx-api",
  "",
  "## Phase 1: Build",
  "",
  "### [ ] T1.1: Describe the API",
  "- fills: ctx-api",
  "",
  "### [ ] T1.2: Client",
  "- context: ctx-api",
  "",
  "### [ ] T1.3: Server",
  "- context: ctx-api",
  "- depends_on: [T1.2]",
  "",
].join("\n");
const FILES = { "TASKS.md": TASKS, "docs/spec.md": "# Spec\n\n- gate: oak\n" };

/** The signal an agent ends with, from the prompt a lead was given. */
function signalOf(prompt: string, word: "DONE" | "FAIL" = "DONE"): string {
  return `${word}:${/`(T[\d.]+#[a-z0-9]+)`/.exec(prompt)?.[1] ?? ""}`;
}

const fileOf = (prompt: string) => /(\.espalier\/attempts\/\S+\.context\.md)/.exec(prompt)?.[1] ?? "";

describe("the context tree in lead mode", { timeout: 60_000 }, () => {
  it("names what an agent reads instead of showing it, and takes its answer in", async () => {
    await using lab = openLab(FILES);
    expect((await lab.ask("next")).stdout).toContain("READY:T1.1");
    const fill = (await lab.ask("start", "T1.1")).stdout;
    expect(fill).toContain(`read first: ${fileOf(fill)}`);
    expect(fill).not.toContain("gate: oak");
    expect(lab.read(fileOf(fill))).toContain("- gate: oak");
    expect(lab.read(fileOf(fill))).toContain("# Role: Context Preparer");

    lab.write("answer.md", `# API\n\n- route: /trees\n\n${signalOf(fill)}\n`);
    const reported = await lab.ask("report", "T1.1", signalOf(fill), "--result", "answer.md");
    expect(reported.stdout).toBe("COMPLETED:T1.1\n");

    const client = (await lab.ask("start", "T1.2")).stdout;
    expect(lab.read(fileOf(client))).toContain('label="fill-T1.1"');
    expect(lab.read(fileOf(client))).toContain("- route: /trees\n</document");
    lab.write(
      "answer.md",
      `done\n[ADD_CONTEXT:ctx-api]- token: one hour[/ADD_CONTEXT]\n${signalOf(client)}\n`,
    );
    await lab.ask("report", "T1.2", signalOf(client), "--result", "answer.md");

    const server = (await lab.ask("start", "T1.3")).stdout;
    expect(lab.read(fileOf(server))).toContain("- token: one hour\n</document");
    expect(lab.read(fileOf(server))).toContain('<result task="T1.2" attempt=1');
    const receipt = await lab.ask("context", "receipt", "T1.3");
    expect(receipt.stdout).toContain("add-T1.2-1-1 v1");
    expect(receipt.stdout).toContain("fill-T1.1 v1");
  });

  it("tells of a fill without its document, and refuses an answer that is none", async () => {
    await using lab = openLab(FILES);
    await lab.ask("next");
    const fill = (await lab.ask("start", "T1.1")).stdout;
    lab.write("empty.md", `${signalOf(fill)}\n`);
    const empty = await lab.ask("report", "T1.1", signalOf(fill), "--result", "empty.md");
    expect(empty.code).toBe(2);
    expect(empty.stderr).toContain(
      "NO_DOCUMENT: no document for ctx-api: the answer holds no document; nothing changed",
    );
    const missing = await lab.ask("report", "T1.1", signalOf(fill), "--result", "none.md");
    expect(missing.code).toBe(2);
    const bare = await lab.ask("report", "T1.1", signalOf(fill));
    expect(bare.stdout).toBe("COMPLETED:T1.1\n");
    expect(bare.stderr).toContain("ctx-api is filled without a document; report with --result FILE");
  });

  it("adds nothing to the prompt of a plan without a tree", async () => {
    await using lab = openLab({ "TASKS.md": "- [ ] T1: x\n" });
    await lab.ask("next");
    const { stdout } = await lab.ask("start", "T1");
    expect(stdout).not.toContain("read first");
  });
});
