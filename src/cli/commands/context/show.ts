import { type ContextReading, readContext } from "../../../host/session/context.ts";
import { EXIT } from "../../../ports/index.ts";
import { visible, visibleLines } from "../../../text/index.ts";
import { type Io, say, sayJson } from "../../io.ts";
import { cell, line, lookOf } from "../../views/look.ts";
import { columnWidth } from "../../views/terminal/width.ts";
import { failure, openPlace, type Place } from "./ask.ts";
import { must, noSuchLabel } from "./must.ts";

interface Wanted {
  readonly label: string;
  readonly version: number | undefined;
}

/** `GC`, `GC@3`, `GC@v3`. */
function wantedOf(text: string): Wanted {
  const at = text.lastIndexOf("@");
  const number = at < 0 ? null : /^v?(\d{1,9})$/.exec(text.slice(at + 1));
  return number === null
    ? { label: text, version: undefined }
    : { label: text.slice(0, at), version: Number(number[1]) };
}

/** `espalier context show [LABEL[@v]]`: a version's text, byte for byte unless it goes to a terminal; without a label, all of them. */
export function show(io: Io, name: string | undefined, options: { json?: boolean }): number {
  const place = openPlace(io);
  const told = readContext(place.project, reading =>
    name === undefined ? list(place, reading, options) : showOne(place, reading, wantedOf(name), options),
  );
  if (told === undefined) throw failure("NO_CONTEXT", place.words.noContext);
  return EXIT.done;
}

function showOne(
  { io, words }: Place,
  { shared }: ContextReading,
  { label, version }: Wanted,
  options: { json?: boolean },
): true {
  const lead = must(shared.lead(label), words);
  const newest = lead?.versions.at(-1);
  if (lead === undefined || newest === undefined)
    throw noSuchLabel(words, must(shared.labels(), words), label);
  const number = version ?? newest.number;
  const facts = lead.versions[number - 1];
  if (facts === undefined) throw failure("NO_SUCH_VERSION", words.noVersion(label, number, newest.number));
  const kept = must(shared.text(label, number), words);
  if (kept === undefined) throw failure("NOT_KEPT", words.notKept(label, number));
  if (options.json === true) sayJson(io, { label, ...facts, version: number, text: kept.text });
  else io.stdout.write(io.stdout.isTTY === true ? `${visibleLines(kept.text.trimEnd())}\n` : kept.text);
  return true;
}

function list({ io, project, words }: Place, { shared }: ContextReading, options: { json?: boolean }): true {
  const rows = must(shared.labels(), words).flatMap(label => {
    const lead = must(shared.lead(label), words);
    const newest = lead?.versions.at(-1);
    const teammates = [...(lead?.teammates.values() ?? [])].filter(mate => mate.live).length;
    return newest === undefined
      ? []
      : [{ label, version: newest.number, hash: newest.hash, at: newest.at, by: newest.by, teammates }];
  });
  if (options.json === true) {
    sayJson(io, rows);
    return true;
  }
  if (rows.length === 0) say(io, words.nothing);
  const look = lookOf(io.stdout, io.env, project.locale);
  const name = columnWidth(rows, row => `${row.label}-v${row.version}`, 40);
  for (const row of rows) {
    const version = cell(look, `${row.label}-v${row.version}`, name);
    say(io, line(look, { text: `${version}  ${row.hash}  ${visible(row.by, 80)}` }));
  }
  return true;
}
