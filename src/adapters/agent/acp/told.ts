import { relative, resolve } from "node:path";
import type { ToolKind } from "../../../ports/index.ts";
import { isWithin } from "../../file/index.ts";
import { type Fields, fields, list, text } from "../fields.ts";
import { type Subject, toolKind } from "../permissions.ts";

/** Places of one call that are remembered. */
export const MOST_PLACES = 100;
/** Characters of a call's arguments that are remembered. */
export const MOST_KEPT = 10_000;

const words = (told: unknown): string => (Array.isArray(told) ? list(told).map(text).join(" ") : text(told));

/** The command of a call, as it was told, with its arguments where they stand beside it. */
export function commandOf(call: Fields): string {
  const { command, args } = fields(call["rawInput"]);
  return words(command) === "" ? "" : `${words(command)} ${words(args)}`.trimEnd();
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

/** The places that a call names, those of the differences that it shows among them; each once. */
function placesOf(call: Fields): readonly string[] {
  const shown = list(call["content"]).filter(one => fields(one)["type"] === "diff");
  const paths = [...list(call["locations"]), ...shown].map(place => text(fields(place)["path"]));
  return [...new Set(paths)].filter(path => path !== "");
}

/** The paths that a call names. */
export function pathsOf(call: Fields): readonly string[] {
  return [...new Set([...placesOf(call), pathOf(call)])].filter(path => path !== "");
}

/** The arguments of a call beside its paths and its page. */
function givenIn(call: Fields): string {
  const { rawInput } = call;
  if (typeof rawInput !== "object") return text(rawInput);
  const told: readonly unknown[] = [...pathsOf(call), text(fields(rawInput)["url"])];
  const others = Object.entries(fields(rawInput)).filter(([, value]) => !told.includes(value));
  return others.length === 0 ? "" : JSON.stringify(Object.fromEntries(others));
}

/** The arguments by which a call is told from others: where it edits or reads a file, or fetches a page, that is told by these. */
function argumentsOf(call: Fields): string {
  const kind = kindOf(call);
  const isNamed = pathsOf(call).length > 0 || text(fields(call["rawInput"])["url"]) !== "";
  const isTelling = kind === "execute" ? commandOf(call) !== "" : kind !== "other" && isNamed;
  return isTelling ? "" : text(call["arguments"]) || givenIn(call);
}

/** Whether a title says a page or a path, as a word of its own. */
function says(title: string, part: string): boolean {
  const at = title.indexOf(part);
  const around = [title[at - 1] ?? " ", title[at + part.length] ?? " "];
  return at >= 0 && around.every(letter => /[\s`'"(),:]/.test(letter));
}

/** What a call is about besides its title: its page, its places seen from a folder, its arguments. */
export function aboutOf(call: Fields, folder: string, title: string): string {
  const paths = pathsOf(call).flatMap(path => {
    const seen = isOutside(path, folder) ? path : relative(folder, resolve(folder, path)) || ".";
    return says(title, path) || says(title, seen) ? [] : [seen];
  });
  const [page, given] = [text(fields(call["rawInput"])["url"]), argumentsOf(call)].map(part =>
    says(title, part) ? "" : part,
  );
  // The arguments may be long: they stand last.
  return [page, paths.join(", "), given].filter(part => part !== "").join(" ");
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
  const given = argumentsOf({ ...call, arguments: undefined }).slice(0, MOST_KEPT);
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
    ...(places.length === 0 ? {} : { locations: places.map(path => ({ path })) }),
    ...(given === "" ? {} : { arguments: given }),
    ...(Object.keys(input).length === 0 ? {} : { rawInput: input }),
    ...(tool === "" ? {} : { _meta: { toolName: tool } }),
  };
}
