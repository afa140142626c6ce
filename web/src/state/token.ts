const KEY = "espalier-token";
const DEVICE = "espalier-device";

/**
 * The token of this start, or of a link that shows: handed over once in the fragment, which no browser sends anywhere, and from
 * then on kept for this tab alone. A device that was let in by a code keeps its own until that is over.
 */
export function takeToken(): string {
  const given = /^#(?:token|view)=([\w-]{20,200})$/.exec(location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, "", `${location.pathname}#/`);
  }
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(DEVICE) ?? "";
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
