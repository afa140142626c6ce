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
  return `${word}:${/`(T[\w.-]+#[a-z0-9]+)`/.exec(prompt)?.[1] ?? ""}`;
}

/** The file an agent writes its whole answer to. */
const answerFile = (prompt: string) => /(\.espalier\/attempts\/\S+\.document\.md)/.exec(prompt)?.[1] ?? "";
const fileOf = (prompt: string) => /(\.espalier\/attempts\/[A-Z][\w.-]*\d\.md)/.exec(prompt)?.[1] ?? "";

describe("the context tree in lead mode", { timeout: 120_000 }, () => {
  it("names what an agent reads instead of showing it, and takes its answer in", async () => {
    await using lab = openLab(FILES);
    expect((await lab.ask("next")).stdout).toContain("READY:T1.1");
    const fill = (await lab.ask("start", "--print", "T1.1")).stdout;
    expect(fill).toContain(`read first: ${fileOf(fill)}`);
    expect(fill).not.toContain("gate: oak");
    expect(lab.read(fileOf(fill))).toContain("- gate: oak");
    expect(lab.read(fileOf(fill))).toContain("# Role: Context Preparer");

    lab.write("answer.md", `# API\n\n- route: /trees\n\n${signalOf(fill)}\n`);
    const reported = await lab.ask("report", "T1.1", signalOf(fill), "--result", "answer.md");
    expect(reported.stdout).toBe("COMPLETED:T1.1\n");

    const client = (await lab.ask("start", "--print", "T1.2")).stdout;
    expect(lab.read(fileOf(client))).toContain('label="fill-T1.1"');
    expect(lab.read(fileOf(client))).toContain("- route: /trees\n</document");
    lab.write(
      "answer.md",
      `done\n[ADD_CONTEXT:ctx-api]- token: one hour[/ADD_CONTEXT]\n${signalOf(client)}\n`,
    );
    await lab.ask("report", "T1.2", signalOf(client), "--result", "answer.md");

    const server = (await lab.ask("start", "--print", "T1.3")).stdout;
    expect(lab.read(fileOf(server))).toContain("- token: one hour\n</document");
    expect(lab.read(fileOf(server))).toContain('<result task="T1.2" attempt=1');
    const receipt = await lab.ask("context", "receipt", "T1.3");
    expect(receipt.stdout).toContain("add-T1.2-1-1 v1");
    expect(receipt.stdout).toContain("fill-T1.1 v1");
  });

  it("tells of a fill without its document, and refuses an answer that is none", async () => {
    await using lab = openLab(FILES);
    await lab.ask("next");
    const fill = (await lab.ask("start", "--print", "T1.1")).stdout;
    lab.write("empty.md", `${signalOf(fill)}\n`);
    const empty = await lab.ask("report", "T1.1", signalOf(fill), "--result", "empty.md");
    expect(empty.code).toBe(2);
    expect(empty.stderr).toContain(
      "NO_DOCUMENT: no document for ctx-api: the answer holds no document; nothing changed",
    );
    const missing = await lab.ask("report", "T1.1", signalOf(fill), "--result", "none.md");
    expect(missing.code).toBe(2);
    const bare = await lab.ask("report", "T1.1", signalOf(fill));
    expect(bare.code).toBe(2);
    expect(bare.stderr).toContain("NO_DOCUMENT: no document for ctx-api: the answer holds no document");
    expect(bare.stderr).toContain("the file that its prompt names");
    expect((await lab.ask("status", "--thin")).stdout).toContain("T1.1 1 in_progress");
  });

  it("[G15] [G16] takes the answer that an agent leaves in its file, blocks included, and closes nodes", async () => {
    await using lab = openLab(FILES);
    await lab.ask("next");
    const fill = (await lab.ask("start", "--print", "T1.1")).stdout;
    expect(fill).toContain(`Write your whole answer to ${answerFile(fill)}`);
    lab.write(answerFile(fill), `# API\n\n- route: /trees\n\n${signalOf(fill)}\n`);
    expect((await lab.ask("report", "T1.1", signalOf(fill))).stdout).toBe("COMPLETED:T1.1\n");
    const client = (await lab.ask("start", "--print", "T1.2")).stdout;
    expect(lab.read(fileOf(client))).toContain("- route: /trees\n</document");
    lab.write(answerFile(client), "built\n[ADD_CONTEXT:ctx-api]- token: one hour[/ADD_CONTEXT]\n");
    await lab.ask("report", "T1.2", signalOf(client));
    const server = (await lab.ask("start", "--print", "T1.3")).stdout;
    expect(lab.read(fileOf(server))).toContain("- token: one hour\n</document");
    expect(lab.read(fileOf(server))).toContain("built\n</result");
    expect((await lab.ask("context", "tree")).stdout).toContain("└─ ctx-api  filled");
    await lab.ask("report", "T1.3", signalOf(server));
    expect((await lab.ask("context", "tree")).stdout).toContain("└─ ctx-api  completed  filled");
  });

  it("[G15] takes the file that a fill was to write", async () => {
    await using lab = openLab({
      ...FILES,
      "TASKS.md": TASKS.replace("- fills: ctx-api", "- fills: ctx-api\n- expects: docs/api.md"),
    });
    await lab.ask("next");
    const fill = (await lab.ask("start", "--print", "T1.1")).stdout;
    const early = await lab.ask("report", "T1.1", signalOf(fill));
    expect(early.stderr).toContain("no document for ctx-api: docs/api.md does not exist; nothing changed");
    lab.write("docs/api.md", "# From the file\n");
    expect((await lab.ask("report", "T1.1", signalOf(fill))).stdout).toBe("COMPLETED:T1.1\n");
    expect((await lab.ask("context", "show", "fill-T1.1")).stdout).toBe("# From the file\n");
  });

  it("[G9] makes a research task of what a worker asks, once, and tries the worker again with its answer", async () => {
    await using lab = openLab(FILES);
    await lab.ask("next");
    const fill = (await lab.ask("start", "--print", "T1.1")).stdout;
    lab.write("answer.md", "# API");
    await lab.ask("report", "T1.1", signalOf(fill), "--result", "answer.md");
    const client = (await lab.ask("start", "--print", "T1.2")).stdout;
    lab.write(answerFile(client), "stuck\n[SPAWN:research] which header carries the token?\n");
    const asked = await lab.ask("report", "T1.2", `${signalOf(client, "FAIL")}:needs research`);
    expect(asked.stdout).toBe("PENDING:T1.2 waits for T1.2-R1\n");
    expect((await lab.ask("next")).stdout).toBe("READY:T1.2-R1\n");
    const research = (await lab.ask("start", "--print", "T1.2-R1")).stdout;
    expect(research).toContain("  | which header carries the token?");
    lab.write(answerFile(research), "# Headers\n\n- token: Authorization\n");
    expect((await lab.ask("report", "T1.2-R1", signalOf(research))).stdout).toBe("COMPLETED:T1.2-R1\n");
    expect((await lab.ask("next")).stdout).toBe("READY:T1.2\n");
    const again = (await lab.ask("start", "--print", "T1.2")).stdout;
    expect(lab.read(fileOf(again))).toContain("- token: Authorization\n</document");
    // The same question again is no new research; its failure counts like any other.
    const lines = `[SPAWN:research] which header carries the token?\n${signalOf(again, "FAIL")}:still stuck`;
    expect((await lab.ask("report", "T1.2", lines)).stdout).toContain("READY:T1.2 2/10: still stuck");
    expect(lab.read("TASKS.md")).not.toContain("T1.2-R1");
  });

  it("adds nothing to the prompt of a plan without a tree", async () => {
    await using lab = openLab({ "TASKS.md": "- [ ] T1: x\n" });
    await lab.ask("next");
    const { stdout } = await lab.ask("start", "--print", "T1");
    expect(stdout).not.toContain("read first");
  });
});
