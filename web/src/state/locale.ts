const KEY = "espalier-locale";

/** The language that the person chose on this page; empty for none. */
export function chosenLocale(): string {
  return localStorage.getItem(KEY) ?? "";
}

/** Speaks it from now on, also after a reload. */
export function keepLocale(locale: string): void {
  localStorage.setItem(KEY, locale);
}
