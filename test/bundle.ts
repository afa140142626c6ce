/**
 * What tests start as a program is the bundle of the sources as they stand: it loads three times as fast as they do, and
 * it is what users run. A change of the sources, were it only for one run, is bundled before the first test.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BUNDLER = join(ROOT, "tools/bundle.mjs");

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** When something below the folder changed last; a folder's own time tells what was taken away. */
function newestBelow(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Math.max(timeOf(folder), ...entries.map(entry => timeOf(join(entry.parentPath, entry.name))));
}

export function setup(): void {
  const inputs = [newestBelow(join(ROOT, "src")), timeOf(BUNDLER), timeOf(join(ROOT, "package.json"))];
  const libraries = timeOf(join(ROOT, "node_modules/.package-lock.json"));
  if (timeOf(join(ROOT, "dist/LICENSES.txt")) > Math.max(...inputs, libraries)) return;
  execFileSync(process.execPath, [BUNDLER], { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
}
