// Gathers the declarations that the package's exports lead to in one file, each module as a namespace of its own; an export
// names what it shows of them. What is private has no types to import, and the package few files.
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const declared = join(dist, "declared");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const outside = new Set();
const modules = new Map();

/** The file that an import of a file names; undefined where it names a package. */
const targetOf = (file, source) =>
  source.startsWith(".") ? resolve(dirname(file), source.replace(/\.[jt]s$/, ".d.ts")) : undefined;
const nameOf = file =>
  `$${relative(declared, file)
    .slice(0, -".d.ts".length)
    .replaceAll(/[^a-z0-9]/g, "_")}`;

/** What a statement says inside a namespace: names of others by the namespaces of theirs. */
function inNamespace(file, statement, text) {
  const { type, specifiers = [], source, declaration } = statement;
  if (type === "ImportDeclaration" || (type === "ExportNamedDeclaration" && source !== null)) {
    const target = targetOf(file, source.value);
    if (target === undefined) {
      outside.add(text.trim());
      return "";
    }
    read(target);
    const word = type === "ImportDeclaration" ? "import" : "export import";
    return specifiers
      .map(({ imported, local, exported }) => {
        const [theirs, ours] =
          imported === undefined ? [local.name, exported.name] : [imported.name, local.name];
        return `${word} ${ours} = ${nameOf(target)}.${theirs};\n`;
      })
      .join("");
  }
  if (type === "ExportNamedDeclaration" && declaration === null && specifiers.length === 0) return "";
  const isPlain = /^(?:TS(?:Interface|TypeAlias)|Class|Function|Variable)Declaration$|^TSDeclareFunction$/;
  if (!isPlain.test((declaration ?? statement).type)) throw new Error(`${file}: no way to gather ${text}`);
  // What lies in a namespace that is declared is declared.
  return text.replace(/^((?:export )?)declare /m, "$1");
}

function read(file) {
  if (modules.has(file)) return;
  modules.set(file, "");
  const text = readFileSync(file, "utf8");
  let at = 0;
  const parts = parseSync(file, text).program.body.map(statement => {
    const part = text.slice(at, statement.end);
    at = statement.end;
    return inNamespace(file, statement, part);
  });
  modules.set(file, parts.join(""));
}

const fronts = Object.values(manifest.exports).flatMap(({ types }) => (types ? [join(root, types)] : []));
for (const front of new Set(fronts)) {
  const inside = join(declared, relative(dist, front));
  read(inside);
  const name = nameOf(inside);
  const shown = modules
    .get(inside)
    .matchAll(/^export (?:import|type|interface|class|function|const) (\w+)/gm);
  const names = [...shown].map(([, one]) => `export import ${one} = ${name}.${one};\n`);
  if (names.length === 0) throw new Error(`${front} declares nothing`);
  writeFileSync(front, `import { ${name} } from "../shared/types.js";\n${names.join("")}`);
}
// Whatever lies there else is of a build before.
for (const name of globSync("**/*.d.ts", { cwd: dist })) {
  if (!name.startsWith("declared/") && !fronts.includes(join(dist, name))) rmSync(join(dist, name));
}
const spaces = [...modules].map(([file, text]) => `export declare namespace ${nameOf(file)} {\n${text}\n}\n`);
writeFileSync(join(dist, "shared/types.d.ts"), [...outside, ...spaces].join("\n"));
rmSync(declared, { recursive: true });
