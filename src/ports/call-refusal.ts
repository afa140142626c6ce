/** No data: the code says it all. */
export type Nothing = Readonly<Record<never, never>>;

/** Why a command as it was called cannot be carried out, and what to do then. */
export interface CallRefusalArgs {
  readonly "no-workflow": { readonly name: string };
  readonly "known-workflows": { readonly nearest?: string; readonly names: readonly string[] };
  readonly "no-file": { readonly path: string };
  readonly "budget-shape": Nothing;

  readonly "list-checkpoints": Nothing;
  readonly "checkpoints-doctor": Nothing;
  readonly "checkpoints-disk": Nothing;
  readonly "name-the-current": Nothing;
  readonly "not-rebuilt": { readonly id: string };
  readonly "delta-without-base": { readonly file: string };
  readonly "name-its-base": Nothing;
  readonly "delta-refused": { readonly file: string; readonly said: string };
  readonly "delta-in-words": Nothing;
  readonly "delta-first": Nothing;
  readonly "delta-mistold": Nothing;
  readonly "names-no-task": { readonly id: string };
  readonly "names-tasks-so": Nothing;
  readonly "half-merged": { readonly id: string; readonly line: number };
  readonly "finish-the-merge": Nothing;

  readonly "plan-choice": { readonly said: string };
  readonly "result-file": Nothing;
  readonly "no-model": Nothing;
  readonly "name-model": Nothing;
  readonly "model-address": { readonly name: string };
  readonly "model-address-like": Nothing;
  readonly "no-variable": { readonly name: string };
  readonly "not-written": { readonly name: string; readonly said: string };
  readonly "no-port": { readonly said: string };
  readonly "other-port": Nothing;

  readonly "command-unreadable": { readonly where: string; readonly said: string; readonly column: number };
  readonly "command-like-shell": Nothing;
  readonly "jail-or-auto": Nothing;
  readonly "cache-outside": { readonly path: string };
  readonly "cache-inside": Nothing;
  readonly "nobody-works": { readonly url: string };
  readonly "start-worker": { readonly url: string };
}
