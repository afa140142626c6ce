import { chmodSync, mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openLab } from "./lab.ts";

const CLAUDE = "case \"$1\" in --version) echo '2.1.328';; auth) echo '{\"loggedIn\": true}';; esac";
const NEW_AGENT = "agents: { new: { acp: new-agent acp } }\nfallback: [codex]\n";

/** What `espalier doctor` says of agents, where these programs are on PATH. */
async function told(programs: Readonly<Record<string, string>>, config: string) {
  await using lab = openLab({ "TASKS.md": "### [ ] T1: a\n", "espalier.yaml": config });
  mkdirSync(lab.path("bin"));
  for (const [name, body] of Object.entries(programs)) {
    lab.write(`bin/${name}`, `#!/bin/sh\n${body}\n`);
    chmodSync(lab.path(`bin/${name}`), 0o755);
  }
  const env = { PATH: `${lab.path("bin")}:/usr/bin:/bin`, HOME: lab.home };
  const { code, stdout } = await lab.cli(["doctor"], { env });
  const bin = lab.path("bin");
  const at = stdout.split("\n");
  const of = (name: string) => at.findIndex(line => line.includes(` agent ${name} `));
  const says = (name: string) =>
    of(name) < 0 ? "" : [at[of(name)], at[of(name) + 1]].join("\n").replaceAll(bin, "BIN");
  return { code, says };
}

describe("agents in espalier doctor", () => {
  it("[AC16] are those of the configuration and those that are there, each with its version and login", async () => {
    const { says } = await told({ claude: CLAUDE, "new-agent": "exit 1", codex: "echo 0.169.0" }, NEW_AGENT);
    expect(says("claude")).toContain("✓ agent claude    BIN/claude, 2.1.328, logged in");
    expect(says("new")).toContain("✓ agent new       BIN/new-agent");
    expect(says("codex")).toContain("✓ agent codex     BIN/codex, 0.169.0");
    expect(says("gemini")).toBe("");
  });

  it("[AC16] that a run would need and that are not there, broken, old or logged out are problems", async () => {
    const broken = { codex: "echo 'no binary for this platform' >&2; exit 1" };
    const missing = await told(broken, NEW_AGENT);
    expect(missing.code).toBe(6);
    expect(missing.says("new")).toMatch(/✗ agent new {7}.*new-agent not found/);
    expect(missing.says("codex")).toMatch(
      /✗ agent codex {5}BIN\/codex is there and does not start: no binary for this platform\n.*npm install -g @openai\/codex/,
    );
    const old = await told(
      { gemini: "echo 0.35.0", claude: CLAUDE.replace("true", "false") },
      "agent: gemini\n",
    );
    expect(old.says("gemini")).toMatch(
      /✗ agent gemini {4}0\.35\.0 is too old, needs 0\.39\.1\n.*npm install/,
    );
    expect(old.says("claude")).toContain("· agent claude    not logged in");
  });

  it("[AC16] that auto means is told, or that there is none", async () => {
    expect((await told({ claude: CLAUDE }, "agent: auto\n")).says("auto")).toContain(
      "✓ agent auto      claude",
    );
    const none = await told({}, "agent: auto\nlocale: ko\n");
    expect(none.code).toBe(6);
  });
});
