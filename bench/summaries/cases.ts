import { globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** A source and what was written after it. */
export interface Case {
  readonly name: string;
  readonly source: string;
  readonly later: string;
}

/** Sources taken from one folder of successive versions. */
const PER_FOLDER = 4;

/** The cases of a folder: of numbered versions each with the lines added later, of other files each with its neighbours. */
export function casesOf(folder: string): Case[] {
  const files = globSync("**/*.md", { cwd: folder }).sort();
  const byFolder = Map.groupBy(files, file => dirname(file));
  return [...byFolder].flatMap(([name, list]) => {
    const texts = list.map(file => readFileSync(join(folder, file), "utf8"));
    const numbered = list.every(file => /(?:^|\/)\d{4}\.md$/.test(file));
    return numbered ? versions(name, texts) : neighbours(name, list, texts);
  });
}

function versions(name: string, texts: readonly string[]): Case[] {
  const step = Math.max(1, Math.floor(texts.length / PER_FOLDER));
  const starts = texts.map((_, at) => at).filter(at => at % step === 0 && at < texts.length - 1);
  return starts.map(at => {
    const known = new Set(texts[at]!.split("\n"));
    const added = new Set<string>();
    for (const text of texts.slice(at + 1))
      for (const line of text.split("\n")) if (!known.has(line)) added.add(line);
    return { name: `${name}@${at + 1}`, source: texts[at]!, later: [...added].join("\n") };
  });
}

function neighbours(name: string, list: readonly string[], texts: readonly string[]): Case[] {
  if (texts.length < 2) return [];
  return texts.map((source, at) => ({
    name: `${name}/${list[at]}`,
    source,
    later: texts.filter((_, other) => other !== at).join("\n"),
  }));
}

/** Whether an argument is a folder. */
export function isFolder(path: string): boolean {
  return statSync(path).isDirectory() && readdirSync(path).length > 0;
}
