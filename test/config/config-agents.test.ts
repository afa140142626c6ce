import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/index.ts";
import { KNOWN_AGENTS } from "../../src/ports/index.ts";

const agents = (text: string) => {
  const read = readConfig(text);
  return read.ok ? read.value.agents : undefined;
};

function problem(text: string): string {
  const read = readConfig(text);
  if (read.ok) throw new Error("no problem");
  const [first] = read.failure;
  return `${first?.line}:${first?.column} ${first?.message} | ${first?.hint}`;
}

describe("agents in espalier.yaml", () => {
  it("are command lines, lines of the protocol, known agents, or known agents under other names", () => {
    const text = `agents:
  mine: { command: my-agent --print, model: opus }
  other: { acp: other-agent --acp, model: big, permissions: deny }
  claude: { model: opus, budget: 2.5, maxTurns: 80, account: team }
  cheap: { preset: claude, model: haiku, program: /opt/claude }
  strict: { preset: codex, permissions: { execute: allow, fetch: deny } }
`;
    expect(agents(text)).toEqual({
      mine: { command: "my-agent --print", model: "opus" },
      other: { acp: "other-agent --acp", model: "big", permissions: "deny" },
      claude: { model: "opus", budget: 2.5, maxTurns: 80, account: "team" },
      cheap: { preset: "claude", model: "haiku", program: "/opt/claude" },
      strict: { preset: "codex", permissions: { execute: "allow", fetch: "deny" } },
    });
  });

  it("[AC15] have variables and servers of their own", () => {
    const text = `agents:
  new:
    acp: new-agent acp
    mode: code
    effort: high
    env: [NEW_API_KEY, NEW_MODE=fast]
    mcp: { db: { command: db-mcp --read-only, env: { DB_URL: } } }
    keeps: [.new, .config/new]
  claude: { effort: low, env: { CLAUDE_CONFIG_DIR: /srv/claude, DEBUG: 1, ON: true } }
`;
    expect(agents(text)).toEqual({
      new: {
        acp: "new-agent acp",
        mode: "code",
        effort: "high",
        env: { NEW_API_KEY: null, NEW_MODE: "fast" },
        mcp: { db: { command: "db-mcp --read-only", env: { DB_URL: null } } },
        keeps: [".new", ".config/new"],
      },
      claude: { effort: "low", env: { CLAUDE_CONFIG_DIR: "/srv/claude", DEBUG: "1", ON: "true" } },
    });
  });

  it.each(KNOWN_AGENTS)("%s needs no settings", name => {
    expect(agents(`agents: { ${name}: {} }`)).toEqual({ [name]: {} });
  });

  it("[E39] lead is no agent, but its model says whose tokens its packages are counted in", () => {
    expect(agents("agents: { lead: { model: opus } }")).toEqual({ lead: { model: "opus" } });
  });

  it.each([
    [
      "agents: { a: {} }",
      `1:14 agents.a: is not a known agent: give it a command, acp or preset (${KNOWN_AGENTS.join(", ")})`,
    ],
    ["agents: { a: { command: x, acp: y } }", "1:14 agents.a: command and acp exclude each other"],
    ["agents: { a: { command: x, preset: claude } }", "1:14 agents.a: command and preset exclude each other"],
    [
      "agents: { a: { command: x, maxTurns: 3 } }",
      "a command line has its settings in itself, not in maxTurns",
    ],
    ["agents: { a: { acp: x, budget: 3 } }", "agents.a: budget is for known agents only"],
    ["agents: { a: { preset: claud } }", '1:24 agents.a.preset: Invalid option: expected one of "claude"'],
    [
      "agents: { claude: { permissions: yes } }",
      "agents.claude.permissions: expected ask, allow-edits, deny, allow",
    ],
    ["agents: { claude: { permissions: { execute: maybe } } }", "agents.claude.permissions: expected ask"],
    ["agents: { claude: { budget: 0 } }", "agents.claude.budget: Too small"],
    [
      "agents: { claude: { maxTurns: 1.5 } }",
      "agents.claude.maxTurns: expected a whole number such as 3, found 1.5",
    ],
    ["agents: { claude: { modell: x } }", 'agents.claude: unknown key "modell" | did you mean "model"?'],
    [
      "agents: { lead: { command: ./w.sh } }",
      "1:17 agents.lead: the name is a lead's own and may have a model only, not command; call the agent something else",
    ],
    ["agents: { a: { acp: x, env: { 1X: y } } }", 'agents.a.env: "1X" is no name of a variable'],
    ["agents: { a: { acp: x, env: [ESPALIER_TOKEN=1] } }", "ESPALIER_TOKEN is Espalier's own: leave it out"],
    ["agents: { a: { acp: x, env: 7 } }", "agents.a.env: expected names and values, such as { MODE: fast }"],
    [
      "agents: { a: { acp: x, mcp: { espalier: { command: y } } } }",
      "agents.a.mcp.espalier: is what Espalier's own tools are called",
    ],
    ["agents: { a: { acp: x, mcp: { a.b: { command: y } } } }", "agents.a.mcp.a.b: is no name of a server"],
    [
      "agents: { a: { acp: x, mcp: { db: {} } } }",
      'agents.a.mcp.db.command: expected text such as "a", found nothing',
    ],
    ["agents: { a: { acp: x, keeps: [../x] } }", "agents.a.keeps.0: expected a place below the home"],
    ["agents: { a: { acp: x, keeps: [/etc] } }", "agents.a.keeps.0: expected a place below the home"],
    ["agents: { claude: { mode: plan } }", "agents.claude: mode is for agents given by acp only"],
    ["agents: { gemini: { effort: high } }", "effort: gemini cannot be told how hard to think"],
    ["agents: { gemini: { mcp: { db: { command: y } } } }", "mcp: servers cannot be handed to gemini"],
    ["agents: { a: { command: x, mode: y } }", "a command line has its settings in itself, not in mode"],
    ["agents: { lead: { acp: x, model: y } }", "agents.lead: the name is a lead's own"],
    ["agents: { lead: { preset: claude, program: x } }", "a model only, not preset, program"],
    [
      "agents: { lead: ./w.sh }",
      '1:17 agents.lead: expected a mapping such as { key: value }, found "./w.sh"',
    ],
    ["agent: lead", "1:8 agent: the name lead is a lead's own: choose an agent of another name"],
    ["roles: { backend: lead }", "1:19 roles.backend: the name lead is a lead's own"],
    ["fallback: [claude, lead]", "1:20 fallback.1: the name lead is a lead's own"],
    ["fallback: claude", '1:11 fallback: expected a list such as [claude], found "claude"'],
  ])("are refused with their place: %s", (text, expected) => {
    expect(problem(text)).toContain(expected);
  });
});
