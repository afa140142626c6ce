import { resolve } from "node:path";
import { type Fields, fields, text } from "../fields.ts";
import { commandOf, pathsOf } from "./announced.ts";

/** What two calls are compared by. */
interface Work {
  readonly title: string;
  readonly command: string;
  readonly paths: string;
  readonly url: string;
}

/** By what was told of a call, which never changes: each is compared with all others of its turn. */
const works = new WeakMap<Fields, Work>();

function workOf(told: Fields, cwd: string): Work {
  const known = works.get(told);
  if (known !== undefined) return known;
  const paths = new Set(pathsOf(told).map(path => resolve(cwd, path)));
  const work = {
    title: text(told["title"]).trim(),
    command: commandOf(told).trim(),
    paths: [...paths].sort().join("\0"),
    url: text(fields(told["rawInput"])["url"]).trim(),
  };
  works.set(told, work);
  return work;
}

/** What tells most of a call; the first that both tell decides. */
const TELLING = ["command", "paths", "url"] as const;

/** Whether a call of one kind is what was asked for as that kind: by the most telling that both tell, else by their titles. */
export function isSameWork(asked: Fields, done: Fields, cwd: string): boolean {
  const [one, other] = [workOf(asked, cwd), workOf(done, cwd)];
  const by = TELLING.find(name => one[name] !== "" && other[name] !== "");
  if (by !== undefined) return one[by] === other[by];
  const titles = [other.title, other.command].filter(title => title !== "");
  return titles.some(title => title === one.title || title === one.command);
}

/** Whether a call that does not say of what kind it is is one that was asked for as work: nothing that they tell may differ. */
export function isDisguised(asked: Fields, done: Fields, cwd: string): boolean {
  const [one, other] = [workOf(asked, cwd), workOf(done, cwd)];
  if (other.title === "") return false;
  const isAlike = one.title === other.title && TELLING.every(name => one[name] === other[name]);
  return isAlike || other.title === one.command;
}
