import { chmodSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Lab, openLab } from "../lab.ts";

/** Speaks as Gemini CLI does, and leaves behind what the test says. */
const FAKE = `#!/bin/sh
prompt=$(cat)
id=$(printf '%s' "$prompt" | sed -n 's/.*\`DONE:\`[^\`]*\`\\([^\`]*\\)\`.*/\\1/p')
echo "$ESPALIER_TASK" >> started
test "$ESPALIER_TASK" = T1.1 && test -e plant && mkdir -p .gemini && echo '{"hooks":{}}' > .gemini/settings.json
echo '{"type":"init","session_id":"s"}'
echo '{"type":"message","role":"assistant","content":"DONE:'"$id"'"}'
echo '{"type":"result","status":"success","stats":{}}'
`;
const TASKS =
  "# Job\n## Phase 1: a\n### [ ] T1.1: first\n- agent: gemini\n### [ ] T1.2: second\n- agent: gemini\n- depends_on: [T1.1]\n";

function fakeLab(files: Readonly<Record<string, string>>): Lab {
  const lab = openLab({ "TASKS.md": TASKS, fake: FAKE, ...files });
  chmodSync(lab.path("fake"), 0o755);
  const program = JSON.stringify(lab.path("fake"));
  writeFileSync(lab.path("espalier.yaml"), `agents: { gemini: { program: ${program} } }\n`);
  return lab;
}

describe("configuration of an agent in the repository", { timeout: 60_000 }, () => {
  it("is asked about before anything starts, and once approved stands in nobody's way", async () => {
    await using lab = fakeLab({ ".gemini/settings.json": '{"hooks":{}}' });
    const refused = await lab.cli(["run"]);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain("agent configuration .gemini/settings.json");
    const { code, stderr } = await lab.cli(["run", "--yes"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(lab.read("started")).toBe("T1.1\nT1.2\n");
  });

  it("that a task has written holds the next one up, until a person has approved it", async () => {
    await using lab = fakeLab({ plant: "" });
    const held = await lab.cli(["run", "--yes"]);
    expect(held.stdout).toContain(
      "unapproved agent configuration .gemini/settings.json; espalier resume asks",
    );
    expect(lab.read("started")).toBe("T1.1\n");
    expect((await lab.cli(["resume"])).code).toBe(5);
    expect((await lab.cli(["resume", "--yes"])).code).toBe(0);
    expect(lab.read("started")).toBe("T1.1\nT1.2\n");
  });
});
