import { describe, expect, it } from "vitest";
import { openLab } from "../lab.ts";
import { conversed, HAS_TERMINAL } from "../terminal.ts";

const TASKS = [
  "# Steered",
  "## Phase 1: Wait",
  "### [ ] T1.1: Wait for a file",
  "- run: while [ ! -e go ]; do sleep 0.05; done",
  "### [ ] T1.2: Afterwards",
  "- depends_on: [T1.1]",
  "- run: touch done",
  "",
].join("\n");

describe.skipIf(!HAS_TERMINAL)("a run in a terminal", () => {
  it("[VK8] is held, paused and looked into by keys, tells how it is stopped, and Ctrl+C stops it", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const { shown, code } = await conversed(
      lab,
      ["run", "--yes"],
      [
        [["Ctrl+C stop", "T1.1"], "h"],
        [["nothing new starts"], "h"],
        [["the run goes on"], "j"],
        [["▸", "T1.2"], "p"],
        [["T1.2 is paused"], "\\r"],
        [["esc back", "Afterwards"], "\\x1b"],
        [["h hold"], "q"],
        [["twice: at once"], "\\x03"],
      ],
    );
    expect([code, shown]).toEqual([130, expect.stringContaining("stopped after")]);
    expect(lab.read(".espalier/orchestrate.log")).toContain("[PAUSED] T1.2");
  });
});
