import { lstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Cell, mounts } from "./cell.ts";
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

const CACHE = ".cache";
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
export function homeMounts(home: string, { keeps, show = [], state }: Cell): string[] {
  if (home === "") return [];
  const kept = keeps.filter(name => name !== CACHE).map(name => join(home, name));
  const isKept = (path: string) => kept.some(folder => path === folder || path.startsWith(`${folder}/`));
  // A file is bound as it is; a folder must be there to be bound.
  for (const path of kept) if (!path.endsWith(".json")) makeFolder(path);
  const isShown = (name: string) => keeps.includes(name) || show.includes(name);
  return [
    ...SECRETS.filter(name => !isShown(name)).flatMap(name => hide(join(home, name))),
    ...(keeps.includes(CACHE) ? cacheMounts(join(home, CACHE), state) : []),
    ...mounts(
      "--bind-try",
      kept.filter(path => !path.endsWith(".json")),
    ),
    // Settings that lie in the home itself are read.
    ...Object.entries(GUARDED).flatMap(([place, guarded]) =>
      guarded.flatMap(([name, empty]) => {
        const path = join(home, place, name);
        return isKept(path) ? guard(path, empty) : [];
      }),
    ),
  ];
}

/** Our own state in the person's home, where the environment puts it elsewhere: its keys are no agent's. */
export function ownStateMounts(env: Readonly<Record<string, string>>): string[] {
  const named = env["XDG_STATE_HOME"] ?? "";
  return named.startsWith("/") ? hide(join(named, "espalier")) : [];
}

/** Covers a path with nothing; a link is followed, lest it be covered and its end not. */
function hide(path: string): string[] {
  const real = realPath(path);
  if (real === undefined) return [];
  return statSync(real).isDirectory() ? ["--tmpfs", real] : ["--ro-bind", "/dev/null", real];
}

function guard(path: string, empty: string | undefined): string[] {
  if (empty === undefined) makeFolder(path);
  else makeFile(path, empty);
  // An end that is gone is nothing to be mounted on.
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined && realPath(path) !== undefined;
  return isThere ? ["--ro-bind", path, path] : [];
}

/** Caches hold programs, too: those of the jail are the project's own, else what it left there would be run outside. */
function cacheMounts(cache: string, state: string | undefined): string[] {
  makeFolder(cache);
  const programs = mounts(
    "--ro-bind-try",
    CACHED_PROGRAMS.map(name => join(cache, name)),
  );
  if (state === undefined) return ["--tmpfs", cache, ...programs];
  const own = join(state, "jail-cache");
  makeFolder(own);
  return realPath(own) === undefined ? ["--tmpfs", cache, ...programs] : ["--bind", own, cache, ...programs];
}
