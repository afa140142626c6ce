import { relative, resolve } from "node:path";
import type { ToolKind } from "../../../ports/index.ts";
import { isWithin } from "../../file/index.ts";
import { type Fields, fields, list, text } from "../fields.ts";
import { type Subject, toolKind } from "../permissions.ts";

/** Places of one call that are remembered. */
export const MOST_PLACES = 100;
/** Characters of a call's arguments that are remembered. */
export const MOST_KEPT = 10_000;

/** The command of a call, as it was told. */
export function commandOf(call: Fields): string {
  const { command } = fields(call["rawInput"]);
  return Array.isArray(command) ? list(command).map(text).join(" ") : text(command);
}

/** What the agent itself calls the tool, as Qwen Code adds it. */
export function toolName(call: Fields): string {
  return text(fields(call["_meta"])["toolName"]);
}

/** The kind of a call. One with a command runs it, but for that of an editor, which stands beside a path. */
export function kindOf(call: Fields): ToolKind {
  const runs = commandOf(call) !== "" && pathOf(call) === "";
  return runs ? "execute" : toolKind(text(call["kind"]));
}

function pathOf(call: Fields): string {
  const { path, file_path: file, filePath } = fields(call["rawInput"]);
  return text(path) || text(file) || text(filePath);
}

/** The places that a call names, those of the differences that it shows among them. */
function placesOf(call: Fields): readonly unknown[] {
  const shown = list(call["content"]).filter(one => fields(one)["type"] === "diff");
  return [...list(call["locations"]), ...shown.map(one => ({ path: fields(one)["path"] }))];
}

/** The paths that a call names. */
export function pathsOf(call: Fields): readonly string[] {
  const places = placesOf(call).map(place => text(fields(place)["path"]));
  return [...new Set([...places, pathOf(call)])].filter(path => path !== "");
}

/** The arguments of a call of which neither a command, a path nor a page is told. */
function argumentsOf(call: Fields): string {
  const input = fields(call["rawInput"]);
  const isTelling = commandOf(call) !== "" || pathsOf(call).length > 0 || text(input["url"]) !== "";
  if (isTelling) return "";
  return Object.keys(input).length === 0 ? text(call["arguments"]) : JSON.stringify(input);
}

/** Whether a title says a page or a path, as a word of its own. */
function says(title: string, part: string): boolean {
  const at = title.indexOf(part);
  const around = [title[at - 1] ?? " ", title[at + part.length] ?? " "];
  return at >= 0 && around.every(letter => /[\s`'"(),:]/.test(letter));
}

/** What a call is about besides its title: its page, its places seen from a folder, else its arguments. */
export function aboutOf(call: Fields, folder: string, title: string): string {
  const paths = pathsOf(call).flatMap(path => {
    const seen = isOutside(path, folder) ? path : relative(folder, resolve(folder, path)) || ".";
    return says(title, path) || says(title, seen) ? [] : [seen];
  });
  const others = [text(fields(call["rawInput"])["url"]), argumentsOf(call)].filter(
    part => part !== "" && !says(title, part),
  );
  return [...others, ...(paths.length === 0 ? [] : [paths.join(", ")])].join(" ");
}

/** Whether a path that a call names, maybe relative to a folder, leads out of it. */
export function isOutside(path: string, folder: string): boolean {
  return !isWithin(folder, resolve(folder, path));
}

/** What a call is about, as far as it tells; what is longer than is remembered of it is not known to its end. */
export function subjectOf(call: Fields): Subject {
  const isWhole = (told: string) => told !== "" && told.length < MOST_KEPT;
  const command = commandOf(call);
  const paths = pathsOf(call);
  const host = hostOf(text(fields(call["rawInput"])["url"]));
  return {
    ...(isWhole(command) ? { command } : {}),
    ...(paths.length > 0 && paths.length < MOST_PLACES && paths.every(isWhole) ? { paths } : {}),
    ...(host === undefined ? {} : { host }),
  };
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname || undefined : undefined;
}

/** Whether a kind is one that a policy can be held against: `other` may be anything. */
export function isWork(kind: ToolKind): kind is "edit" | "execute" | "fetch" {
  return kind !== "read" && kind !== "other";
}

/** What a permission is decided by, where it is told; absent, null and empty fields are left out. */
export function told(call: Fields): Fields {
  const { kind, title, name } = call;
  const places = placesOf(call).slice(0, MOST_PLACES);
  const given = argumentsOf(call).slice(0, MOST_KEPT);
  const command = commandOf(call).slice(0, MOST_KEPT);
  const path = pathOf(call).slice(0, MOST_KEPT);
  const url = text(fields(call["rawInput"])["url"]).slice(0, MOST_KEPT);
  const tool = toolName(call);
  const input = {
    ...(command === "" ? {} : { command }),
    ...(path === "" ? {} : { path }),
    ...(url === "" ? {} : { url }),
  };
  return {
    ...(text(kind) === "" ? {} : { kind }),
    ...(text(title) === "" ? {} : { title: text(title).slice(0, MOST_KEPT) }),
    ...(text(name) === "" ? {} : { name }),
    ...(places.length === 0 ? {} : { locations: places }),
    ...(given === "" ? {} : { arguments: given }),
    ...(Object.keys(input).length === 0 ? {} : { rawInput: input }),
    ...(tool === "" ? {} : { _meta: { toolName: tool } }),
  };
}
