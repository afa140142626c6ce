/** One setting as git itself read it. */
export interface Setting {
  /** Whose it is: what came with the repository, or what a person set up for everything of theirs. */
  readonly owner: "repository" | "person";
  /** Absolute path of the file it stands in. */
  readonly origin: string;
  /** As git writes it: section and name in lower case, what stands between them as it is. */
  readonly key: string;
  /** Undefined where the key stands alone. */
  readonly value: string | undefined;
  /** Absolute path of the further file it has git read. */
  readonly leads?: string;
  /** Whether its bytes are UTF-8. Where they are not, key and value have one character for each byte. */
  readonly isText: boolean;
}

interface Parts {
  readonly section: string;
  /** What stands between the first and the last dot; it may be empty, or not be there. */
  readonly name: string | undefined;
  readonly last: string;
}

function partsOf(key: string): Parts {
  const first = key.indexOf(".");
  const end = key.lastIndexOf(".");
  return {
    section: first < 0 ? key : key.slice(0, first),
    name: end > first ? key.slice(first + 1, end) : undefined,
    last: key.slice(end + 1),
  };
}

const FILTER: ReadonlySet<string> = new Set(["clean", "smudge", "process"]);

/** The keys that have git read a further file, as git is asked for them; `isInclude` knows the same. */
export const INCLUDES = "^include(if\\..*)?\\.path$";

/** Whether a key has git read a further file. */
export function isInclude(key: string): boolean {
  const { section, name, last } = partsOf(key);
  return (
    last === "path" &&
    (section === "include" ? name === undefined : section === "includeif" && name !== undefined)
  );
}

/** Whether a key's value is a program that our calls start unless it is named and switched off: filters, merge drivers. */
function isDriver(key: string): boolean {
  const { section, name, last } = partsOf(key);
  if (name === undefined) return false;
  return (section === "filter" && FILTER.has(last)) || (section === "merge" && last === "driver");
}

/** Hooks that stand in the configuration instead of a folder: git 2.54 and later. */
function isHook(key: string): boolean {
  const { section, name } = partsOf(key);
  return section === "hook" && name !== undefined;
}

/** `key=value`, and a key that holds the sign itself in quotes: no other pair reads the same. */
function pair({ key, value = "true", leads = value }: Setting): string {
  return `${key.includes("=") ? JSON.stringify(key) : key}=${leads}`;
}

/** What of a repository's own configuration our calls would start, or would read more of, as `key=value`. */
export function programsOf(settings: readonly Setting[]): string[] {
  const named = settings.filter(
    ({ owner, key }) => owner === "repository" && (isDriver(key) || isInclude(key)),
  );
  return [...new Set(named.map(pair))];
}

/** A program that cannot be shown, approved or switched off, because its name is no text. */
export function unspeakable(settings: readonly Setting[]): string | undefined {
  return settings.find(({ key, isText }) => !isText && (isDriver(key) || isInclude(key) || isHook(key)))?.key;
}

/** A setting that is made for one call. */
export type Override = readonly [key: string, value: string];

/** Switches off every filter and merge driver of the repository's own configuration, whatever else is known of it. */
export function driversOff(settings: readonly Setting[]): Override[] {
  const names = settings
    .filter(({ owner, key }) => owner === "repository" && isDriver(key))
    .map(({ key }) => partsOf(key));
  const of = (wanted: string) =>
    new Set(names.flatMap(({ section, name }) => (section === wanted && name !== undefined ? [name] : [])));
  const [filters, merges] = [of("filter"), of("merge")];
  return [
    ...[...filters].flatMap((name): Override[] => [
      ...[...FILTER].map((how): Override => [`filter.${name}.${how}`, ""]),
      // One that must exist would fail every file without its program.
      [`filter.${name}.required`, "false"],
    ]),
    ...[...merges].map((name): Override => [`merge.${name}.driver`, "false"]),
  ];
}

/** Switches off the hooks that stand in the configuration, whoever put them there. */
export function hooksOff(settings: readonly Setting[]): Override[] {
  const names = new Set(settings.filter(({ key }) => isHook(key)).map(({ key }) => partsOf(key).name ?? ""));
  return [...names].map(name => [`hook.${name}.enabled`, "false"]);
}

/** Sections of a repository that people and their tools write all the time and that can start nothing. */
const IDLE: ReadonlySet<string> = new Set(["branch", "user", "gui"]);
/** Sections of a person's own configuration that decide what our calls start or read. */
const GRAVE: ReadonlySet<string> = new Set([
  "core",
  "diff",
  "extensions",
  "filter",
  "gpg",
  "hook",
  "include",
  "includeif",
  "merge",
  "protocol",
]);

function matters({ owner, key }: Setting): boolean {
  const { section } = partsOf(key);
  return owner === "person" ? GRAVE.has(section) : !IDLE.has(section);
}

/** Ways of updating a submodule that start no program. */
const UPDATES: ReadonlySet<string | undefined> = new Set(["none", "checkout", "rebase", "merge"]);

/** Whether a setting is one that `git submodule init` writes for a submodule that had none; no call of ours looks at it. */
function isOfSubmodule({ key, value }: Setting): boolean {
  const { section, name, last } = partsOf(key);
  if (section !== "submodule" || name === undefined) return false;
  return last === "url" || last === "active" || (last === "update" && UPDATES.has(value));
}

/** Keys that differ between two readings and could matter: what came, and what is gone. */
export function changedKeys(before: readonly Setting[], after: readonly Setting[]): string[] {
  const told = (settings: readonly Setting[]) =>
    new Map(settings.filter(matters).map(one => [`${one.owner}\0${pair(one)}`, one.key]));
  const stood = new Set(before.map(({ key }) => key));
  const [old, now] = [told(before), told(after.filter(one => stood.has(one.key) || !isOfSubmodule(one)))];
  const came = [...now].filter(([id]) => !old.has(id));
  const gone = [...old].filter(([id]) => !now.has(id));
  return [...new Set([...came, ...gone].map(([, key]) => key))].sort();
}

/** The value that counts of a key that may stand several times. */
export function lastOf(settings: readonly Setting[], key: string): string | undefined {
  return settings.findLast(one => one.key === key)?.value;
}

/** Whether a switch is on. */
export function isOn(settings: readonly Setting[], key: string): boolean {
  const found = settings.findLast(one => one.key === key);
  return found !== undefined && ["true", "yes", "on", "1"].includes((found.value ?? "true").toLowerCase());
}
