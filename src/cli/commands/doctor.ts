import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { openJail } from "../../adapters/agent/index.ts";
import { holderReason, livingHolder, thisHost } from "../../adapters/lock/index.ts";
import { findProgram } from "../../adapters/process/index.ts";
import { inspectDatabase } from "../../adapters/store/index.ts";
import { askRunning } from "../../host/control/running.ts";
import { VERSION } from "../../host/package.ts";
import type { Project } from "../../host/project/project.ts";
import { EXIT } from "../../ports/index.ts";
import { type Io, say, sayJson } from "../io.ts";
import { localeOf, projectOf } from "../project.ts";
import { filled } from "../views/terminal/width.ts";
import type { DoctorWords } from "../views/words/doctor-words.ts";
import { doctorWords } from "../views/words/doctor-words-for.ts";
import { agentChecks } from "./doctor-agents.ts";
import { type TryFlags, triedChecks } from "./doctor-checks.ts";
import { machineChecks } from "./doctor-machines.ts";
import { type Check, problemFrom } from "./doctor-problem.ts";
import { repositoryChecks } from "./doctor-repository.ts";
import { taskChecks } from "./doctor-tasks.ts";

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

async function gitCheck(io: Io, root: string, words: DoctorWords): Promise<Check> {
  const git = findProgram("git", { path: io.env["PATH"] });
  if (!git.ok) return { name: "git", level: "note", ...words.noGit };
  const { stdout } = await promisify(execFile)(git.value, ["--version"], { timeout: 5000 }).catch(error => ({
    stdout: words.gitUnusable((error as Error).message),
  }));
  return { name: "git", level: "ok", found: words.git(stdout.trim(), existsSync(join(root, ".git"))) };
}

function nodeCheck(): Check {
  return {
    name: "node",
    level: "ok",
    found: `${process.version} (${process.execPath}), espalier ${VERSION}`,
  };
}

async function jailCheck(io: Io, { config }: Project, words: DoctorWords): Promise<Check> {
  const opened = await openJail(io.env["PATH"]);
  const { use } = config.jail;
  if (opened.ok) {
    const { version } = opened.value;
    return use === "off"
      ? { name: "jail", level: "ok", ...words.jailUnused(version) }
      : { name: "jail", level: "ok", found: words.jailed(version) };
  }
  const why = words.reason(opened.failure);
  return use === "on"
    ? { name: "jail", level: "problem", found: why, advice: words.jailRequired }
    : { name: "jail", level: "note", found: words.noJail(why) };
}

async function lockCheck(project: Project, words: DoctorWords): Promise<Check> {
  const alive = (await askRunning(project, { method: "ping" })) !== undefined;
  const living = livingHolder(project.stateDir);
  const isHeld = alive || living?.holder.host === thisHost();
  return isHeld
    ? { name: "lock", level: "note", found: words.reason(holderReason(living)) }
    : { name: "lock", level: "ok", found: words.free };
}

function stateCheck(project: Project, words: DoctorWords): Check {
  const path = join(project.stateDir, "espalier.db");
  if (!existsSync(path)) return { name: "state", level: "ok", found: words.noState };
  const inspected = inspectDatabase(path);
  if (!inspected.ok) {
    const { failure } = inspected;
    const found = words.unsound("message" in failure ? failure.message : failure.kind);
    const backup = inspectDatabase(`${path}.bak`);
    const advice = words.recovers(backup.ok && backup.value !== undefined);
    return { name: "state", level: "problem", found, advice };
  }
  const size = Math.ceil((statSync(path, { throwIfNoEntry: false })?.size ?? 0) / 1024);
  return { name: "state", level: "ok", found: words.sound(size) };
}

function diskCheck(project: Project, words: DoctorWords): Check {
  const { root, stateDir } = project;
  const place = existsSync(stateDir) ? stateDir : root;
  try {
    accessSync(place, constants.W_OK);
  } catch {
    return { name: "disk", level: "problem", ...words.notWritable(place) };
  }
  const facts = statfsSync(place);
  const free = facts.bavail * facts.bsize;
  const found = words.space(Math.floor(free / 1024 ** 2));
  const remote = REMOTE.get(facts.type);
  if (remote !== undefined) return { name: "disk", level: "note", ...words.remote(found, remote) };
  return free < LOW_DISK
    ? { name: "disk", level: "problem", found, advice: words.makeRoom }
    : { name: "disk", level: "ok", found };
}

function openChecked(io: Io): Project | Check {
  try {
    return projectOf(io);
  } catch (error) {
    return problemFrom("project", error, doctorWords(localeOf(io)).reason);
  }
}

/** Columns in front of what is told of a check. */
const INDENT = " ".repeat(18);

function indented(text: string): string {
  return text.replaceAll("\n", `\n${INDENT}`);
}

interface DoctorFlags extends TryFlags {
  readonly json?: boolean;
  readonly fix?: boolean;
  /** A hub whose machines are looked at, too. */
  readonly on?: string;
}

/** `espalier doctor`. Exit 6 when something must be mended first, 130 when a check was stopped. */
export async function doctor(io: Io, options: DoctorFlags): Promise<number> {
  const project = openChecked(io);
  const words = doctorWords("level" in project ? localeOf(io) : project.locale);
  const checks: Check[] =
    "level" in project
      ? [nodeCheck(), project]
      : [
          nodeCheck(),
          await gitCheck(io, project.root, words),
          {
            name: "project",
            level: "ok",
            found: words.project(project.root, project.configText !== ""),
          },
          ...taskChecks(project, words),
          ...(await agentChecks(io, project, words)),
          await jailCheck(io, project, words),
          await lockCheck(project, words),
          stateCheck(project, words),
          diskCheck(project, words),
          ...(await repositoryChecks(io, project, options.fix === true, words)),
          ...(await triedChecks(io, project, options, words)),
          ...(await machineChecks(io, project, options.on, words)),
        ];
  if (options.json === true) sayJson(io, { checks });
  else {
    const marks = { ok: "✓", note: "·", problem: "✗" } as const;
    for (const { name, level, found, advice } of checks) {
      say(io, `${marks[level]} ${filled(words.name(name), 15)} ${indented(found)}`);
      if (advice !== undefined) say(io, `${INDENT}${indented(advice)}`);
    }
  }
  if (checks.some(({ stopped }) => stopped)) return EXIT.interrupted;
  return checks.some(check => check.level === "problem") ? EXIT.environment : EXIT.done;
}
