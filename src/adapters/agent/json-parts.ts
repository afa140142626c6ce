const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/**
 * Whether a JSON text has no more objects, lists and members than that. Reading it takes time and memory by those, not by its
 * length: 16 MiB of brackets hold a process for seconds.
 */
export function hasAtMost(most: number, json: string): boolean {
  if (json.length <= most) return true;
  let parts = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at);
    else if (code === COLON || code === BRACKET || code === BRACE) parts += 1;
    if (parts > most) return false;
  }
  return true;
}

/** Where a string that begins there ends; the end of the text where it does not. */
function endOfString(json: string, begin: number): number {
  for (let from = begin + 1; ; ) {
    const quote = json.indexOf('"', from);
    if (quote < 0) return json.length;
    let slashes = 0;
    while (json.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote;
    from = quote + 1;
  }
}
