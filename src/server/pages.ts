import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the build puts the page; the same from the sources and from the built files. */
export const PAGE_FOLDER: string = fileURLToPath(new URL("../../dist/web", import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** A file of the page. */
export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly type: string;
}

/** The built page by path, read once: nothing else of the disk can be asked for. Empty when it was not built. */
export function loadPages(folder: string = PAGE_FOLDER): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  const load = (path: string, url: string) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const { name } = entry;
      if (entry.isDirectory()) load(join(path, name), `${url}${name}/`);
      const type = TYPES[name.slice(name.lastIndexOf("."))];
      if (!entry.isFile() || type === undefined) continue;
      files.set(`${url}${name}`, { bytes: new Uint8Array(readFileSync(join(path, name))), type });
    }
  };
  try {
    load(folder, "/");
  } catch {
    return new Map();
  }
  const index = files.get("/index.html");
  if (index !== undefined) files.set("/", index);
  return files;
}
