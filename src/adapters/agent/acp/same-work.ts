import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { type Fields, fields, list, text } from "../fields.ts";
import { commandOf, MOST_KEPT, MOST_PLACES, pathsOf } from "./told.ts";

/** What a call tells of its work: what is longer than is kept of it is not known to its end. */
export interface Work {
  readonly title: string;
  readonly command: string;
  readonly paths: string;
  readonly url: string;
  /** The telling fields that it has, one bit each. */
  readonly tells: number;
  readonly isCut: boolean;
}

/** What tells most of a call; the first that both tell decides. */
const TELLING = ["command", "paths", "url"] as const;
const MOST_TELLS = 1 << TELLING.length;

/** A text that stands for one of any length. */
function brief(told: string): string {
  return told.length <= 200 ? told : createHash("sha256").update(told).digest("hex");
}

export function workOf(told: Fields, cwd: string): Work {
  const all = pathsOf(told).map(path => resolve(cwd, path));
  const said = {
    title: text(told["title"]).trim(),
    command: commandOf(told).trim(),
    paths: [...new Set(all)].sort().join("\0"),
    url: text(fields(told["rawInput"])["url"]).trim(),
  };
  const isCut =
    [...all, said.title, said.command, said.url].some(one => one.length >= MOST_KEPT) ||
    list(told["locations"]).length >= MOST_PLACES;
  let tells = 0;
  for (const [bit, name] of TELLING.entries()) if (said[name] !== "") tells |= 1 << bit;
  return {
    title: brief(said.title),
    command: brief(said.command),
    paths: brief(said.paths),
    url: brief(said.url),
    tells,
    isCut,
  };
}

/** Under what something asked for is found, or looked for. */
export interface Key {
  readonly key: string;
  /** Nothing else than the very same work is found by it: a title may be the name of a tool. */
  readonly isSure: boolean;
}

/** A title that tells more than what its tool is called, where nothing else is told. */
function isTelling({ title, tells }: Work): boolean {
  return tells === 0 && /\s/.test(title);
}

const named = (tells: number, by: string, value: string) => `${tells}\0${by}\0${value}`;

/** Under what keys work that was asked for is found again. */
export function keysOf(asked: Work): readonly string[] {
  const { title, command, tells } = asked;
  return [
    ...TELLING.filter(name => asked[name] !== "").map(name => named(tells, name, asked[name])),
    ...(title === "" ? [] : [named(tells, "title", title)]),
    ...(command === "" ? [] : [named(tells, "called", command)]),
  ];
}

/**
 * Under what keys it would be found that work of one kind was asked for: by the most telling that both tell, else by their titles,
 * of which one may be the command of the other.
 */
export function soughtFor(done: Work): readonly Key[] {
  const keys: Key[] = [];
  const isSure = !done.isCut;
  const { title, command } = done;
  for (let tells = 0; tells < MOST_TELLS; tells++) {
    const both = tells & done.tells;
    const by = TELLING.find((_, bit) => (both & (1 << bit)) !== 0);
    if (by !== undefined) {
      keys.push({ key: named(tells, by, done[by]), isSure });
      continue;
    }
    if (title !== "") {
      keys.push({ key: named(tells, "title", title), isSure: isSure && tells === 0 && isTelling(done) });
      keys.push({ key: named(tells, "called", title), isSure });
    }
    if (command !== "") keys.push({ key: named(tells, "title", command), isSure });
  }
  return keys;
}

/** All that is told of a piece of work. */
export const wholeOf = ({ title, command, paths, url }: Work) =>
  `alike\0${title}\0${command}\0${paths}\0${url}`;
const called = (command: string) => `called\0${command}`;

/** Under what keys work is found again by a call that does not say of what kind it is: nothing that they tell may differ. */
export function disguisesOf(asked: Work): readonly Key[] {
  const { title, command, tells, isCut } = asked;
  const alike = { key: wholeOf(asked), isSure: !isCut && (tells > 0 || isTelling(asked)) };
  return [
    ...(title === "" ? [] : [alike]),
    ...(command === "" ? [] : [{ key: called(command), isSure: !isCut }]),
  ];
}

/** Under what keys it would be found that a call which does not say of what kind it is was asked for as work. */
export function soughtBehind(done: Work): readonly string[] {
  return done.title === "" || done.isCut ? [] : [wholeOf(done), called(done.title)];
}
