import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { fileURLToPath } from "node:url";

function mapOf(url: string): SourceMap | undefined {
  try {
    const payload = JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, "utf8")) as SourceMapPayload;
    return new SourceMap(payload);
  } catch {
    return undefined;
  }
}

/** A stack trace with the places in the sources, for those in the bundle. */
export function inSources(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replaceAll(/file:\/\/[^\s()]+/g, place => {
    const [column = "", line = "", ...rest] = place.split(":").toReversed();
    const url = rest.toReversed().join(":");
    if (!maps.has(url)) maps.set(url, mapOf(url));
    const origin = maps.get(url)?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !("fileName" in origin)) return place;
    return `${origin.fileName.replace(/^(?:\.\.\/)+/, "")}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}
