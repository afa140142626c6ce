/** Lower-case ASCII words joined by `-`, at most 40 characters; `fallback` when nothing is left. */
export function slug(text: string, fallback: string): string {
  let out = "";
  for (const char of text.normalize("NFKD").toLowerCase()) {
    if ((char >= "a" && char <= "z") || (char >= "0" && char <= "9")) out += char;
    else if (out !== "" && !out.endsWith("-")) out += "-";
    if (out.length >= 40) break;
  }
  while (out.endsWith("-")) out = out.slice(0, -1);
  return out === "" ? fallback : out;
}
