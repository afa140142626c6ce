import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { AgentFailure, AgentLogin, AgentProbe } from "../../ports/index.ts";
import { oneLine } from "./fields.ts";

/** Milliseconds an agent has to say its version or its login state; and one of which it is not known whether it does. */
export const PROBE_MS = 20_000;
export const UNKNOWN_PROBE_MS = 5_000;

/** What asks a program for its login state without spending, and how its answer is read. */
export interface LoginQuestion {
  readonly args: readonly string[];
  state(exitCode: number | null, said: string): AgentLogin;
}

/** What shows a login on disk or in the environment, where no question tells. */
export interface LoginSigns {
  readonly variables: readonly string[];
  /** Relative to the home folder. */
  readonly files: readonly string[];
  /** What it means that there is none of them. */
  readonly without: "unseen" | "unknown";
}

/** The login state by its signs. */
export function loginBySigns(signs: LoginSigns, env: Readonly<Record<string, string>>): AgentLogin {
  if (signs.variables.some(name => (env[name] ?? "") !== "")) return "in";
  const home = env["HOME"] ?? "";
  return home !== "" && signs.files.some(file => existsSync(join(home, file))) ? "in" : signs.without;
}

/** What a program says about itself; `fails` when it cannot even say that: a launcher may stand there without what it launches. */
export interface Looked extends Pick<AgentProbe, "version" | "login"> {
  readonly fails?: string;
}

/** Version and login state of a program, by what it says about itself. */
export async function lookAt(
  file: string,
  question: LoginQuestion | undefined,
  env: Readonly<Record<string, string>> | undefined,
  patienceMs = PROBE_MS,
): Promise<Looked> {
  const [version, login] = await Promise.all([
    ask(file, ["--version"], env, patienceMs),
    question === undefined ? undefined : ask(file, question.args, env, patienceMs),
  ]);
  const known = versionIn(version.said);
  const state = login === undefined ? undefined : question?.state(login.exitCode, login.said);
  return {
    ...(known === undefined ? {} : { version: known }),
    login: state ?? "unknown",
    ...(known === undefined && version.failed ? { fails: oneLine(version.said) || "it says nothing" } : {}),
  };
}

/** The probe of a program that is not there. */
export function absent({ message, reason }: AgentFailure): AgentProbe {
  return { found: false, problem: message, ...(reason === undefined ? {} : { reason }) };
}

/** The probe of a program that is known to tell its version. */
export function probed(path: string, { fails, ...facts }: Looked): AgentProbe {
  return fails === undefined
    ? { found: true, path, ...facts }
    : { found: false, problem: `${path} is there and does not start: ${fails}` };
}

/** The first version number in what a program says about itself; undefined when it names none. */
export function versionIn(said: string): string | undefined {
  return /\b\d{1,6}\.\d{1,6}\.\d{1,9}(?:-[0-9A-Za-z.]{1,40})?/.exec(said.slice(0, 4_096))?.[0];
}

/** True for a version older than another one; what is no version is older than none. */
export function isOlder(version: string | undefined, than: string): boolean {
  if (version === undefined) return false;
  const [ours, theirs] = [version, than].map(each => each.split("-")[0]?.split(".").map(Number) ?? []);
  for (const [at, part] of (theirs ?? []).entries()) {
    const own = ours?.[at] ?? 0;
    if (own !== part) return own < part;
  }
  return false;
}

function ask(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> | undefined,
  timeout: number,
): Promise<{ readonly exitCode: number | null; readonly said: string; readonly failed: boolean }> {
  return new Promise(resolve => {
    const limits = { timeout, maxBuffer: 1 << 16, killSignal: "SIGKILL", cwd: "/" } as const;
    const options = env === undefined ? limits : { ...limits, env };
    const child = execFile(file, [...args], options, (error, out, err) => {
      const exitCode = error === null ? 0 : typeof error.code === "number" ? error.code : null;
      // Who is too slow to answer may work all the same.
      resolve({ exitCode, said: `${out}\n${err}`, failed: error !== null && error.killed !== true });
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end();
  });
}
