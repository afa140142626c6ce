import { describe, expect, it } from "vitest";
import { type Lab, openLab } from "../lab.ts";

/** What a task is paused for whose block nobody has approved, word for word. */
const OURS = "its run: block is not approved yet; espalier resume asks";

const AGENT = `#!/bin/sh
echo . >> tries
id=$(sed -n 's/.*\`DONE:\`[^\`]*\`\\([^\`]*\\)\`.*/\\1/p')
echo "FAIL:$id:${OURS}"
`;

/** An agent that says the same, whatever it is asked. */
function lab(): Lab {
  return openLab({
    "TASKS.md": "# A\n## Phase 1: p\n### [ ] T1.1: a\n",
    "espalier.yaml": "backoff: { first: 0s }\ncommand: sh agent\nagent: command\n",
    agent: AGENT,
  });
}

describe.concurrent("reasons", { timeout: 120_000 }, () => {
  it("[XR1] gives a task back for no words of an agent, though they are ours", async () => {
    await using at = lab();
    const first = await at.cli(["run", "--yes"]);
    expect([first.code, first.stdout]).toEqual([5, expect.stringContaining(`[PAUSED] T1.1: ${OURS}`)]);
    const tries = at.read("tries");
    const again = await at.cli(["resume", "--yes"]);
    expect([again.code, at.read("tries")]).toEqual([5, tries]);
    expect(again.stdout).not.toContain("[DISPATCH]");
  });
});
