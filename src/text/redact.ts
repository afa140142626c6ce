/** Prefixes by which well-known services mark their secrets, with the shortest length such a secret has. */
const MARKED: readonly (readonly [prefix: string, minLength: number])[] = [
  ["sk-ant-", 24],
  ["sk-", 24],
  ["ghp_", 30],
  ["gho_", 30],
  ["ghs_", 30],
  ["github_pat_", 40],
  ["glpat-", 20],
  ["xoxb-", 20],
  ["xoxp-", 20],
  ["AKIA", 20],
  ["AIza", 35],
  ["npm_", 36],
  ["https://hooks.slack.com/services/", 40],
];

const MASK = "[redacted]";

/** Punctuation that tokens contain. */
const SECRET_MARKS = new Set(Array.from("_-/.+=:", char => char.charCodeAt(0)));

function isWordChar(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39);
}

/** The names of environment variables whose values are taken for secrets. */
export function looksSecret(name: string): boolean {
  return /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|WEBHOOK|PRIVATE)/i.test(name);
}

/** Masks strings that begin like a well-known token and are long enough to be one. Linear for each prefix. */
function maskMarked(text: string, prefix: string, minLength: number): string {
  let out = "";
  let from = 0;
  for (let at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at)) {
    let end = at + prefix.length;
    if (at > 0 && isWordChar(text, at - 1)) {
      at = end;
      continue;
    }
    while (isWordChar(text, end) || SECRET_MARKS.has(text.charCodeAt(end))) end++;
    if (end - at >= minLength) {
      out += text.slice(from, at) + MASK;
      from = end;
    }
    at = end;
  }
  return from === 0 ? text : out + text.slice(from);
}

/**
 * A function that replaces known secret values, and strings shaped like well-known tokens, by `[redacted]`.
 * Values shorter than 8 characters are left alone: masking them would hide ordinary words.
 */
export function createRedactor(values: Iterable<string>): (text: string) => string {
  const known = [...new Set(values)].filter(value => value.length >= 8).sort((a, b) => b.length - a.length);
  return text => {
    let out = text;
    for (const value of known) if (out.includes(value)) out = out.replaceAll(value, MASK);
    for (const [prefix, minLength] of MARKED) out = maskMarked(out, prefix, minLength);
    return out;
  };
}
