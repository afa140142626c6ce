import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";

/** What is built lies two folders below its root, where the maps of all its files are. */
const BUILT = new URL("../", import.meta.url);

function mapsIn(built: URL): Readonly<Record<string, SourceMapPayload>> {
  try {
    return JSON.parse(readFileSync(new URL("maps.json", built), "utf8")) as Record<string, SourceMapPayload>;
  } catch {
    return {};
  }
}

/** A stack trace with the places in the sources, for those in the bundle. */
export function inSources(stack: string, built = BUILT): string {
  const payloads = mapsIn(built);
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replaceAll(/file:\/\/[^\s()]+/g, place => {
    const [column = "", line = "", ...rest] = place.split(":").toReversed();
    const url = rest.toReversed().join(":");
    const payload = url.startsWith(built.href) ? payloads[url.slice(built.href.length)] : undefined;
    if (!maps.has(url)) maps.set(url, payload && new SourceMap(payload));
    const origin = maps.get(url)?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !("fileName" in origin)) return place;
    return `${origin.fileName.replace(/^(?:\.\.\/)+/, "")}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}
