import { useEffect, useSyncExternalStore } from "react";

const KEY = "espalier-single-keys";
const listeners = new Set<() => void>();

function areOn(): boolean {
  return localStorage.getItem(KEY) !== "off";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether single keys act: who speaks to the computer, or presses keys without meaning to, turns them off. */
export function useSingleKeys(): readonly [boolean, (on: boolean) => void] {
  const on = useSyncExternalStore(subscribe, areOn);
  const choose = (next: boolean) => {
    localStorage.setItem(KEY, next ? "on" : "off");
    for (const listener of listeners) listener();
  };
  return [on, choose];
}

/** Acts at a single key, unless somebody types, a dialog is open, or single keys are off. */
export function useKey(act: (key: string) => boolean): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key } = event;
      if (event.ctrlKey || event.metaKey || event.altKey || !areOn()) return;
      if (target instanceof HTMLElement && target.closest("input, textarea, select, dialog") !== null) return;
      if (act(key)) event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [act]);
}
