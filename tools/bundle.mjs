// Bundles the program and its libraries into dist: what two of them share stands there once, and a command that is called
// often loads few files that hold little else than it needs.
import { deepStrictEqual } from "node:assert";
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { defaultConfig } from "../src/config/defaults.ts";
import { hashRanks, packRanks, writeTable } from "../src/tokens/ranks.ts";

/** Where the names of modules begin that are made here. */
const ROOM = "room:";
const BUILTIN = "builtin:";

const root = fileURLToPath(new URL("..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** What may be imported, and the command line: each lies two folders below the package. */
const libraries = Object.values(manifest.exports).flatMap(({ default: file }) => file ?? []);
const sources = Object.fromEntries(
  libraries
    .map(file => file.slice("./dist/".length, -".js".length))
    .map(name => [name, `${ROOM}src/${name}.ts`]),
);
const input = { ...sources, "cli/main": "src/cli/main.ts" };

/** What the program starts beside itself, each a file of its own: what it shares with the commands would bring all of them along. */
const PROGRAMS = {
  "process/warden": "src/adapters/process/warden.ts",
  "process/caller": "src/adapters/process/caller.ts",
  "process/tool-hook": "src/adapters/process/tool-hook.ts",
};

// The schemas of zod are bundled; it stays a dependency for the types of ours.
const external = Object.keys(manifest.peerDependencies);

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

/** Modules of Node that no bare start of it has loaded: what loads one of these takes milliseconds for it. */
const LATE = [
  "child_process",
  "crypto",
  "fs/promises",
  "http",
  "https",
  "module",
  "net",
  "os",
  "readline",
  "stream",
  "timers/promises",
  "tls",
  "worker_threads",
  "zlib",
];
/** Those that touch files, processes or other machines. */
const SYSTEM = ["child_process", "fs", "http", "https", "net", "sqlite", "tls"];
const CUSTOM = "nodejs.util.promisify.custom";

/**
 * A module of Node, each of its exports as a module of its own: for an import Node asks it for all that it exports, and so loads
 * streams for a file's sake and WebCrypto for a hash's.
 */
function builtin(name) {
  const names = Object.keys(process.getBuiltinModule(`node:${name}`)).filter(one => one !== "default");
  return [...names, "default"]
    .map(one => `export { ${one} } from ${JSON.stringify(`${BUILTIN}${name}#${one}`)};`)
    .join("\n");
}

const NEW_NODE = `function tooOld() {
  throw new Error("espalier needs Node ${manifest.engines.node.replace(">=", "")} or newer; this is Node " + process.versions.node);
}
`;

/** One export of a module of Node; a function of one that is loaded late loads it when it is called. */
function builtinExport(name, one) {
  const own = `process.getBuiltinModule("node:${name}")`;
  if (one === "default")
    return LATE.includes(name)
      ? `export default new Proxy({}, { get: (_, one) => ${own}[one] });`
      : `export default ${own};`;
  const value = process.getBuiltinModule(`node:${name}`)[one];
  const isCalled = typeof value === "function" && /^[a-z]/.test(one);
  if (name === "sqlite") return `${NEW_NODE}export const ${one} = (${own} ?? tooOld()).${one};`;
  if (!LATE.includes(name) || !isCalled) return `export const ${one} = ${own}.${one};`;
  const lines = [`export function ${one}(...given) { return ${own}.${one}(...given); }`];
  if (value[Symbol.for(CUSTOM)] !== undefined) {
    const custom = `Symbol.for("${CUSTOM}")`;
    lines.push(`${one}[${custom}] = (...given) => ${own}.${one}[${custom}](...given);`);
  }
  return lines.join("\n");
}

/** The defaults of the configuration as data: a schema that only tells them takes as long as half a start of Node. */
const DEFAULTS = join(root, "src/config/defaults.ts");

function defaults() {
  const made = defaultConfig();
  deepStrictEqual(JSON.parse(JSON.stringify(made)), made);
  return `const made = ${JSON.stringify(made)}; export const defaultConfig = () => structuredClone(made);`;
}

/** Where the ranks come from: as code they take a tenth of a second and forty megabytes to load, and half as long to be found by hash. */
const RANKS = join(root, "src/tokens/packaged-ranks.ts");
const READ_RANKS = `import { readTable } from ${JSON.stringify(join(root, "src/tokens/ranks.ts"))};
export function loadRanks() {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  return readTable(readFileSync(new URL("../tokens/o200k.bin", import.meta.url)));
}`;

const made = {
  name: "made here",
  resolveId(id, _, { kind }) {
    if (id.startsWith(ROOM) || id.startsWith(BUILTIN)) return id;
    return isBuiltin(id) && kind !== "require-call" ? `${BUILTIN}${id.replace(/^node:/, "")}` : undefined;
  },
  load(id) {
    if (id.startsWith(BUILTIN)) {
      const [name, one] = id.slice(BUILTIN.length).split("#");
      return one === undefined ? builtin(name) : builtinExport(name, one);
    }
    if (id === DEFAULTS) return defaults();
    if (id === RANKS) return READ_RANKS;
    return id.startsWith(ROOM)
      ? `export * from ${JSON.stringify(join(root, id.slice(ROOM.length)))};`
      : undefined;
  },
};
const isOurs = id => id.startsWith(ROOM) || id.startsWith(BUILTIN) || id.startsWith(join(root, "src/"));

const BUNDLED = {
  cwd: root,
  platform: "node",
  plugins: [made],
  preserveEntrySignatures: "allow-extension",
  // Whoever imports from a room loads the modules that it uses, not all that the room shows.
  treeshake: { propertyReadSideEffects: false, moduleSideEffects: id => (isOurs(id) ? false : undefined) },
  external: id => external.some(name => id === name || id.startsWith(`${name}/`)),
};
const FILES = {
  format: "esm",
  sourcemap: "hidden",
  sourcemapExcludeSources: true,
  // What is read at each start: text of one byte a character, and no comments. Lines stay: Node shows
  // the one that threw where nobody catches it. Licences stand in a file of their own.
  charset: "ascii",
  comments: { annotation: true, legal: false, jsdoc: false },
  entryFileNames: "[name].js",
};
const build = await rolldown({ ...BUNDLED, input });

/** Commands that are called often, each by the modules that it begins with. */
const FREQUENT = [
  ["main.ts"],
  ["commands/status.ts", "views/status-view.ts"],
  ["commands/lead.ts"],
  ["commands/plan.ts", "views/plan-view.ts"],
  ["commands/task.ts"],
  ["commands/run.ts"],
  ["left-work.ts"],
];

/** Which of them need a module, as one bit each: what the same ones need is one file. */
function needs(chunks) {
  const byFile = new Map(chunks.map(chunk => [chunk.fileName, chunk]));
  const bits = new Map();
  for (const [at, modules] of FREQUENT.entries()) {
    const beginnings = modules.map(name => join(root, "src/cli", name));
    // A set may grow while it is walked.
    const files = new Set(
      beginnings.map(module => {
        const chunk = chunks.find(one => one.facadeModuleId === module);
        if (chunk === undefined) throw new Error(`${module} is loaded by no import of its own`);
        return chunk.fileName;
      }),
    );
    for (const file of files) {
      const { imports, moduleIds } = byFile.get(file);
      for (const other of imports) if (byFile.has(other)) files.add(other);
      // What the program begins with is there whatever is called.
      const all = at === 0 ? (1 << FREQUENT.length) - 1 : 1 << at;
      for (const id of moduleIds) bits.set(id, (bits.get(id) ?? 0) | all);
    }
  }
  return bits;
}

/** Modules of libraries that touch neither files nor processes: who imports one of these loads nothing that does. */
function bare(chunks) {
  const byFile = new Map(chunks.map(chunk => [chunk.fileName, chunk]));
  const found = new Set();
  for (const { isEntry, facadeModuleId, fileName } of chunks) {
    if (!isEntry || facadeModuleId === null || !facadeModuleId.startsWith(ROOM)) continue;
    const files = new Set([fileName]);
    for (const file of files)
      for (const other of byFile.get(file).imports) if (byFile.has(other)) files.add(other);
    const modules = [...files].flatMap(file => byFile.get(file).moduleIds);
    if (!modules.some(id => SYSTEM.some(name => id.startsWith(`${BUILTIN}${name}#`))))
      for (const id of modules) found.add(id);
  }
  return found;
}

const { output: apart } = await build.generate({ format: "esm" });
const chunks = apart.filter(({ type }) => type === "chunk");
const bits = needs(chunks);
const isBare = bare(chunks);
/** What the bundler's own runtime needs: in a file with others that need that runtime, each would wait for the other. */
const OF_RUNTIME = `${BUILTIN}module#createRequire`;
const groupOf = id => {
  if (id === OF_RUNTIME) return "require";
  return bits.has(id) ? `frequent-${bits.get(id)}${isBare.has(id) ? "-bare" : ""}` : null;
};
const dist = join(root, "dist");
const { output } = await build.generate({
  ...FILES,
  chunkFileNames: "shared/[name]-[hash].js",
  codeSplitting: {
    // What a module needs is needed by at least the same commands: no file needs one that is needed by fewer.
    includeDependenciesRecursively: false,
    groups: [{ name: groupOf, debugName: "frequent" }],
  },
});
await build.close();
for (const [name, file] of Object.entries(PROGRAMS)) {
  const program = await rolldown({ ...BUNDLED, input: { [name]: file } });
  output.push(...(await program.generate(FILES)).output);
  await program.close();
}
const written = output.filter(({ type }) => type === "chunk");
for (const { fileName, code } of written) {
  // One other character makes all of a file two bytes a character, which takes twice as long to read.
  const other = /[^\0-\x7f]/.exec(code);
  if (other !== null)
    throw new Error(`${fileName} is not ASCII: ${code.slice(other.index - 60, other.index + 20)}`);
  mkdirSync(dirname(join(dist, fileName)), { recursive: true });
  writeFileSync(join(dist, fileName), code);
}
// One file of maps: only a bug of ours asks for one.
const maps = written.flatMap(({ fileName, map }) => (map ? [[fileName, JSON.parse(map.toString())]] : []));
writeFileSync(join(dist, "maps.json"), JSON.stringify(Object.fromEntries(maps)));
// Last: what is being run from here finds its files as long as nothing changed.
const names = new Set(written.map(({ fileName }) => fileName));
for (const name of globSync("**/*.{js,js.map}", { cwd: dist, exclude: ["web/**"] }))
  if (!names.has(name)) rmSync(join(dist, name));
const require = createRequire(import.meta.url);
const ranks = hashRanks(packRanks(require("gpt-tokenizer/bpeRanks/o200k_base").default));
writeFileSync(join(dist, "tokens/o200k.bin"), writeTable(ranks));
const modules = written.flatMap(({ moduleIds }) => moduleIds);
writeFileSync(
  join(dist, "LICENSES.txt"),
  licences([...modules, require.resolve("gpt-tokenizer/bpeRanks/o200k_base")]).join(
    `\n${"-".repeat(80)}\n\n`,
  ),
);
