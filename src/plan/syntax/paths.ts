import { trimMarks } from "./chars.ts";

/** The code spans of a value. */
export function spans(value: string): string[] {
  return value.split("`").filter((_, index) => index % 2 === 1);
}

/** Whether a word looks like a path of the repository. */
export function isPath(word: string): boolean {
  if (
    word.length < 3 ||
    word.length > 300 ||
    word.includes("://") ||
    word.startsWith("/api/") ||
    /[\s<>"|;$(),]/.test(word)
  )
    return false;
  if (word.startsWith("-") || word.startsWith("@") || word.startsWith("#") || /^[.\d/]+$/.test(word))
    return false;
  const name = word.slice(word.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const hasExtension =
    dot >= 0 && name.length - dot <= 12 && /^\.[A-Za-z][A-Za-z0-9]*$/.test(name.slice(dot));
  if (word.includes("/"))
    return (
      hasExtension || word.endsWith("/") || word.includes("*") || /^[\w.-]+(?:\/[\w.[\]-]+)+$/.test(word)
    );
  return hasExtension && !/^[A-Z][A-Za-z]*\.[a-z]+[A-Z]/.test(word);
}

/** Paths in a text: code spans, and with `loose` also bare words. */
export function pathsIn(text: string, loose: boolean): string[] {
  if (!text.includes("/") && !text.includes(".")) return [];
  const found = spans(text)
    .map(span => span.trim())
    .filter(isPath);
  if (found.length > 0 || !loose) return found;
  return text
    .split(/[\s,;→]+/)
    .map(word => trimMarks(word, "(\"'[*", ")\"'],.:*"))
    .filter(word => isPath(word) && (word.includes("/") || /\.\w/.test(word)));
}
