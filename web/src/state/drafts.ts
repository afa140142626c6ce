import { useCallback, useState, useSyncExternalStore } from "react";
import { current } from "./run.ts";

/** Begins the name of every draft in the tab's storage. */
const PREFIX = "espalier-draft ";

/** Drafts by the name of their field, for this page; what storage has no room for stays here. */
const drafts = new Map<string, string>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The name of a field whose draft outlives the run: one port may serve several projects in turn. */
export function ofProject(field: string): string {
  return `${PREFIX}${JSON.stringify([current().shape?.project ?? "", field])}`;
}

/** The name of a field whose draft is for one run. */
export function ofRun(field: string): string {
  const shape = current().shape;
  return `${PREFIX}${JSON.stringify([shape?.project ?? "", field, shape?.run?.id ?? ""])}`;
}

/** What was written into a field and is not sent: also before the page was loaded again. Empty for nothing. */
export function draftIn(name: string): string {
  const found = drafts.get(name);
  if (found !== undefined) return found;
  const stored = sessionStorage.getItem(name) ?? "";
  drafts.set(name, stored);
  return stored;
}

/** Keeps a draft for as long as the tab is open; an empty one is removed. */
export function keepDraft(name: string, text: string): void {
  drafts.set(name, text);
  try {
    if (text === "") sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, text);
  } catch {
    // The storage is full: an older text would come back as if it were the newest.
    sessionStorage.removeItem(name);
  }
  for (const listener of listeners) listener();
}

/** Removes all drafts of this tab: who logs out leaves nothing behind. */
export function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith(PREFIX)) keepDraft(name, "");
}

/** Whether any of the fields holds a draft, told anew as that changes. */
export function useHasDrafts(names: readonly string[]): readonly boolean[] {
  const told = useSyncExternalStore(subscribe, () =>
    names.map(name => (draftIn(name) === "" ? 0 : 1)).join(),
  );
  return told.split(",").map(one => one === "1");
}

/** A field whose text is kept until it is sent; `isGivenBack` while it holds what was written before it was shown. */
export function useDraftText(
  name: string,
): readonly [text: string, write: (text: string) => void, isGivenBack: boolean] {
  const text = useSyncExternalStore(subscribe, () => draftIn(name));
  const [given, setGiven] = useState(() => draftIn(name));
  const write = useCallback(
    (next: string) => {
      if (next === "") setGiven("");
      keepDraft(name, next);
    },
    [name],
  );
  return [text, write, given !== "" && text !== ""];
}
