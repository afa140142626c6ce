import { useSyncExternalStore } from "react";
import { chosenLocale, keepLocale } from "../state/locale.ts";
import { useRun } from "../state/run.ts";
import { loadAnew } from "../state/stream.ts";
import { ENGLISH } from "./english.ts";
import { KOREAN } from "./korean.ts";
import type { Words } from "./words.ts";

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The words of the language the person chose, else of the one that the server speaks to this browser, else of the browser's. */
export function useWords(): Words {
  const choice = useSyncExternalStore(subscribe, chosenLocale);
  const server = useRun(state => state.shape?.locale);
  return (choice || server || navigator.language.slice(0, 2)) === "ko" ? KOREAN : ENGLISH;
}

/** Speaks another language from now on, also after a reload. */
export function chooseLocale(locale: Words["locale"]): void {
  keepLocale(locale);
  document.documentElement.lang = locale;
  for (const listener of listeners) listener();
  // What the server says is in the language before, until it is read again.
  loadAnew();
}
