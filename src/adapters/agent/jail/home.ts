import { lstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { isBelow, isWithin } from "../../file/index.ts";
import { type Cell, type Mount, mounts, placeOf } from "./cell.ts";
import { makeFile, makeFolder, realPath } from "./make.ts";

/** Below the home: keys, logins of other programs, and what was typed. No agent has any business there. */
const SECRETS = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".bash_history",
  ".cargo/credentials.toml",
  ".config/chromium",
  ".config/gcloud",
  ".config/gh",
  ".config/git/credentials",
  ".config/google-chrome",
  ".config/op",
  ".docker",
  ".git-credentials",
  ".kube",
  // Ours: keys of states, and what a person has approved.
  ".local/state/espalier",
  ".local/share/keyrings",
  ".mozilla",
  ".my.cnf",
  ".netrc",
  ".npmrc",
  ".password-store",
  ".pgpass",
  ".pypirc",
  ".vault-token",
  ".Xauthority",
  ".zsh_history",
] as const;

/** Below the home: where programs keep what they could fetch again. */
export const CACHE = ".cache";
/** Programs that tools keep among their caches, and that are too large to be fetched again. */
const CACHED_PROGRAMS = ["ms-playwright", "puppeteer", "Cypress"] as const;

/**
 * Below the home: the places that agents keep, each with what in it makes an agent's own program run commands, or obey, when
 * its user starts it next, and with what stands there when there is nothing yet; undefined is a folder.
 */
const GUARDED = {
  [CACHE]: [],
  ".claude": [
    ["settings.json", "{}\n"],
    ["CLAUDE.md", ""],
    ["agents", undefined],
    ["commands", undefined],
    ["hooks", undefined],
    ["output-styles", undefined],
    ["plugins", undefined],
    ["rules", undefined],
    ["skills", undefined],
  ],
  ".claude.json": [],
  ".codex": [
    ["config.toml", ""],
    ["AGENTS.md", ""],
    ["hooks.json", "{}\n"],
    ["prompts", undefined],
    ["rules", undefined],
  ],
  ".gemini": [
    ["settings.json", "{}\n"],
    ["GEMINI.md", ""],
    ["commands", undefined],
    ["extensions", undefined],
    ["policies", undefined],
    ["skills", undefined],
  ],
  ".qwen": [
    ["settings.json", "{}\n"],
    ["QWEN.md", ""],
    ["commands", undefined],
    ["extensions", undefined],
    ["skills", undefined],
  ],
  ".copilot": [
    ["mcp-config.json", '{"mcpServers":{}}\n'],
    ["copilot-instructions.md", ""],
    ["agents", undefined],
    ["hooks", undefined],
    ["skills", undefined],
  ],
  ".config/opencode": [
    ["", undefined],
    // It does not start where it cannot make this one itself.
    [".gitignore", "node_modules\npackage.json\npackage-lock.json\nbun.lock\n.gitignore"],
  ],
  ".local/share/opencode": [],
  ".local/state/opencode": [],
} as const satisfies Readonly<
  Record<string, readonly (readonly [path: string, empty: string | undefined])[]>
>;

/** A place below the home that an agent may keep: what in it has to be guarded is known. */
export type KeptPlace = keyof typeof GUARDED;

/** The mounts of a home: keys are hidden, caches are the jail's own, what the agent keeps is open but for its settings. */
export function homeMounts(home: string, { keeps, show = [], state }: Cell): Mount[] {
  if (home === "") return [];
  const kept = keeps.filter(name => name !== CACHE).map(name => join(home, name));
  // A file is bound as it is; a folder must be there to be bound.
  const open = kept.filter(path => !path.endsWith(".json"));
  for (const path of open) makeFolder(path);
  const isShown = (name: string) => keeps.includes(name) || show.includes(name);
  // Settings that lie in the home itself are read.
  const guarded = Object.entries(GUARDED)
    .flatMap(([place, names]) => names.map(([name, empty]) => ({ path: join(home, place, name), empty })))
    .filter(({ path }) => kept.some(folder => isWithin(folder, path)));
  for (const { path, empty } of guarded) makeEmpty(path, empty);
  const links = guarded.map(({ path }) => path).filter(isLink);
  return [
    ...SECRETS.filter(name => !isShown(name)).flatMap(name => hide(join(home, name))),
    ...(keeps.includes(CACHE) ? cacheMounts(join(home, CACHE), state) : []),
    ...open.flatMap(path => openBut(path, placeOf(path), links)),
    // An end that is gone is nothing to be mounted on.
    ...guarded.flatMap(({ path }) => (realPath(path) === undefined ? [] : mounts("--ro-bind", [path]))),
  ];
}

/** Our own state in the person's home, where the environment puts it elsewhere: its keys are no agent's. */
export function ownStateMounts(env: Readonly<Record<string, string>>): Mount[] {
  const named = env["XDG_STATE_HOME"] ?? "";
  return named.startsWith("/") ? hide(join(named, "espalier")) : [];
}

/** Covers a path with nothing; a link is followed, lest it be covered and its end not. */
function hide(path: string): Mount[] {
  const real = realPath(path);
  if (real === undefined) return [];
  return statSync(real).isDirectory() ? [["--tmpfs", real]] : [["--ro-bind", "/dev/null", real]];
}

function makeEmpty(path: string, empty: string | undefined): void {
  if (empty === undefined) makeFolder(path);
  else makeFile(path, empty);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/**
 * Opens a folder in which some links stay as they are. Nothing can be mounted on a link, and who may write the folder may
 * put a file in its place: so the folder that holds one is the jail's own, and what else lies in it is opened by itself.
 */
function openBut(folder: string, place: string, links: readonly string[]): Mount[] {
  if (!links.some(link => isBelow(folder, link))) return [["--bind-try", folder, place]];
  const entries = readdirSync(folder, { withFileTypes: true });
  return [
    ["--tmpfs", place],
    ...entries.flatMap(entry => {
      const [path, inside] = [join(folder, entry.name), join(place, entry.name)];
      return entry.isSymbolicLink()
        ? [["--symlink", readlinkSync(path), inside] as const]
        : openBut(path, inside, links);
    }),
  ];
}

/** Caches hold programs, too: those of the jail are the project's own, else what it left there would be run outside. */
function cacheMounts(cache: string, state: string | undefined): Mount[] {
  makeFolder(cache);
  const place = placeOf(cache);
  const programs = CACHED_PROGRAMS.map(
    name => ["--ro-bind-try", join(cache, name), join(place, name)] as const,
  );
  const own = state === undefined ? undefined : join(state, "jail-cache");
  if (own !== undefined) makeFolder(own);
  const isOwn = own !== undefined && realPath(own) !== undefined;
  return [isOwn ? ["--bind", own, place] : ["--tmpfs", place], ...programs];
}
