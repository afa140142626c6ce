import { readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { because, ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { isWithin } from "../../../file/index.ts";
import type { Git } from "../call/call.ts";
import { failed } from "../call/failure.ts";
import { INCLUDES, isInclude, type Setting } from "../call/settings.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** Where a repository's configuration may come from. */
export interface ConfigurationPlaces {
  /** The checkout's top folder. */
  readonly top: string;
  /** The git directory all worktrees share. */
  readonly common: string;
  /** What git is called with: it says where a person's own configuration lies. */
  readonly env: NodeJS.ProcessEnv;
}

/** Everything that git would read of its configuration here, in whatever worktree and under whatever condition. */
export interface Configuration {
  readonly settings: readonly Setting[];
  /** The files it stands in, and those that would be read if they were there. Absolute. */
  readonly files: readonly string[];
}

/** Further files that one configuration may lead to; git itself follows ten in a row. */
const MOST = 100;

/** Where packagers put the configuration of a whole machine; what git tells of its own is looked at besides. */
const OF_THE_MACHINE = ["/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig"];

/** The folder of a person's own settings; undefined where there is no home. */
export function personalFolder({
  XDG_CONFIG_HOME: xdg = "",
  HOME: home = "",
}: NodeJS.ProcessEnv): string | undefined {
  if (xdg !== "") return join(xdg, "git");
  return home === "" ? undefined : join(home, ".config", "git");
}

function personal(env: NodeJS.ProcessEnv): string[] {
  const { HOME: home = "" } = env;
  const folder = personalFolder(env);
  return [
    ...(home === "" ? [] : [join(home, ".gitconfig")]),
    ...(folder === undefined ? [] : [join(folder, "config")]),
  ];
}

/** The configuration of single worktrees, the main checkout's first. It counts once an extension is switched on. */
function ofWorktrees(common: string): string[] {
  let names: string[] = [];
  try {
    names = readdirSync(join(common, "worktrees")).sort();
  } catch {
    // It has none.
  }
  return [common, ...names.map(name => join(common, "worktrees", name))].map(folder =>
    join(folder, "config.worktree"),
  );
}

/** Fields of a NUL-terminated list as text, and whether their bytes are. */
function fieldsOf(bytes: Buffer): { readonly text: string; readonly isText: boolean }[] {
  const fields: { text: string; isText: boolean }[] = [];
  for (let from = 0; from < bytes.length; ) {
    const at = bytes.indexOf(0, from);
    const field = bytes.subarray(from, at < 0 ? bytes.length : at);
    const text = field.toString("utf8");
    const isText = Buffer.from(text).equals(field);
    fields.push({ text: isText ? text : field.toString("latin1"), isText });
    from += field.length + 1;
  }
  return fields;
}

const FILE = "file:";

interface Told extends Pick<Setting, "origin" | "key" | "value" | "isText"> {
  /** `system`, `global`, `local`, `worktree`, `command`. */
  readonly scope: string;
}

/** Reads what git tells with `--show-scope --show-origin -z`; what comes from no file is our own. */
function readTold(bytes: Buffer, cwd: string): Told[] {
  const fields = fieldsOf(bytes);
  const told: Told[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [{ text: scope }, { text: origin }, { text, isText }] = [
      fields[at]!,
      fields[at + 1]!,
      fields[at + 2]!,
    ];
    if (!origin.startsWith(FILE)) continue;
    const end = text.indexOf("\n");
    told.push({
      scope,
      origin: resolve(cwd, origin.slice(FILE.length)),
      key: end < 0 ? text : text.slice(0, end),
      value: end < 0 ? undefined : text.slice(end + 1),
      isText,
    });
  }
  return told;
}

const TELL = ["--show-scope", "--show-origin", "-z"];

/** What git reads of its configuration; with a file, what that one alone says. */
async function ask(git: Git, file?: string): Answer<readonly Told[]> {
  const where = file === undefined ? [] : ["--file", file, "--no-includes"];
  const all = await git.run(["config", ...where, ...TELL, "--list"]);
  return all.ok ? ok(readTold(all.value.stdout, git.root)) : all;
}

/** Where the includes among some settings lead, in their order. Git knows what `~` and the like mean. */
async function leadsOf(git: Git, told: readonly Told[], file?: string): Answer<readonly string[]> {
  if (!told.some(({ key }) => isInclude(key))) return ok([]);
  const where = file === undefined ? [] : ["--file", file, "--no-includes"];
  const how = ["--type=path", "--get-regexp", INCLUDES];
  const found = await git.run(["config", ...where, ...TELL, ...how]);
  if (!found.ok) return found;
  const paths = readTold(found.value.stdout, git.root);
  return ok(paths.map(({ origin, value = "" }) => resolve(dirname(origin), value)));
}

/** Whether a file is there to be read. What is no plain file would keep git waiting, or say something else each time. */
function standing(path: string): Result<boolean, VcsFailure> {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined || facts.isFile()) return ok(facts !== undefined);
  return failed(because("git-config-include", { path }));
}

/** Asks git for its configuration, without the conditions under which it would pass over a file. */
export async function readConfiguration(git: Git, places: ConfigurationPlaces): Answer<Configuration> {
  const { top, common, env } = places;
  const settings: Setting[] = [];
  const read = new Set<string>();
  const alone = ofWorktrees(common);
  const more = alone.map(path => ({ path, owner: "repository" as Setting["owner"] }));

  const take = async (by: Setting["owner"], file?: string): Answer<void> => {
    const told = await ask(git, file);
    if (!told.ok) return told;
    const leads = await leadsOf(git, told.value, file);
    if (!leads.ok) return leads;
    let at = 0;
    for (const { scope, ...one } of told.value) {
      const isForeign =
        scope === "local" ||
        scope === "worktree" ||
        isWithin(top, one.origin) ||
        isWithin(common, one.origin);
      const owner = isForeign ? "repository" : by;
      read.add(one.origin);
      const path = isInclude(one.key) ? leads.value[at++] : undefined;
      if (path !== undefined) more.push({ path, owner });
      settings.push({ ...one, owner, ...(path === undefined ? {} : { leads: path }) });
    }
    return ok(undefined);
  };

  const whole = await take("person");
  if (!whole.ok) return whole;
  // It grows while it is gone through.
  for (const { path, owner } of more) {
    if (more.length > MOST + alone.length) return failed(because("git-config-includes", { most: MOST }));
    const isThere = read.has(path) ? ok(false) : standing(path);
    if (!isThere.ok) return isThere;
    if (!isThere.value) continue;
    read.add(path);
    const taken = await take(owner, path);
    if (!taken.ok) return taken;
  }
  const known = [
    join(common, "config"),
    ...personal(env),
    ...OF_THE_MACHINE,
    ...more.map(({ path }) => path),
  ];
  return ok({ settings, files: [...new Set([...known, ...read])] });
}
