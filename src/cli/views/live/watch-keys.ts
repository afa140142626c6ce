/** What a person asks for with a key. */
export type WatchKey =
  | "up"
  | "down"
  | "open"
  | "back"
  | "retry"
  | "pause"
  | "tell"
  | "hold"
  | "allow"
  | "refuse"
  | "quit";

const KEYS: Readonly<Record<string, WatchKey>> = {
  "\u001b[A": "up",
  "\u001bOA": "up",
  k: "up",
  "\u001b[B": "down",
  "\u001bOB": "down",
  j: "down",
  "\r": "open",
  "\n": "open",
  "\u001b": "back",
  "\u007f": "back",
  r: "retry",
  p: "pause",
  t: "tell",
  h: "hold",
  y: "allow",
  n: "refuse",
  q: "quit",
  "\u0003": "quit",
  "\u0004": "quit",
};

/** The keys in what a terminal sent, in order; what is none of ours is passed over. */
export function readKeys(bytes: string): WatchKey[] {
  const keys: WatchKey[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] === "\u001b" && "[O".includes(bytes[at + 1] ?? " ") ? 3 : 1;
    const key = KEYS[bytes.slice(at, at + length)];
    if (key !== undefined) keys.push(key);
    at += length;
  }
  return keys;
}
