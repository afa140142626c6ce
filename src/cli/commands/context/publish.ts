import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { watch as watchFile } from "chokidar";
import { isBelow, wayTo } from "../../../adapters/file/index.ts";
import { describeError } from "../../../host/project/errors.ts";
import { readContext } from "../../../host/session/context.ts";
import { EspalierError, EXIT } from "../../../ports/index.ts";
import { visible } from "../../../text/index.ts";
import { type Io, say, sayJson, warn } from "../../io.ts";
import { onSignals } from "../../signals.ts";
import { readText } from "../delta/inputs.ts";
import { askContext, type Done, eventOf, failure, openPlace, type Place } from "./ask.ts";
import { refusal } from "./refusal.ts";

/** The label of the global context. */
const GLOBAL = "GC";

export interface PublishOptions {
  readonly base?: number;
  readonly by?: string;
  readonly impact?: readonly string[];
  readonly action?: readonly string[];
  readonly all?: boolean;
  readonly watch?: boolean;
  readonly json?: boolean;
}

/** `espalier context publish [LABEL] [FILE]`: a new version from a file; with `--watch` at every change of it. */
export async function publish(
  io: Io,
  first: string | undefined,
  second: string | undefined,
  options: PublishOptions,
): Promise<number> {
  const place = openPlace(io);
  const { label, file } = sourceOf(place, first, second);
  if (options.watch === true) return publishAlways(place, label, file, options);
  await publishOnce(place, label, file, options);
  return EXIT.done;
}

/** One name alone is a file where there is one, else a label. */
function sourceOf(
  place: Place,
  first: string | undefined,
  second: string | undefined,
): { readonly label: string; readonly file: string } {
  if (first !== undefined && second !== undefined) return { label: first, file: second };
  const isFile = first === "-" || (first !== undefined && existsSync(resolve(place.io.cwd, first)));
  if (isFile) return { label: labelOf(place, first) ?? GLOBAL, file: first };
  const label = first ?? GLOBAL;
  const file = lastFileOf(place, label);
  if (file === undefined) throw failure("NO_FILE", place.words.noFile(visible(label, 80)));
  return { label, file };
}

/** The document that has come from this file before, by a person's hand or out of the context tree. */
function labelOf(place: Place, file: string): string | undefined {
  const name = nameOf(place, file);
  return readContext(place.project, ({ shared }) => {
    const labels = shared.labels();
    return (labels.ok ? labels.value : []).find(label => {
      const lead = shared.lead(label);
      const versions = lead.ok ? (lead.value?.versions ?? []) : [];
      return versions.some(({ by }) => by === name || by === `file ${name}`);
    });
  });
}

/** The file that a label was last published from, where it is still in the project. */
function lastFileOf({ project }: Place, label: string): string | undefined {
  const isFile = (by: string): boolean => {
    const path = resolve(project.root, by);
    return isBelow(project.root, path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  };
  const by = readContext(project, ({ shared }) => {
    const lead = shared.lead(label);
    return lead.ok ? lead.value?.versions.findLast(version => isFile(version.by))?.by : undefined;
  });
  return by === undefined ? undefined : resolve(project.root, by);
}

/** A file as versions name it: relative to the project where it lies inside. */
function nameOf({ io, project }: Place, file: string): string {
  if (file === "-") return "standard input";
  const path = resolve(io.cwd, file);
  return wayTo(project.root, path) ?? path;
}

/** A file's text and the version it went into, alone or with what others wrote. */
interface Taken {
  readonly base: number;
  readonly edited: string;
}

/** Publishes a file and tells what came of it; returns what was taken in. */
async function publishOnce(
  place: Place,
  label: string,
  file: string,
  options: PublishOptions & { readonly edited?: string },
): Promise<Taken | undefined> {
  const { io } = place;
  const text = await readText(io, file);
  const done = await askContext(place, {
    op: "publish",
    label,
    text,
    by: options.by ?? nameOf(place, file),
    ...(options.base === undefined ? { follows: true } : { base: options.base }),
    ...(options.edited === undefined ? {} : { edited: options.edited }),
    ...(options.impact === undefined ? {} : { affected: [...options.impact] }),
    ...(options.action === undefined ? {} : { actions: [...options.action] }),
    ...(options.all === true ? { everyone: true } : {}),
  });
  const refused = eventOf(done, "refused");
  if (options.json === true)
    sayJson(
      io,
      done.events.map(({ event }) => event),
    );
  else if (refused === undefined) tell(place, label, done);
  if (refused !== undefined) throw refusal(place.words, label, refused);
  const published = eventOf(done, "published") ?? eventOf(done, "unchanged");
  return published === undefined ? undefined : { base: published.version, edited: text };
}

function tell({ io, words, project }: Place, label: string, done: Done): void {
  const unchanged = eventOf(done, "unchanged");
  if (unchanged !== undefined) {
    const { version, since } = unchanged;
    const current = `${label}-v${version}`;
    say(io, since === undefined ? words.unchanged(current) : words.unchangedSince(since, current, version));
  }
  const published = eventOf(done, "published");
  if (published === undefined) return;
  const { version, hash, by, mergedFrom, now, later } = published;
  const names = (list: readonly string[]): string => list.map(name => visible(name, 80)).join(", ");
  say(io, words.published(`${label}-v${version}`, hash, visible(by, 200)));
  if (mergedFrom !== undefined) say(io, words.merged(mergedFrom, `espalier context show ${label}`));
  if (now.length > 0) say(io, words.tellNow(names(now)));
  if (later.length > 0) say(io, words.tellLater(names(later)));
  const fetching = done.events.flatMap(({ event }) =>
    event.type === "withheld" && event.why === "fetches" ? [event.teammate] : [],
  );
  const told = new Set(fetching.length === 0 ? [] : atWork(project, label));
  if (told.size > 0) say(io, words.toldByRun(names(fetching.filter(name => told.has(name)))));
  for (const name of fetching.filter(each => !told.has(each)).slice(0, 10))
    say(io, words.bring(`espalier context update ${label} --to ${shellWord(name)}`));
}

/** Teammates that live in an attempt under way. */
function atWork(project: Place["project"], label: string): readonly string[] {
  const names = readContext(project, ({ shared, sessions }) => {
    const lead = shared.lead(label);
    const open = sessions();
    const mates = lead.ok ? [...(lead.value?.teammates ?? [])] : [];
    return mates.filter(([, { session }]) => open.has(session)).map(([name]) => name);
  });
  return names ?? [];
}

/** A name as it can be pasted into a shell. */
function shellWord(name: string): string {
  return /^[\w.@%+=:,/-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
}

/** Milliseconds of silence after which a change is published: editors write in several steps. */
const SETTLE = 150;

/**
 * Publishes at every change until a signal ends it. What others publish meanwhile is merged: what changed in the file is what
 * differs from its own text when it was last taken in.
 */
async function publishAlways(
  place: Place,
  label: string,
  file: string,
  options: PublishOptions,
): Promise<number> {
  const { io, words } = place;
  const path = resolve(io.cwd, file);
  let last: Partial<Taken> = options.base === undefined ? {} : { base: options.base };
  let busy: Promise<void> = Promise.resolve();
  const round = async (): Promise<void> => {
    try {
      last = (await publishOnce(place, label, file, { ...options, ...last })) ?? last;
    } catch (error) {
      if (!(error instanceof EspalierError)) throw error;
      warn(io, describeError(error, place.project.locale));
    }
  };
  await round();
  let timer: NodeJS.Timeout | undefined;
  const watcher = watchFile(path, { ignoreInitial: true, atomic: true });
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      busy = busy.then(round);
    }, SETTLE);
  };
  watcher.on("all", changed);
  watcher.on("ready", changed);
  warn(io, words.watching(visible(nameOf(place, file))));
  await new Promise<void>(resolveEnd => {
    const release = onSignals(() => {
      release();
      resolveEnd();
    });
  });
  clearTimeout(timer);
  await watcher.close();
  await busy;
  return EXIT.done;
}
