import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import {
  CONFIG_FILE,
  makeOwnedFolder,
  ownedFileCalls,
  readBounded,
  writeAtomic,
} from "../../adapters/file/index.ts";
import { untaken } from "../../adapters/fleet/away-book.ts";
import { type CopyName, copyRef } from "../../adapters/fleet/by-git.ts";
import { hubError } from "../../adapters/fleet/hub.ts";
import { openHub } from "../../adapters/fleet/hub-client.ts";
import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { excludeFromGit } from "../../adapters/local/git-exclude.ts";
import { noteInLog } from "../../adapters/local/state-files.ts";
import { acquireLock } from "../../adapters/lock/index.ts";
import { fileStamp, freeName, STATE_NAMES } from "../../adapters/store/index.ts";
import {
  type FetchedCopy,
  fetchCopy,
  openRepository,
  planRefs,
  type Repository,
  type Taking,
  takeRefs,
} from "../../adapters/vcs/git/index.ts";
import { conductedShape, conductShape } from "../../fleet/index.ts";
import {
  because,
  EXIT,
  type KnownCopy,
  type Reason,
  type Result,
  type VcsFailure,
} from "../../ports/index.ts";
import { errorFor, visible } from "../../text/index.ts";
import { requirePerson } from "../approval/decider.ts";
import type { Caller } from "../caller.ts";
import { VERSION } from "../package.ts";
import { gitError, lockError, openError } from "../project/errors.ts";
import type { Project } from "../project/project.ts";
import { readLastRun } from "../project/reader.ts";
import type { Session } from "../session/open.ts";
import { targetBranch } from "../session/repository.ts";
import { noteConducted, readConducted } from "./conducted.ts";
import { DATABASE, isStateName, PROJECT, STATE, STATE_PARTS } from "./copied-files.ts";
import { type HubAccess, hubAccess } from "./hub-access.ts";
import { copiesPlace, newestCopies } from "./hub-copies.ts";
import { aboutShape } from "./state-copy.ts";

type About = z.output<typeof aboutShape>;

/** What takes over from another machine. */
export interface TakeOver {
  /** The hub that has the copy. */
  readonly on: string;
  /** Its name there; undefined means the only one. */
  readonly run: string | undefined;
  /** It is gone on with at once, even where the other machine has gone on with it in between. */
  readonly isLast?: boolean;
}

function refuse(code: string, reason: Reason, advice: Reason): never {
  throw errorFor(code, reason, { advice, exitCode: EXIT.waitingForPerson });
}

function must<T>(result: Result<T, VcsFailure>): T {
  if (!result.ok) throw gitError(result.failure);
  return result.value;
}

async function open({ root, stateDir }: Project, env: NodeJS.ProcessEnv): Promise<Repository | undefined> {
  const rescueDir = join(stateDir, "rescued");
  const opened = await openRepository({ root, env, leaveOut: () => [], rescueDir, allows: () => false });
  return opened.ok ? opened.value : undefined;
}

/** Runs of which it is told whose they are where several are meant: each is fetched for that. */
const TOLD = 5;

/** What a copy says of itself; undefined where it cannot be had or read. */
async function aboutOf(hub: HubAccess, copy: CopyName): Promise<About | undefined> {
  const fetched = await fetchCopy(hub.repository, { ...copiesPlace(hub), ref: copyRef(copy) });
  if (!fetched.ok) return undefined;
  await fetched.value.forget();
  return aboutIn(fetched.value.about);
}

const knownAs = (run: string, { host, file, at }: About): KnownCopy => ({
  run,
  host: visible(host, 100),
  file: visible(file, 200),
  at,
});

/** Whose runs these are, which file they work on, and when they were copied. */
async function describe(hub: HubAccess, copies: readonly CopyName[]): Promise<readonly KnownCopy[]> {
  const told: KnownCopy[] = [];
  for (const copy of copies) {
    const about = told.length < TOLD ? await aboutOf(hub, copy) : undefined;
    told.push(about === undefined ? { run: copy.run } : knownAs(copy.run, about));
  }
  return told;
}

/** Runs that are looked at for one of the same task file: each is fetched for that. */
const LOOKED_AT = 20;

/**
 * Refuses to have a hub's machines begin a run beside one of the same task file that another folder conducts there: its tasks would be
 * done twice. Of one whose coordinator has ended it is only told. Nothing where the hub does not say. Throws EspalierError.
 */
export async function requireOnlyRun(
  hub: HubAccess,
  { runId, file, project }: Pick<Session, "runId" | "file" | "project">,
  warn: (code: string, message: Reason) => void,
): Promise<void> {
  const own = readConducted(project.stateDir);
  if (own?.run === runId) return;
  const copies = await newestCopies(hub);
  if (!copies.ok) return;
  // What this folder conducted last itself is given up where it begins another run, or ended without the hub's knowing.
  const isOwn = ({ run, epoch }: CopyName) => run === own?.run && epoch <= own.epoch;
  const others = copies.value.filter(copy => copy.over === undefined && copy.run !== runId && !isOwn(copy));
  for (const copy of others.slice(0, LOOKED_AT)) {
    const about = await aboutOf(hub, copy);
    if (about?.file !== file.display || about.prefix !== hub.repository.facts.prefix) continue;
    const known = knownAs(copy.run, about);
    if (about.rests === true) warn("RUN_LEFT", because("run-left", { ...known, url: hub.url }));
    else
      refuse(
        "RUN_ELSEWHERE",
        because("run-elsewhere", known),
        because("take-over-or-begin", { run: copy.run, url: hub.url }),
      );
  }
}

/** Which run is meant: the one that is named, the one that is not over, else the one that ended last. */
async function meant(hub: HubAccess, run: string | undefined): Promise<CopyName> {
  const { url } = hub;
  const copies = must(await newestCopies(hub));
  const open = copies.filter(({ over }) => over === undefined);
  const ended = copies.toSorted((a, b) => (b.over ?? 0) - (a.over ?? 0));
  const found = run === undefined ? (open[0] ?? ended[0]) : copies.find(copy => copy.run === run);
  if (found === undefined) {
    const none = because("no-copy", { url, ...(run === undefined ? {} : { run }) });
    return refuse("NO_COPY", none, because("copies-are", { runs: copies.map(copy => copy.run) }));
  }
  if (run === undefined && open.length > 1) {
    const runs = await describe(hub, open);
    return refuse("WHICH_RUN", because("several-copies", { runs }), because("name-copy", { url }));
  }
  return found;
}

/** Refuses where the hub is not reached, or does not take the token for a run's. Throws EspalierError. */
async function requireHub({ url, token }: HubAccess): Promise<void> {
  const client = openHub(url, token);
  const heard = await client.ask("conduct", conductShape, { run: "none", epoch: 1 }, conductedShape);
  client.close();
  if (!heard.ok) throw hubError(heard.failure);
}

async function fetchRun(hub: HubAccess, wanted: string | undefined) {
  await requireHub(hub);
  const named = await meant(hub, wanted);
  const { run, epoch } = named;
  const copy = must(await fetchCopy(hub.repository, { ...copiesPlace(hub), ref: copyRef(named) }));
  const about = aboutIn(copy.about);
  if (about === undefined)
    return refuse("COPY_UNREADABLE", because("copy-unreadable", { run }), because("same-version", {}));
  return { copy, epoch, about };
}

function aboutIn(text: string): About | undefined {
  try {
    return z.decode(aboutShape, JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Finished phases go to the branch that is checked out, unless the configuration names one: it has to be the run's. */
function requireTarget(
  project: Project,
  repository: Repository,
  { changes }: Taking,
  { target }: About,
): void {
  const here = targetBranch(project, repository, {});
  if (here === target || project.config.git.target !== undefined) return;
  const fresh = changes.find(({ ref, from }) => ref === `refs/heads/${target}` && from === undefined);
  refuse(
    "TARGET_DIFFERS",
    because("target-differs", { target, here }),
    because("check-out-target", { target, ...(fresh?.to === undefined ? {} : { commit: fresh.to }) }),
  );
}

/** Refuses where a branch cannot go forward to where the run has it. */
function requireWay({ inTheWay: [way], held: [held] }: Taking, { target }: About): void {
  if (way !== undefined) {
    const isTarget = way.branch === target;
    refuse("BRANCH_DIFFERS", because("branch-differs", way), because("join-branch", { ...way, isTarget }));
  }
  if (held !== undefined) refuse("FOLDER_HELD", because("folder-held", held), because("clear-folder", {}));
}

/** The run of this folder that would be lost to sight: another one, and not at its end. */
function requireNoOther(project: Project, { run }: About): void {
  const here = readLastRun(project)?.stored.run;
  if (here === undefined || here.id === run || here.state === "completed") return;
  refuse("RUN_HERE", because("run-here", { file: here.file }), because("finish-run-here", {}));
}

function write(path: string, content: string | Uint8Array): void {
  const written = writeAtomic(path, content, { calls: ownedFileCalls });
  if (!written.ok)
    throw openError({ kind: "unwritable", path, message: written.failure.message, report: [] });
}

/** What stood in the state folder stays there, in a folder of its own. */
function putAside(stateDir: string): void {
  const database = ["", "-wal", "-shm", ".bak"].map(ending => STATE_NAMES.database + ending);
  const names = [...database, STATE_NAMES.thin, `${STATE_NAMES.thin}.bak`, ...STATE_PARTS];
  const there = names.filter(name => existsSync(join(stateDir, name)));
  if (there.length === 0) return;
  const aside = freeName(join(stateDir, `before-${fileStamp(SYSTEM_CLOCK.now())}`));
  makeOwnedFolder(aside);
  for (const name of there) ownedFileCalls.rename(join(stateDir, name), join(aside, name));
}

async function layState(stateDir: string, copy: FetchedCopy): Promise<void> {
  const database = must(await copy.read(DATABASE));
  putAside(stateDir);
  for (const name of copy.names) {
    if (!isStateName(name)) continue;
    const path = join(stateDir, name.slice(STATE.length));
    const bytes = must(await copy.read(name));
    makeOwnedFolder(dirname(path));
    write(path, name.startsWith(`${STATE}away/`) ? untaken(bytes) : bytes);
  }
  // Last: without it there is no run here.
  write(join(stateDir, STATE_NAMES.database), database);
}

/** Files of the project that the run had and that nobody has changed here: as they stood on the other machine. */
async function layFiles(
  { git, facts }: Repository,
  root: string,
  { file }: About,
  copy: FetchedCopy,
): Promise<void> {
  for (const name of [file, CONFIG_FILE]) {
    if (!copy.names.includes(PROJECT + name) || name.startsWith("/") || name.split("/").includes(".."))
      continue;
    const bytes = must(await copy.read(PROJECT + name));
    const path = join(root, name);
    // A link on the way could lead out of the project.
    if (!existsSync(dirname(path)) || realpathSync(dirname(path)) !== join(realpathSync(root), dirname(name)))
      continue;
    if (existsSync(path)) {
      const changed = await git.text(["status", "--porcelain", "--ignored", "--", facts.prefix + name]);
      const here = readBounded(path, { maxBytes: bytes.length });
      if (must(changed) !== "" || (here.ok && Buffer.compare(here.value, bytes) === 0)) continue;
    }
    const written = writeAtomic(path, bytes, { mode: 0o644, keepMode: true });
    if (!written.ok)
      throw openError({ kind: "unwritable", path, message: written.failure.message, report: [] });
  }
}

/**
 * Brings a run here that another machine conducted, from the copy that its hub has: its state, its branches, its task file.
 * Nothing is dispatched; whoever goes on with it ends the other one. Returns its name and what is told of it. Throws EspalierError, and
 * has changed nothing where a branch or files of its folder stand in the way.
 */
export async function takeOver(
  caller: Caller,
  project: Project,
  { on, run: wanted, isLast = false }: TakeOver,
): Promise<{ readonly run: string; readonly told: Reason }> {
  await requirePerson(caller, project);
  const { stateDir, root } = project;
  const access = await hubAccess(on, await open(project, caller.env), caller.env);
  const { repository } = access;
  const { copy, epoch, about } = await fetchRun(access, wanted);
  const { prefix } = repository.facts;
  if (about.prefix !== prefix)
    return refuse(
      "WRONG_FOLDER",
      because("copy-elsewhere", { folder: about.prefix, here: prefix }),
      because("go-to-folder", { folder: about.prefix }),
    );
  excludeFromGit(root, stateDir);
  const locked = acquireLock(stateDir, { version: VERSION });
  if (!locked.ok) throw lockError(locked.failure);
  try {
    requireNoOther(project, about);
    const taking = must(await planRefs(repository, about.refs));
    requireTarget(project, repository, taking, about);
    requireWay(taking, about);
    must(await takeRefs(repository, taking));
    await layFiles(repository, root, about, copy);
    await layState(stateDir, copy);
    const { url } = access;
    const { commit } = copy;
    noteConducted(stateDir, { run: about.run, epoch, url, ...(isLast ? {} : { copy: commit }) });
    const begins = `taken over from ${about.host}: what was said before is in its log there`;
    const open = readLastRun(project)?.stored.openAttempts ?? [];
    for (const { task, number } of open) noteInLog(stateDir, task, number, begins);
  } finally {
    locked.value.release();
  }
  await copy.forget();
  const { run, host, at } = about;
  return { run, told: because("run-taken-over", { host, at }) };
}
