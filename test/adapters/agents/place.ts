import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAcpAgent } from "../../../src/adapters/agent/acp/acp-agent.ts";
import { CLAUDE } from "../../../src/adapters/agent/cli/claude.ts";
import { createCliAgent } from "../../../src/adapters/agent/cli/cli-agent.ts";
import { CODEX } from "../../../src/adapters/agent/cli/codex.ts";
import type { Dialect } from "../../../src/adapters/agent/cli/dialect.ts";
import { GEMINI } from "../../../src/adapters/agent/cli/gemini.ts";
import { OPENCODE } from "../../../src/adapters/agent/cli/opencode.ts";
import type { AgentSettings } from "../../../src/adapters/agent/settings.ts";
import type { Agent } from "../../../src/ports/index.ts";

/** The command lines by the name of their stand-in. */
export const DIALECTS: Readonly<Record<string, Dialect>> = {
  claude: CLAUDE,
  codex: CODEX,
  gemini: GEMINI,
  opencode: OPENCODE,
};

/** A program of one's own in a temporary folder; removed by `dispose`. */
export interface Program {
  readonly file: string;
  readonly folder: string;
  readonly dispose: () => void;
}

/** An executable file with this text. */
export function program(name: string, text: string): Program {
  const folder = mkdtempSync(join(tmpdir(), "espalier-stand-in-"));
  const file = join(folder, name);
  writeFileSync(file, text);
  chmodSync(file, 0o755);
  return { file, folder, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A program that runs the script for every message and tells it as the named agent would. */
export function standIn(name: string, script: string): Program {
  const stand = fileURLToPath(new URL("stand-in.ts", import.meta.url));
  const made = program(name, "");
  const source = join(made.folder, "script.sh");
  writeFileSync(source, script);
  const line = `exec '${process.execPath}' --no-warnings '${stand}' ${name} '${source}' "$@"`;
  writeFileSync(made.file, `#!/bin/sh\n${line}\n`);
  return made;
}

/** An agent of the named kind that starts this program. */
export function agentOf(name: string, file: string, settings: AgentSettings = {}): Agent {
  const dialect = DIALECTS[name];
  return dialect === undefined
    ? createAcpAgent({ name, command: [file], settings })
    : createCliAgent({ name, dialect, program: file, settings });
}

/** A program that writes these lines whatever it is told, and exits. Objects are written as JSON. */
export function telling(
  lines: readonly unknown[],
  { exit = 0, errors = "", keepsArgs = false }: { exit?: number; errors?: string; keepsArgs?: boolean } = {},
): Program {
  const text = lines.map(line => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  const made = program("agent", "");
  writeFileSync(join(made.folder, "out"), text === "" ? "" : `${text}\n`);
  writeFileSync(join(made.folder, "err"), errors);
  const keep = keepsArgs ? `for arg in "$@"; do printf '%s\\n' "$arg"; done >> '${made.folder}/args'\n` : "";
  // Of a channel that stays open there is no end to be read.
  const body = `${keep}head -n 1 > '${made.folder}/in'\ncat '${made.folder}/out'\ncat '${made.folder}/err' >&2\nexit ${exit}\n`;
  writeFileSync(made.file, `#!/bin/sh\n${body}`);
  return made;
}
