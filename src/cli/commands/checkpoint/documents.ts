import type { Kept } from "../../../adapters/checkpoints/index.ts";
import { SYSTEM_CLOCK } from "../../../adapters/local/clock.ts";
import {
  applyDelta,
  bridge,
  checkCheckpoint,
  checkDelta,
  type Departure,
  deltaName,
  misTold,
  parseCheckpoint,
  proveDelta,
  readDelta,
  replay as replayHistory,
} from "../../../checkpoint/index.ts";
import { because, EspalierError, EXIT } from "../../../ports/index.ts";
import { asSaid, errorFor, messageIn, visible } from "../../../text/index.ts";
import { type Io, say, sayJson, warn } from "../../io.ts";
import { lookOf } from "../../views/look.ts";
import {
  checkpointNamed,
  isFile,
  mustReplay,
  openPlace,
  type Place,
  plainly,
  readNamed,
  textNamed,
} from "./place.ts";

interface Flags {
  readonly json?: boolean;
}

/** The present as documents have it: ISO-8601, to the second. */
export function isoNow(): string {
  return `${new Date(SYSTEM_CLOCK.now()).toISOString().slice(0, 19)}Z`;
}

/** `espalier checkpoint delta A B`: the delta document between two checkpoints. */
export function delta(io: Io, from: string, to: string, flags: Flags): number {
  const { folder, project } = openPlace(io);
  const kept = folder.read();
  const [a, b] = [checkpointNamed(io, kept, from), checkpointNamed(io, kept, to)];
  const stored = isFile(io, from) || isFile(io, to) ? undefined : kept.texts.delta(from, to);
  const created = parseCheckpoint(b.text).head.created ?? isoNow();
  const [first, second] = a.id === b.id ? [a, { ...b, id: `${b.id}-new` }] : [a, b];
  const made =
    stored === undefined ? bridge(first, second, created, undefined, project.config.locale) : undefined;
  if (made?.ok === false)
    throw new EspalierError("NO_DELTA", visible(messageIn(project.locale, made.failure)), {
      exitCode: EXIT.failedTasks,
    });
  const text = stored ?? made!.value.text;
  if (flags.json === true) {
    const { front: _, headings: __, ...read } = readDelta(text);
    sayJson(io, { name: deltaName(first.id, second.id), stored: stored !== undefined, ...read, text });
  } else io.stdout.write(text);
  return EXIT.done;
}

interface Checked {
  readonly file: string;
  readonly kind: "checkpoint" | "delta" | "unreadable";
  readonly applies?: boolean;
  readonly departures: readonly Departure[];
}

/** `espalier checkpoint validate FILE…`: every departure from the specification, with its line. Exit 1 on an error. */
export function validate(io: Io, named: readonly string[], flags: Flags): number {
  const place = openPlace(io);
  const kept = place.folder.read();
  const checked =
    named.length === 0
      ? storedDocuments(place, kept).map(({ file, text }) => check(kept, file, text))
      : named.map(file => checkNamed(io, kept, file));
  const all = checked.flatMap(({ departures }) => departures);
  const errors = all.filter(({ severity }) => severity === "error").length;
  const warnings = all.length - errors;
  const files = checked.map(one => ({ ...one, departures: one.departures.map(plainly) }));
  if (flags.json === true) sayJson(io, { errors, warnings, files });
  else {
    const { paint } = lookOf(io.stdout, io.env, place.project.locale);
    for (const { file, kind, departures } of checked) {
      if (departures.length === 0) say(io, place.words.proved(visible(file), kind));
      for (const departure of departures) {
        const { code, severity, line } = departure;
        const weight = paint(severity === "error" ? "red" : "yellow", place.words[severity]);
        const message = visible(messageIn(place.project.locale, departure));
        say(io, `${place.words.line(visible(file), line)}: ${weight} ${code}: ${message}`);
      }
    }
    if (all.length > 0) say(io, place.words.departures(errors, warnings));
  }
  if (checked.some(({ kind }) => kind === "unreadable")) return EXIT.usage;
  return errors > 0 ? EXIT.failedTasks : EXIT.done;
}

/** One that cannot be read does not keep the others from being checked. */
function checkNamed(io: Io, kept: Kept, file: string): Checked {
  try {
    return check(kept, file, textNamed(io, kept, file));
  } catch (error) {
    if (!(error instanceof EspalierError)) throw error;
    const { code, message } = error;
    const unreadable = { code, severity: "error", line: 0, message, said: asSaid(message) } as const;
    return { file, kind: "unreadable", departures: [unreadable] };
  }
}

function check(kept: Kept, file: string, text: string): Checked {
  return isDelta(text, file)
    ? checkedDelta(kept, file, text)
    : { file, kind: "checkpoint", departures: checkCheckpoint(text) };
}

function isDelta(text: string, file: string): boolean {
  const { delta: name, from, to, block } = readDelta(text);
  if (name !== undefined || (from !== undefined && to !== undefined) || block !== undefined) return true;
  return file.slice(file.lastIndexOf("/") + 1).startsWith("delta-");
}

/** Every document of the folder that can be read. */
function storedDocuments({ folder }: Place, { history }: Kept): { file: string; text: string }[] {
  return [...history.states.values(), ...history.links.values()].flatMap(({ file }) => {
    const text = folder.text(file);
    return text.ok ? [{ file, text: text.value }] : [];
  });
}

function checkedDelta({ texts }: Kept, file: string, text: string): Checked {
  const { from, to } = readDelta(text);
  const before = from === undefined ? undefined : texts.state(from);
  const after = to === undefined ? undefined : texts.state(to);
  if (before === undefined || after === undefined)
    return { file, kind: "delta", departures: checkDelta(text) };
  const departures = proveDelta(text, before, after);
  return {
    file,
    kind: "delta",
    applies: !departures.some(({ severity }) => severity === "error"),
    departures,
  };
}

/** `espalier checkpoint apply DELTA [CHECKPOINT]`: what the checkpoint becomes, byte for byte. */
export function apply(
  io: Io,
  named: string,
  base: string | undefined,
  flags: Flags & { readonly anyway?: boolean },
): number {
  const { folder, project } = openPlace(io);
  const kept = folder.read();
  const stored = [...kept.history.links.values()].find(
    ({ file }) => file === named || file === `${named}.md`,
  );
  const read = stored === undefined ? undefined : folder.text(stored.file);
  const text = read?.ok === true ? read.value : readNamed(io, named);
  const from = base ?? readDelta(text).from;
  if (from === undefined) {
    throw errorFor("NO_BASE", because("delta-without-base", { file: visible(named) }), {
      advice: because("name-its-base", {}),
      exitCode: EXIT.usage,
    });
  }
  const before = checkpointNamed(io, kept, from).text;
  const applied = applyDelta(text, before);
  if (!applied.ok) {
    const { kind } = applied.failure;
    const why = visible(messageIn(project.locale, applied.failure));
    const isSwapped = readDelta(before).block !== undefined;
    throw errorFor(
      `DELTA_${kind.toUpperCase()}`,
      because("delta-refused", { file: visible(named), said: why }),
      {
        ...(kind === "prose" ? { advice: because(isSwapped ? "delta-first" : "delta-in-words", {}) } : {}),
        exitCode: EXIT.failedTasks,
      },
    );
  }
  const amiss = misTold(text, before, applied.value.text);
  const mistold = amiss === undefined ? "" : visible(messageIn(project.locale, amiss));
  if (amiss?.refuse === true && flags.anyway !== true) {
    throw errorFor("DELTA_TOLD", because("delta-refused", { file: visible(named), said: mistold }), {
      advice: because("delta-mistold", {}),
      exitCode: EXIT.failedTasks,
    });
  }
  if (amiss !== undefined) warn(io, `${visible(named)}: ${mistold}`);
  if (flags.json === true) sayJson(io, { from, hash: applied.value.hash, text: applied.value.text });
  else io.stdout.write(applied.value.text);
  return EXIT.done;
}

/** `espalier checkpoint replay FROM TO`: rebuilds one state from another along the deltas, forward or back. */
export function replay(io: Io, from: string, to: string, flags: Flags): number {
  const { folder, project, words } = openPlace(io);
  const { history, texts } = folder.read();
  const done = mustReplay(replayHistory(history, from, to, texts), project.locale);
  if (flags.json === true) sayJson(io, { from, to, ...done });
  else {
    io.stdout.write(done.text);
    warn(io, words.replayed(visible(from), visible(to), done.steps, done.hash));
  }
  return EXIT.done;
}
