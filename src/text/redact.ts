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

function isSecretChar(char: string | undefined): boolean {
  return char !== undefined && /^[A-Za-z0-9_\-/.+=:]$/.test(char);
}

/** The names of environment variables whose values are taken for secrets. */
export function looksSecret(name: string): boolean {
  return /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|WEBHOOK|PRIVATE)/i.test(name);
}

function maskMarked(text: string): string {
  let out = text;
  for (const [prefix, minLength] of MARKED) {
    for (let at = out.indexOf(prefix); at >= 0; at = out.indexOf(prefix, at + 1)) {
      if (at > 0 && /^[A-Za-z0-9]$/.test(out[at - 1] ?? "")) continue;
      let end = at + prefix.length;
      while (end < out.length && isSecretChar(out[end])) end++;
      if (end - at >= minLength) out = out.slice(0, at) + MASK + out.slice(end);
    }
  }
  return out;
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
    return maskMarked(out);
  };
}
