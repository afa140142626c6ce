import { mendCheckpoints, storeCheckpoint, storeIndex } from "../../../adapters/checkpoints/index.ts";
import {
  applyDelta,
  createCheckpoint,
  type History,
  type Problem,
  partOf,
  planPrune,
  problem,
  proveDelta,
  rebuild,
  type Texts,
} from "../../../checkpoint/index.ts";
import { scanMarkdown } from "../../../markdown/index.ts";
import { because, EXIT } from "../../../ports/index.ts";
import { errorFor, messageIn, type Told, told, toldText, visible } from "../../../text/index.ts";
import { type Io, say, sayJson } from "../../io.ts";
import { lookOf } from "../../views/look.ts";
import { isoNow } from "./documents.ts";
import {
  currentOf,
  mustCreate,
  mustWrite,
  openPlace,
  plainly,
  tellAmiss,
  whileLocked,
  workNamed,
} from "./place.ts";

export interface PruneFlags {
  readonly keep: number;
  readonly states?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** `espalier checkpoint prune`: drops old deltas, or old full states that deltas lead to. */
export function prune(io: Io, flags: PruneFlags): number {
  const { project, folder, words } = openPlace(io);
  const dry = flags.dryRun === true;
  const plan = () => {
    const { history, texts } = folder.read();
    const planned = planPrune(history, flags.keep, flags.states === true ? "states" : "deltas");
    requireRebuilt(history, texts, planned.states);
    return planned;
  };
  const done = dry
    ? plan()
    : whileLocked(project, () => {
        mendCheckpoints(folder, project.config.locale);
        const planned = plan();
        mustWrite(folder.remove(planned.files));
        mustWrite(storeIndex(folder));
        return planned;
      });
  if (flags.json === true) sayJson(io, { dryRun: dry, files: done.files, bytes: done.bytes });
  else if (done.files.length === 0) say(io, words.nothingToPrune);
  else {
    for (const file of done.files.slice(0, 20)) say(io, `  ${visible(file)}`);
    if (done.files.length > 20) say(io, `  ${words.more(done.files.length - 20)}`);
    say(io, words.pruned(done.files.length, `${Math.ceil(done.bytes / 1024)} KB`, dry));
  }
  return EXIT.done;
}

/** Nothing goes before its delta has led to it, byte for byte: so what remains leads to all of them, one after the other. */
function requireRebuilt(history: History, texts: Texts, gone: readonly string[]): void {
  for (const id of gone) {
    const parent = history.parents.get(id) ?? "";
    const before = rebuild(history, parent, texts);
    const delta = texts.delta(parent, id);
    const done = before.ok && delta !== undefined ? applyDelta(delta, before.value.text) : undefined;
    if (done?.ok === true && done.value.text === texts.state(id)) continue;
    throw errorFor("CHECKPOINT_NOT_REBUILT", because("not-rebuilt", { id }), {
      advice: because("checkpoints-doctor", {}),
      exitCode: EXIT.failedTasks,
    });
  }
}

export interface ArchiveFlags {
  readonly learnings?: string;
  readonly json?: boolean;
}

/** `espalier checkpoint archive`: closes the history with a last checkpoint that says what was learned, and moves it aside. */
export function archive(io: Io, flags: ArchiveFlags): number {
  const place = openPlace(io);
  const { project, folder, words } = place;
  const { locale, checkpoints } = project.config;
  const learned = flags.learnings === undefined ? "" : workNamed(io, flags.learnings).trim();
  const done = whileLocked(project, () => {
    mendCheckpoints(folder, locale);
    const kept = folder.read();
    currentOf(place, kept);
    const made = createCheckpoint(kept.history, kept.texts, {
      work: completion(learned),
      created: isoNow(),
      headline: "Archived",
      status: "archived",
      locale,
      recent: checkpoints.recent,
    });
    const created = mustCreate(made, project.locale);
    tellAmiss(place, created);
    mustWrite(storeCheckpoint(folder, created));
    const { history } = folder.read();
    const files = [...history.states.values(), ...history.links.values()]
      .map(({ file }) => file)
      .filter(file => !file.includes("/"));
    for (const file of files) mustWrite(folder.archive(file));
    mustWrite(storeIndex(folder));
    return { id: created.id, files };
  });
  if (flags.json === true) sayJson(io, done);
  else say(io, words.archived(done.files.length, done.id));
  return EXIT.done;
}

/** A line of front matter in a list; nested ones stay nested. */
function listed(line: string): string {
  if (/^(?:---|\.\.\.)\s*$/.test(line)) return "";
  return /^\s/.test(line) ? line : `- ${line}`;
}

/**
 * The learnings below their own heading, which stay one section: headings step down, one that means a part of a checkpoint is none, and
 * keys of front matter are a list, for the line that ends them would make a heading of the last one here.
 */
function completion(learned: string): string {
  const { items, sections } = scanMarkdown(learned);
  const body = items.map(({ kind, text, section }) => {
    if (kind === "front-matter") return listed(text);
    const { title, level } = sections[section]!;
    if (kind !== "heading") return text;
    const end = text.endsWith("\n") ? "\n" : "";
    if (partOf(title) !== undefined) return `**${title}**${end}`;
    return level < 4 ? `#### ${title}${end}` : text;
  });
  return `## Completion\n\n${learned === "" ? "Closed." : body.join("")}\n`;
}

export interface DoctorFlags {
  readonly fix?: boolean;
  readonly deep?: boolean;
  readonly json?: boolean;
}

/** Deltas that do not lead to exactly their target, each carried out and compared. */
function unproved({ links }: History, texts: Texts): Problem[] {
  return [...links.values()].flatMap(({ from, to, file }) => {
    const [before, after, delta] = [texts.state(from), texts.state(to), texts.delta(from, to)];
    if (before === undefined || after === undefined || delta === undefined) return [];
    const amiss = proveDelta(delta, before, after).find(({ severity }) => severity === "error");
    if (amiss === undefined) return [];
    const found = problem("HASH_MISMATCH", "person", [file], told`${file}: ${amiss.said}`);
    return [{ ...found, message: `${file}: ${amiss.message}` }];
  });
}

/** Checkpoints that are not what they were, whose exact text the delta that led to them makes again. */
function originals(history: History, texts: Texts): { id: string; command: string }[] {
  return [...history.links.values()].flatMap(({ from, to, toHash, file }) => {
    const state = history.states.get(to);
    const delta = texts.delta(from, to);
    if (state === undefined || state.hash === toHash || delta === undefined) return [];
    const before = rebuild(history, from, texts);
    const made = before.ok ? applyDelta(delta, before.value.text) : undefined;
    if (made?.ok !== true || made.value.hash !== toHash) return [];
    const command = `espalier checkpoint apply ${file.replace(/\.md$/, "")} > ${to}.original.md`;
    return [{ id: to, command }];
  });
}

/** `espalier checkpoint doctor`: is the history whole? `--fix` makes again what can be derived. Exit 1 when a person is needed. */
export function doctor(io: Io, flags: DoctorFlags): number {
  const { project, folder, words } = openPlace(io);
  const mended =
    flags.fix === true
      ? whileLocked(project, () => mendCheckpoints(folder, project.config.locale))
      : undefined;
  const { history, texts } = folder.read();
  const problems = [...history.problems, ...(flags.deep === true ? unproved(history, texts) : [])];
  const serious = problems.filter(({ weight }) => weight !== "note");
  const lost = originals(history, texts);
  const plain = mended && {
    done: mended.done.map(one => toldText(one)),
    failed: mended.failed.map(one => toldText(one)),
  };
  if (flags.json === true)
    sayJson(io, {
      current: history.current,
      mended: plain,
      problems: problems.map(plainly),
      originals: lost,
    });
  else {
    const { paint } = lookOf(io.stdout, io.env, project.locale);
    const shown = (said: Told) => visible(toldText(said, project.locale));
    for (const line of mended?.done ?? []) say(io, `${paint("green", "✓")} ${shown(line)}`);
    for (const line of mended?.failed ?? []) say(io, `${paint("red", "✗")} ${shown(line)}`);
    const styles = { note: "dim", repair: "yellow", person: "red" } as const;
    for (const found of problems) {
      const weight = paint(styles[found.weight], words.weight[found.weight]);
      say(io, `${weight}: ${visible(messageIn(project.locale, found))}`);
    }
    for (const { id, command } of lost) say(io, words.original(visible(id), visible(command)));
    say(io, words.checked(history.states.size, history.links.size));
    if (serious.length === 0) say(io, words.healthy);
    else if (serious.some(({ weight }) => weight === "repair")) say(io, words.fixHint);
  }
  return serious.length > 0 ? EXIT.failedTasks : EXIT.done;
}
