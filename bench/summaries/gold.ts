/** What counts as a fact here: written apart from the product's own scanner, so that it favours nobody. */
const PATTERNS: readonly RegExp[] = [
  /`[^`\n]{2,80}`/g,
  /(?<![\w/.-])(?:\.{0,2}\/)?[\w@-][\w@.-]*(?:\/[\w@.-]+)+/g,
  /\b[\w-]+\.(?:tsx?|jsx?|mjs|json|md|ya?ml|toml|py|rs|go|sql|sh|css|html|csv|env|lock|proto)\b/g,
  /\b[A-Z]{1,8}-?v?\d+(?:[.-][A-Z]*\d+)*\b/g,
  /\b\d[\d,.]*\d?\s?(?:%|ms|s|min|h|MB|KB|GB|tokens|rows|원|개|명|초|분|건|회)/g,
  /\b\d[\d,.]*\d\b/g,
  /\b[a-z]+(?:[A-Z][a-z0-9]+)+\b/g,
  /\b[A-Za-z]+(?:_[A-Za-z0-9]+)+\b/g,
];

/** The facts of a text, by their normalised spelling. */
export function goldEntities(text: string): Set<string> {
  const found = new Set<string>();
  for (const pattern of PATTERNS) {
    for (const [match] of text.matchAll(pattern)) {
      const key = match
        .replaceAll("`", "")
        .replaceAll(",", "")
        .replace(/\s/g, "")
        .replace(/^\.\//, "")
        .replace(/[.:]+$/, "");
      if (key.length > 1) found.add(key);
    }
  }
  return found;
}

/** The facts of a source that later texts use. */
export function goldOf(source: string, later: string): Set<string> {
  const used = goldEntities(later);
  return new Set([...goldEntities(source)].filter(key => used.has(key)));
}

/** Share of the gold facts that a text holds. */
export function share(gold: ReadonlySet<string>, text: string): number {
  const there = goldEntities(text);
  let kept = 0;
  for (const key of gold) if (there.has(key)) kept++;
  return kept / gold.size;
}
