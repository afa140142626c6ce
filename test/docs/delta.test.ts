import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { diff, encode } from "../../src/delta/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { openLab } from "../cli/lab.ts";
import { blocksOf, readPage } from "./page.ts";

const page = readPage("docs/delta.md");

/** Where the edits that the page shows are in the history. */
const EDITS = [
  ["docs/dashboard.md", "ab36875c8c0d7c020e6a7902853276009c3777ac"],
  ["docs/summaries.md", "add5d55dad2612cf1f31e394a909a977388e14be"],
  ["docs/context.md", "c79e81c3dfdfa0b54bf0843665707f00edb8f7e3"],
  ["docs/checkpoints.md", "eda881c565afa6209c9df30b683cdc512b31b30c"],
  ["docs/delta.md", "0de9f618afb3bd3c47b529f22ba541373c0db73d"],
  ["README.md", "d350566998d54a27c26874cd04ec010e7a87e98a"],
  ["docs/lead-mode.md", "ab6b30e79f349c7cf5c29228b6105cb2a37b5269"],
  ["docs/running.md", "8df784e65f459733c96fed65dd2578f3897ad1da"],
  ["docs/mcp.md", "ed9b9a8fdb0db9d8e5cb6155087abd285ce5ff53"],
  ["docs/agents.md", "1c4ed05c0fe1b370b75c657b0aef75ddc19bbc53"],
] as const;

/** A file as it was; undefined where the history is not here. */
function textAt(commit: string, path: string): string | undefined {
  const { status, stdout } = spawnSync("git", ["show", `${commit}:${path}`], { encoding: "utf8" });
  return status === 0 ? stdout : undefined;
}

const hasHistory = textAt(EDITS[0][1], EDITS[0][0]) !== undefined;

describe("docs/delta.md", () => {
  it("shows an update as it is printed", async () => {
    const [old] = blocksOf(page).filter(({ lang }) => lang === "markdown");
    const next = old!.text
      .replace("Phase 2: IN_PROGRESS", "Phase 2: COMPLETE")
      .replace("2026-03-02, after the review", "2026-03-05, after the gate")
      .replaceAll("[ ] T2", "[x] T2")
      .replace("through a queue", "through a queue\n- **D-4:** Refunds are orders of their own")
      .replace(/The test shop has.*/, "None.");
    await using lab = openLab({ "v3.md": old!.text, "v4.md": next });
    const update = await lab.ask("delta", "diff", "v3.md", "v4.md", "--from", "3", "--to", "4");
    lab.write("update.md", update.stdout);
    const proof = await lab.ask("delta", "verify", "v3.md", "update.md", "v4.md");
    const [shown] = blocksOf(page).filter(({ lang }) => lang === "console");
    expect(shown!.text).toContain(`$ cat update.md\n${update.stdout}`);
    expect(`${proof.stdout}${proof.stderr}`).not.toBe("");
    expect(shown!.text).toContain(`${proof.stdout}${proof.stderr}`);
  });

  it.skipIf(!hasHistory)("shows messages of real edits as they are", () => {
    const shown = blocksOf(page).filter(({ lang }) => lang === "text");
    expect(shown).toHaveLength(EDITS.length);
    for (const [at, [path, commit]] of EDITS.entries()) {
      const [old = "", next = ""] = [textAt(`${commit}^`, path), textAt(commit, path)];
      const made = encode(diff(old, next), old, next, { label: "DOC", from: 1, to: 2, countTokens });
      if (!made.ok) throw new Error(made.failure.message);
      const { text, tokens } = made.value;
      expect(shown[at]!.text).toBe(`${text}\n`);
      expect(page).toContain(`${tokens.sent} tokens instead of ${tokens.full.toLocaleString("en-US")}:`);
      expect(page).toContain(`### \`${path}\``);
    }
  });
});
