import { useSyncExternalStore } from "react";
import { useRun } from "../state/run.ts";
import { ENGLISH } from "./english.ts";
import { KOREAN } from "./korean.ts";
import type { Words } from "./words.ts";

const KEY = "espalier-locale";
const listeners = new Set<() => void>();

function chosen(): string {
  return localStorage.getItem(KEY) ?? "";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The words of the language the person chose, else of the project's. */
export function useWords(): Words {
  const choice = useSyncExternalStore(subscribe, chosen);
  const project = useRun(state => state.shape?.locale);
  return (choice || project) === "ko" ? KOREAN : ENGLISH;
}

/** Speaks another language from now on, also after a reload. */
export function chooseLocale(locale: Words["locale"]): void {
  localStorage.setItem(KEY, locale);
  document.documentElement.lang = locale;
  for (const listener of listeners) listener();
}
