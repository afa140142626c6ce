import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { openJail } from "../../adapters/agent/index.ts";
import { describeHolder, livingHolder, thisHost } from "../../adapters/lock/index.ts";
import { findProgram, findShell } from "../../adapters/process/index.ts";
import { inspectDatabase } from "../../adapters/store/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import { type Io, say, sayJson } from "../io.ts";
import { openProject, type Project } from "../project.ts";
import { askRunning } from "../running.ts";
import { VERSION } from "../version.ts";
import { type Check, repositoryChecks } from "./doctor-repository.ts";
import { survey } from "./init.ts";

/** Bytes of free disk below which a run is likely to stop. */
const LOW_DISK = 200 * 1024 ** 2;
/** File systems on which locks and durability are not what they are on a local disk, by their magic number. */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x01021997, "9p"],
  [0x65735546, "FUSE"],
]);

async function gitCheck(io: Io, root: string): Promise<Check> {
  const git = findProgram("git", { path: io.env["PATH"] });
  if (!git.ok)
    return {
      name: "git",
      level: "note",
      found: "not found",
      advice: "tasks run without it; worktrees will need it",
    };
  const { stdout } = await promisify(execFile)(git.value, ["--version"], { timeout: 5000 }).catch(error => ({
    stdout: `not usable: ${(error as Error).message}`,
  }));
  const repository = existsSync(join(root, ".git")) ? "in a repository" : "this folder is no repository";
  return { name: "git", level: "ok", found: `${stdout.trim()}, ${repository}` };
}

function nodeCheck(): Check {
  return {
    name: "node",
    level: "ok",
    found: `${process.version} (${process.execPath}), espalier ${VERSION}`,
  };
}

function agentCheck(io: Io, project: Project): Check[] {
  const shell = findShell(io.env["PATH"], "doctor");
  const { agents } = survey(project, io);
  return [
    shell.ok
      ? { name: "agent shell", level: "ok", found: shell.value.file }
      : { name: "agent shell", level: "problem", found: shell.failure.message, advice: "install bash or sh" },
    ...agents.map(({ name, path }): Check => ({ name: `agent ${name}`, level: "ok", found: path })),
  ];
}

async function jailCheck(io: Io, { config }: Project): Promise<Check> {
  const opened = await openJail(io.env["PATH"]);
  const { use } = config.jail;
  const own = "agents are held by their own flags and sandboxes";
  if (opened.ok) {
    const found = `bubblewrap ${opened.value.version}`;
    return use === "off"
      ? {
          name: "jail",
          level: "ok",
          found: `${found} is there and not asked for: ${own}`,
          advice: "jail: { use: auto } uses it",
        }
      : { name: "jail", level: "ok", found: `${found} around every agent` };
  }
  if (use === "on")
    return { name: "jail", level: "problem", found: opened.failure, advice: "runs do not start without it" };
  return { name: "jail", level: "note", found: `${opened.failure}: ${own}` };
}

async function lockCheck(project: Project): Promise<Check> {
  const alive = (await askRunning(project, { method: "ping" })) !== undefined;
  const living = livingHolder(project.stateDir);
  const isHeld = alive || living?.holder.host === thisHost();
  return isHeld
    ? { name: "lock", level: "note", found: describeHolder(living) }
    : { name: "lock", level: "ok", found: "free" };
}

function stateCheck(project: Project): Check {
  const path = join(project.stateDir, "espalier.db");
  if (!existsSync(path)) return { name: "state", level: "ok", found: "none yet" };
  const inspected = inspectDatabase(path);
  if (!inspected.ok) {
    const { failure } = inspected;
    const found = "message" in failure ? failure.message : failure.kind;
    const backup = inspectDatabase(`${path}.bak`);
    const advice =
      backup.ok && backup.value !== undefined
        ? "the backup is sound: espalier resume recovers from it"
        : "espalier resume recovers what it can and says what";
    return { name: "state", level: "problem", found, advice };
  }
  const size = Math.ceil((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 1024);
  return { name: "state", level: "ok", found: `sound, ${size} KiB` };
}

function diskCheck(project: Project): Check {
  const { root, stateDir } = project;
  const place = existsSync(stateDir) ? stateDir : root;
  try {
    accessSync(place, constants.W_OK);
  } catch {
    return {
      name: "disk",
      level: "problem",
      found: `${place} is not writable`,
      advice: "make it writable, or set stateDir",
    };
  }
  const facts = statfsSync(place);
  const free = facts.bavail * facts.bsize;
  const found = `${Math.floor(free / 1024 ** 2)} MiB free`;
  const remote = REMOTE.get(facts.type);
  if (remote !== undefined)
    return {
      name: "disk",
      level: "note",
      found: `${found}, on ${remote}`,
      advice: "NETWORK_FS: locks and durability are not guaranteed there",
    };
  return free < LOW_DISK
    ? { name: "disk", level: "problem", found, advice: "make room before you run" }
    : { name: "disk", level: "ok", found };
}

function openChecked(io: Io): Project | Check {
  try {
    return openProject(io.cwd);
  } catch (error) {
    if (error instanceof EspalierError)
      return {
        name: "project",
        level: "problem",
        found: error.message,
        ...(error.hint === undefined ? {} : { advice: error.hint }),
      };
    throw error;
  }
}

/** Columns in front of what is told of a check. */
const INDENT = " ".repeat(18);

function indented(text: string): string {
  return text.replaceAll("\n", `\n${INDENT}`);
}

/** `espalier doctor`. Exit 6 when something must be mended first. */
export async function doctor(io: Io, options: { json?: boolean; fix?: boolean }): Promise<number> {
  const project = openChecked(io);
  const checks: Check[] =
    "level" in project
      ? [nodeCheck(), project]
      : [
          nodeCheck(),
          await gitCheck(io, project.root),
          {
            name: "project",
            level: "ok",
            found: `${project.root}${project.configText === "" ? ", no espalier.yaml (defaults)" : ", espalier.yaml is valid"}`,
          },
          ...agentCheck(io, project),
          await jailCheck(io, project),
          await lockCheck(project),
          stateCheck(project),
          diskCheck(project),
          ...(await repositoryChecks(io, project, options.fix === true)),
        ];
  if (options.json === true) sayJson(io, { checks });
  else {
    const marks = { ok: "✓", note: "·", problem: "✗" } as const;
    for (const { name, level, found, advice } of checks) {
      say(io, `${marks[level]} ${name.padEnd(15)} ${indented(found)}`);
      if (advice !== undefined) say(io, `${INDENT}${indented(advice)}`);
    }
  }
  return checks.some(check => check.level === "problem") ? EXIT.environment : EXIT.done;
}
