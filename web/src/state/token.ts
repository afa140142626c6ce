const KEY = "espalier-token";
const DEVICE = "espalier-device";
const KIND = "espalier-kind";

/** What somebody is let in by: the link of this start, a code, or a link that shows. */
export type Kind = "owner" | "device" | "link";

/**
 * The token of this start, or of a link that shows: handed over once in the fragment, which no browser sends anywhere, and from
 * then on kept for this tab alone. A device that was let in by a code keeps its own until that is over.
 */
export function takeToken(): string {
  const [, kind, given] = /^#(token|view)=([\w-]{20,200})$/.exec(location.hash) ?? [];
  if (given !== undefined) {
    sessionStorage.setItem(KEY, given);
    sessionStorage.setItem(KIND, kind === "view" ? "link" : "owner");
    history.replaceState(null, "", `${location.pathname}#/`);
  }
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(DEVICE) ?? "";
}

/** What the token of this tab was had by. */
export function tokenKind(): Kind {
  if (sessionStorage.getItem(KEY) === null) return "device";
  return sessionStorage.getItem(KIND) === "link" ? "link" : "owner";
}

/** Keeps what this device was let in by. */
export function keepToken(token: string): void {
  sessionStorage.removeItem(KEY);
  localStorage.setItem(DEVICE, token);
}

/** Forgets what this device was let in by. */
export function forgetToken(): void {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(DEVICE);
}
