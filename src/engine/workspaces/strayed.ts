import { because, few, type GoneRef, type Reason, type Vcs } from "../../ports/index.ts";
import { shellWord } from "../../text/index.ts";

interface Told {
  readonly vcs: Pick<Vcs, "strayed" | "gone">;
  readonly rules: {
    readonly target: string;
    readonly tell: (code: string, message: Reason, task?: string) => void;
  };
}

/** Tells what others have done to the target and to people's own refs; the first time it only looks where they stand. */
export async function tellStrayed(state: Told, task?: string): Promise<void> {
  await tellMoved(state, task);
  await tellGone(state, task);
}

async function tellMoved({ vcs, rules }: Told, task: string | undefined): Promise<void> {
  const strayed = await vcs.strayed(rules.target);
  if (!strayed.ok || strayed.value === undefined) return;
  const { from, to } = strayed.value;
  const was = from.slice(0, 10);
  const is = to?.slice(0, 10);
  const moved = because("target-moved", {
    branch: rules.target,
    from: was,
    ...(is === undefined ? {} : { to: is }),
    ...(task === undefined ? {} : { task }),
  });
  rules.tell("TARGET_MOVED", moved, task);
}

/** What is needed to tell of files that changed elsewhere. */
interface Elsewhere {
  readonly vcs: Pick<Vcs, "changedSince">;
  readonly rules: Told["rules"] & { readonly names: { readonly top: string } };
  /** Files that were told already. */
  readonly told: Set<string>;
}

/**
 * Tells of an attempt that has changed nothing in its own folder which files changed in the main checkout meanwhile: its agent may have
 * written there by an absolute path, or a person did.
 */
export async function tellElsewhere(
  { vcs, rules, told }: Elsewhere,
  { task, startedAt }: { readonly task: string; readonly startedAt?: number },
): Promise<void> {
  const found = startedAt === undefined ? undefined : await vcs.changedSince?.(startedAt);
  const fresh = found?.ok === true ? found.value.filter(path => !told.has(path)) : [];
  if (fresh.length === 0) return;
  for (const path of fresh) told.add(path);
  const { top } = rules.names;
  rules.tell("CHECKOUT_CHANGED", because("changed-elsewhere", { task, paths: few(fresh), top }), task);
}

/** As people name it. */
function nameOf({ kind, name }: GoneRef): string {
  if (kind === "branch") return name;
  return kind === "stash" ? `git stash (${name})` : `${kind}s/${name}`;
}

/** The command that makes a ref again. */
function madeAgain({ kind, name, object }: GoneRef): string {
  const [word, id] = [shellWord(name), object.slice(0, 12)];
  switch (kind) {
    case "branch":
    case "tag":
      return `git ${kind} ${word} ${id}`;
    case "note":
      return `git update-ref ${shellWord(`refs/notes/${name}`)} ${id}`;
    case "stash":
      return `git stash store -m ${word} ${id}`;
    default: {
      const never: never = kind;
      throw new Error(`unknown kind ${JSON.stringify(never)}`);
    }
  }
}

async function tellGone({ vcs, rules }: Told, task: string | undefined): Promise<void> {
  const gone = await vcs.gone();
  // A target that is gone was told already.
  const refs = gone.ok ? gone.value.filter(one => one.kind !== "branch" || one.name !== rules.target) : [];
  if (refs.length === 0) return;
  const lost = because("refs-gone", {
    refs: few(refs.map(nameOf)),
    back: refs.slice(0, MOST_COMMANDS).map(madeAgain),
    ...(task === undefined ? {} : { task }),
  });
  rules.tell("REFS_GONE", lost, task);
}

/** Commands in one line: beyond that somebody has cleared the whole repository. */
const MOST_COMMANDS = 20;
