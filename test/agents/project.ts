import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CLIENTS, type Place, programOf } from "./clients.ts";

const MAIN = new URL("../../dist/cli/main.js", import.meta.url).href;
const START = `const { main } = await import(${JSON.stringify(MAIN)}); await main(["node", "espalier", ...process.argv.slice(1)]);`;

/** What our settings have to say for the clients to be let alone by the house they are in. */
export const CONFIG = `env: [MOCK_KEY, DISABLE_*, IS_SANDBOX]
agents:
  claude: { permissions: { execute: allow } }
  claude-acp: { permissions: { execute: allow } }
  qwen: { permissions: { execute: allow } }
`;

/** A place's folder as a project with a repository, and every client on its PATH. */
export interface TestProject {
  readonly env: Readonly<Record<string, string>>;
  write(name: string, text: string): void;
  commit(): void;
  /** Runs a command line in the project, in a process of its own. */
  espalier(...args: string[]): Promise<{ readonly code: number | null; readonly said: string }>;
}

/** Makes a project of a place. */
export function openTestProject(place: Place): TestProject {
  const bin = join(dirname(place.folder), "bin");
  mkdirSync(bin);
  const programs = new Set(CLIENTS.map(programOf));
  for (const program of programs)
    symlinkSync(program, join(bin, program.slice(program.lastIndexOf("/") + 1)));
  const env = { ...place.env, PATH: `${bin}:${place.env["PATH"]}` };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: place.folder });
  git("init", "-q");
  git("config", "user.name", "n");
  git("config", "user.email", "e@x");
  return {
    env,
    write(name, text) {
      mkdirSync(dirname(join(place.folder, name)), { recursive: true });
      writeFileSync(join(place.folder, name), text);
    },
    commit() {
      git("add", "-A");
      git("commit", "-q", "-m", "start");
    },
    espalier(...args) {
      return new Promise(resolve => {
        const node = ["--no-warnings", "--input-type=module", "-e", START, "--", ...args];
        const child = spawn(process.execPath, node, {
          cwd: place.folder,
          env,
          stdio: ["ignore", "pipe", "pipe"],
        });
        let said = "";
        for (const stream of [child.stdout, child.stderr]) stream.on("data", chunk => (said += chunk));
        child.once("close", code => resolve({ code, said }));
      });
    },
  };
}
