const KEY = "espalier-token";

/**
 * The token of this start: handed over once in the fragment, which no browser sends anywhere, and from then on kept for
 * this tab alone.
 */
export function takeToken(): string {
  const given = /^#token=([\w-]{20,200})$/.exec(location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", `${location.pathname}#/`);
  }
  return sessionStorage.getItem(KEY) ?? "";
}
