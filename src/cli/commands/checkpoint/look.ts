import { deltaName, inlineDeltas, parseCheckpoint, standingOf } from "../../../checkpoint/index.ts";
import { EXIT } from "../../../ports/index.ts";
import { toldText, visible } from "../../../text/index.ts";
import { type Io, say, sayJson, warn } from "../../io.ts";
import { checkpointList, checkpointView } from "../../views/checkpoint-view.ts";
import { lookOf } from "../../views/look.ts";
import { checkpointNamed, currentOf, openPlace, plainly } from "./place.ts";

interface Flags {
  readonly json?: boolean;
}

/** `espalier checkpoint list`: every checkpoint with what led to it, and what is amiss. */
export function list(io: Io, flags: Flags): number {
  const { project, folder, words } = openPlace(io);
  const { history } = folder.read();
  if (flags.json === true) {
    const checkpoints = history.order.map(id => {
      const state = history.states.get(id);
      const parent = history.parents.get(id);
      const link = parent === undefined ? undefined : history.links.get(deltaName(parent, id));
      return {
        id,
        standing: standingOf(history, id),
        created: state?.created ?? link?.created,
        parent,
        hash: state?.hash ?? link?.toHash,
        file: state?.file,
        bytes: state?.bytes,
        delta: link?.file,
        summary: link?.summary,
      };
    });
    sayJson(io, { current: history.current, checkpoints, problems: history.problems.map(plainly) });
    return EXIT.done;
  }
  if (history.order.length === 0) say(io, words.none);
  for (const line of checkpointList(history, words, lookOf(io.stdout, io.env, project.locale))) say(io, line);
  for (const { said, weight } of history.problems)
    if (weight !== "note") warn(io, `${words.weight[weight]}: ${visible(toldText(said, project.locale))}`);
  return EXIT.done;
}

/** `espalier checkpoint show [CHECKPOINT]`: where the work stands, for somebody who was away. */
export function show(io: Io, named: string | undefined, flags: Flags & { readonly raw?: boolean }): number {
  const place = openPlace(io);
  const kept = place.folder.read();
  const { history } = kept;
  const { id, text } = checkpointNamed(io, kept, named ?? currentOf(place, kept));
  if (flags.raw === true) {
    io.stdout.write(text);
    return EXIT.done;
  }
  const known = history.states.has(id) || history.parents.has(id);
  const standing = known ? standingOf(history, id) : undefined;
  const parent = history.parents.get(id);
  const link = parent === undefined ? undefined : history.links.get(deltaName(parent, id));
  if (flags.json === true) {
    const { head, tiles } = parseCheckpoint(text);
    const sections = tiles
      .filter(({ section }) => section.level > 0)
      .map(({ part, section, text: own }) => ({
        title: section.title,
        part,
        line: section.line + 1,
        text: own,
      }));
    sayJson(io, { id, standing, head, summary: link?.summary, sections, inlineDeltas: inlineDeltas(text) });
    return EXIT.done;
  }
  const look = lookOf(io.stdout, io.env, place.project.locale);
  const facts = { id, standing, since: link?.summary ?? inlineDeltas(text).at(-1)?.text ?? "" };
  for (const line of checkpointView(text, facts, place.words, look)) say(io, line);
  return EXIT.done;
}
