import { existsSync, lstatSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { because, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { isBelow, isWithin, wayTo } from "../../../file/index.ts";
import type { Git } from "../call/call.ts";
import { failed } from "../call/failure.ts";
import { changedKeys, lastOf, type Setting } from "../call/settings.ts";
import { leadsHome } from "../places/folders.ts";
import {
  type Configuration,
  type ConfigurationPlaces,
  personalFolder,
  readConfiguration,
} from "./configuration.ts";
import { linksBelow } from "./links.ts";
import { isReadable, NOTHING, type Print, printOf } from "./prints.ts";
import { ALWAYS_READ } from "./traps.ts";

type Prints = ReadonlyMap<string, Print>;

/** Everything through which a program could come to be started by git in a repository, watched since it was opened. */
export interface EntryPoints {
  /** What git said of its configuration when it last counted as unchanged. */
  settings(): readonly Setting[];
  /** What decides which programs our own calls start: names of what is not as it was. Files that stand as before cost one look. */
  misplaced(): Promise<readonly string[]>;
  /** The same, and hooks, attributes and links where git writes. */
  changed(): Promise<readonly string[]>;
  /** Counts a worktree of ours in; called right after it was made. */
  trust(worktree: string): void;
  /** Whether its record is watched: it says where its folder is, whatever stands there by now. */
  isOurs(worktree: string): boolean;
  forget(worktree: string): void;
}

export interface EntryPointOptions extends ConfigurationPlaces {
  /** Asks without looking at the entry points. */
  readonly git: Git;
  /** Names of worktrees that are ours already. */
  readonly worktrees: Iterable<string>;
}

/** Hooks that are looked at; a folder of more is told by its count. */
const MOST_HOOKS = 1000;
/** Readings in a row of a configuration that somebody writes all the time. */
const READINGS = 5;
/** Milliseconds by which the time on a file may lag behind. */
const LAG = 20;
/** Milliseconds in which git has removed the record of a worktree: it takes its files one by one, and the folder last. */
const REMOVAL = 2_000;
/** Milliseconds between two looks whether it has. */
const LOOK_EVERY = 10;

function printAll(paths: Iterable<string>, before: Prints): Map<string, Print> {
  const now = Date.now();
  return new Map([...paths].map(path => [path, printOf(path, before.get(path), now)]));
}

function differing(before: Prints, after: Prints): string[] {
  return [...after]
    .filter(([path, { content }]) => before.get(path)?.content !== content)
    .map(([path]) => path);
}

interface Reading {
  readonly configuration: Configuration;
  readonly prints: Prints;
}

/** Asks git for its configuration, and again until no file of it was written meanwhile. */
async function readSteadily({
  git,
  top,
  common,
  env,
}: EntryPointOptions): Promise<Result<Reading, VcsFailure>> {
  let last: Reading | undefined;
  for (let reading = 0; reading < READINGS; reading++) {
    const began = Date.now() - LAG;
    const configuration = await readConfiguration(git, { top, common, env });
    if (!configuration.ok) return configuration;
    const prints = printAll(configuration.value.files, last?.prints ?? new Map());
    const isSteady = [...prints.values()].every(({ changedAt }) => changedAt < began);
    const isSame = last !== undefined && differing(last.prints, prints).length === 0;
    last = { configuration: configuration.value, prints };
    if (isSteady || isSame) return ok(last);
  }
  return failed(because("git-config-unsteady", {}));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Samples that `git init` copies are started by nobody. */
function liveHooks(folder: string): string[] {
  return namesIn(folder)
    .filter(name => !name.endsWith(".sample"))
    .slice(0, MOST_HOOKS)
    .map(name => join(folder, name));
}

/** Folder of hooks that is none of the checkout's own files: those change with the work. */
function hookFolders({ top, common, env }: ConfigurationPlaces, settings: readonly Setting[]): string[] {
  const named = lastOf(settings, "core.hookspath") ?? "";
  const own = join(common, "hooks");
  if (named === "") return [own];
  const folder = resolve(top, named.startsWith("~/") ? join(env["HOME"] ?? "", named.slice(2)) : named);
  const isWork = isWithin(top, folder) && !isBelow(common, folder);
  return isWork ? [own] : [own, folder];
}

/** Where a link leads is not followed: the link itself counts. */
function standing(path: string): string | undefined {
  const facts = lstatSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return undefined;
  return facts.isFile() ? `${facts.mode}` : `${facts.mode}:${facts.mtimeMs}`;
}

interface Beside {
  readonly prints: Prints;
  readonly facts: ReadonlyMap<string, string>;
}

/** What lies beside the configuration: hooks, attributes, links where git writes, what is no plain file where it reads. */
function lookBeside(
  places: ConfigurationPlaces,
  settings: readonly Setting[],
  ours: Iterable<string>,
  before: Prints,
): Beside {
  const { common, env } = places;
  const folder = personalFolder(env);
  const paths = [
    ...hookFolders(places, settings).flatMap(liveHooks),
    join(common, "info", "attributes"),
    ...(folder === undefined ? [] : [join(folder, "attributes")]),
  ];
  const written = ["logs", ...[...ours].map(name => join("worktrees", name))];
  const links = written.flatMap(name => linksBelow(common, name)).map(name => join(common, name));
  const facts = [...paths, ...links].flatMap(path => {
    const found = standing(path);
    return found === undefined ? [] : [[path, found] as const];
  });
  const odd = ALWAYS_READ.flatMap(name => {
    const path = join(common, name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found === undefined || found.isFile() ? [] : [[path, `${found.mode}`] as const];
  });
  return { prints: printAll(paths, before), facts: new Map([...facts, ...odd]) };
}

/** Where a worktree's git directory says that its folder and its repository are. */
function pointersOf(common: string, worktree: string): string[] {
  return ["commondir", "gitdir"].map(name => join(common, "worktrees", worktree, name));
}

/** Where git directories say that their repository is: another place would bring another configuration. */
function pointers(common: string, ours: Iterable<string>): string[] {
  return [join(common, "commondir"), ...[...ours].flatMap(name => pointersOf(common, name))];
}

/** Looks at a repository's entry points; from now on they are to stay as they are. */
export async function openEntryPoints(options: EntryPointOptions): Promise<Result<EntryPoints, VcsFailure>> {
  const first = await readSteadily(options);
  if (!first.ok) return first;
  return ok(watchEntryPoints(options, first.value));
}

function watchEntryPoints(options: EntryPointOptions, first: Reading): EntryPoints {
  const { common } = options;
  const ours = new Set(options.worktrees);
  let known = first;
  let pointed = printAll(pointers(common, ours), new Map());
  let beside = lookBeside(options, known.configuration.settings, ours, new Map());
  const shown = (path: string) => wayTo(common, path) ?? path;
  const ownConfiguration = (worktree: string) => join(common, "worktrees", worktree, "config.worktree");
  /** Counts a record out, with what would be read in it: a run has one after the other. */
  const forget = (worktree: string): void => {
    ours.delete(worktree);
    const own = ownConfiguration(worktree);
    const { files, settings } = known.configuration;
    known = {
      configuration: { files: files.filter(file => file !== own), settings },
      prints: new Map([...known.prints].filter(([path]) => path !== own)),
    };
  };
  /** Settings of worktrees that still stand: one that is gone opens nothing. */
  const standingOf = (settings: readonly Setting[]) =>
    settings.filter(
      ({ origin }) => dirname(dirname(origin)) !== join(common, "worktrees") || existsSync(dirname(origin)),
    );

  const configuration = async (): Promise<readonly string[]> => {
    const { files, settings } = known.configuration;
    const prints = printAll(files, known.prints);
    const written = differing(known.prints, prints);
    if (written.length === 0) {
      known = { ...known, prints };
      return [];
    }
    if (written.some(path => !isReadable(prints.get(path)!))) return written.map(shown);
    const read = await readSteadily(options);
    if (!read.ok) return written.map(shown);
    const keys = changedKeys(standingOf(settings), read.value.configuration.settings);
    if (keys.length === 0) known = read.value;
    return keys;
  };
  const moved = (): string[] => {
    // One that is gone opens nothing, until it is made again and trusted.
    for (const name of ours) if (!existsSync(join(common, "worktrees", name))) forget(name);
    const now = printAll(pointers(common, ours), pointed);
    const found = differing(pointed, now);
    if (found.length === 0) pointed = now;
    return found.map(shown);
  };
  const besides = (): string[] => {
    const now = lookBeside(options, known.configuration.settings, ours, beside.prints);
    const paths = new Set([
      ...beside.facts.keys(),
      ...now.facts.keys(),
      ...differing(beside.prints, now.prints),
    ]);
    const isGone = (path: string) => path.startsWith(join(common, "worktrees/")) && !now.facts.has(path);
    const same = (path: string) =>
      beside.facts.get(path) === now.facts.get(path) &&
      beside.prints.get(path)?.content === now.prints.get(path)?.content;
    const found = [...paths].filter(path => !same(path) && !isGone(path));
    if (found.length === 0) beside = now;
    return found.map(shown).sort();
  };
  /** Whether somebody is just removing the record of a worktree: a file in it is gone, and its folder is not yet. */
  const isRemoved = () =>
    [...pointed, ...known.prints].some(
      ([path, { content }]) =>
        content !== NOTHING.content &&
        dirname(dirname(path)) === join(common, "worktrees") &&
        !existsSync(path) &&
        existsSync(dirname(path)),
    );
  const settled = async (look: () => Promise<readonly string[]>): Promise<readonly string[]> => {
    const end = performance.now() + REMOVAL;
    // What was found while a record went may be all of it: it counts once it is found again with none going.
    for (let mayHaveGone = true; ; ) {
      const found = await look();
      if (found.length === 0 || performance.now() > end) return found;
      const isGoing = isRemoved();
      if (!isGoing && !mayHaveGone) return found;
      mayHaveGone = isGoing;
      if (isGoing) await pause(LOOK_EVERY);
    }
  };
  const misplaced = async () => [...moved(), ...(await configuration())];
  return {
    settings: () => known.configuration.settings,
    misplaced: () => settled(misplaced),
    changed: () => settled(async () => [...(await misplaced()), ...besides()]),
    trust(worktree) {
      ours.add(worktree);
      const found = leadsHome(common, worktree) ? pointersOf(common, worktree) : [];
      pointed = new Map([...pointed, ...printAll(found, pointed)]);
      const own = ownConfiguration(worktree);
      const { files, settings } = known.configuration;
      if (files.includes(own)) return;
      // It was not there: whatever stands in it now is looked at before the next call.
      known = {
        configuration: { files: [...files, own], settings },
        prints: new Map([...known.prints, [own, NOTHING]]),
      };
    },
    isOurs: worktree => ours.has(worktree),
    forget,
  };
}
