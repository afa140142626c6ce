import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openLab } from "../cli/lab.ts";
import { readPage, spansOf, tableOf } from "./page.ts";

const TASKS = "# Notes\n## Phase 1: Write\n### [ ] T1.1: One\n### [ ] T1.2: Two\n- depends_on: [T1.1]\n";
const AGENT = '#!/bin/sh\ncat > /dev/null\necho "read it"\necho "DONE:$ESPALIER_SIGNAL_ID"\n';

describe("docs/state.md", () => {
  it("names everything that a run leaves in its folder", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "agent.sh": AGENT });
    expect((await lab.ask("run", "--command", "sh agent.sh")).code).toBe(0);
    const told = tableOf(readPage("docs/state.md"), "in `.espalier/`", "what")
      .flatMap(([names = ""]) => spansOf(names))
      .map(name => name.split("/")[0]);
    const left = readdirSync(join(lab.root, ".espalier")).map(name => name.replace(/-(?:wal|shm)$/, ""));
    expect(left).toContain("context_cache");
    expect(left.filter(name => !told.includes(name) && !told.includes(name.replace(/\.bak$/, "")))).toEqual(
      [],
    );
  });
});
