// Bundles the program and its libraries into dist: few files load fast, and what two of them share stands there once.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { packRanks } from "../src/tokens/ranks.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** What may be imported, and what is started as a process: each lies two folders below the package. */
const libraries = Object.values(manifest.exports).flatMap(({ default: file }) => file ?? []);
const sources = Object.fromEntries(
  libraries.map(file => file.slice("./dist/".length, -".js".length)).map(name => [name, `src/${name}.ts`]),
);
const input = {
  ...sources,
  "cli/main": "src/cli/main.ts",
  "process/warden": "src/adapters/process/warden.ts",
  "process/caller": "src/adapters/process/caller.ts",
};

// Only its data is read, at once or later. The schemas of zod are bundled; it stays a dependency for the types of ours.
const external = ["gpt-tokenizer", ...Object.keys(manifest.peerDependencies)];

/** The licences of everything that is bundled, one after the other. */
function licences(modules) {
  const folders = modules.flatMap(
    module => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module)?.[0] ?? [],
  );
  const sorted = [...new Set(folders)].sort((one, other) => (one < other ? -1 : 1));
  return sorted.map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = readdirSync(folder).find(entry => /^(?:licen[cs]e|copying)/i.test(entry));
    const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
}

const build = await rolldown({
  cwd: root,
  input,
  platform: "node",
  external: id => external.some(name => id === name || id.startsWith(`${name}/`)),
});
const dist = join(root, "dist");
const { output } = await build.write({
  dir: dist,
  format: "esm",
  sourcemap: true,
  entryFileNames: "[name].js",
  chunkFileNames: "shared/[name]-[hash].js",
});
await build.close();
// Last: what is being run from here finds its files as long as nothing changed.
const written = new Set(output.map(({ fileName }) => fileName));
for (const name of readdirSync(join(dist, "shared")))
  if (!written.has(`shared/${name}`)) rmSync(join(dist, "shared", name));
// As code they take a tenth of a second and forty megabytes to load.
const require = createRequire(import.meta.url);
const ranks = packRanks(require("gpt-tokenizer/bpeRanks/o200k_base").default);
const count = Buffer.alloc(4);
count.writeUInt32LE(ranks.lengths.length);
writeFileSync(join(dist, "tokens/o200k.bin"), Buffer.concat([count, ranks.lengths, ranks.bytes]));
const modules = output.flatMap(chunk => (chunk.type === "chunk" ? chunk.moduleIds : []));
writeFileSync(
  join(dist, "LICENSES.txt"),
  licences([...modules, require.resolve("gpt-tokenizer/bpeRanks/o200k_base")]).join(
    `\n${"-".repeat(80)}\n\n`,
  ),
);
