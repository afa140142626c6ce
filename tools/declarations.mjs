// Removes declarations that none of the package's exports leads to: what is private has no types to import.
import { globSync, readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const reached = new Set();
const front = Object.values(manifest.exports).flatMap(({ types }) => (types ? [resolve(root, types)] : []));
for (let file = front.pop(); file !== undefined; file = front.pop()) {
  if (reached.has(file)) continue;
  reached.add(file);
  const named = readFileSync(file, "utf8").matchAll(/(?:from|import)\s*\(?"(\.[^"]+)\.[jt]sx?"/g);
  for (const [, path] of named) front.push(resolve(dirname(file), `${path}.d.ts`));
}
for (const file of globSync("dist/**/*.d.ts", { cwd: root })) {
  if (!reached.has(resolve(root, file))) rmSync(join(root, file));
}
// Deepest first: a folder may be left empty by those in it.
const folders = globSync("dist/**/", { cwd: root }).sort((one, other) => other.length - one.length);
for (const folder of folders) {
  if (readdirSync(join(root, folder)).length === 0) rmdirSync(join(root, folder));
}
