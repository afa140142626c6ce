import { readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";

const FORBIDDEN_GLOBALS = new Set([
  "process",
  "console",
  "performance",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "fetch",
]);

export interface SourceFile {
  readonly path: string;
  readonly room: string;
  readonly imports: readonly { readonly from: string; readonly names: readonly string[] }[];
  readonly touches: readonly string[];
}

function memberName(node: {
  object: { type: string; name?: string };
  property: { type: string; name?: string };
}): string {
  return node.object.type === "Identifier" ? `${node.object.name}.${node.property.name ?? ""}` : "";
}

/** Reads what a source file imports and which forbidden things it touches. */
export function readSource(path: string): SourceFile {
  const text = readFileSync(path, "utf8");
  const { program } = parseSync(path, text, { lang: path.endsWith("x") ? "tsx" : "ts" });
  const imports: { from: string; names: string[] }[] = [];
  const touches: string[] = [];
  const declared = new Set<string>();
  const used = new Set<string>();
  new Visitor({
    ImportDeclaration(node) {
      const names = node.specifiers.map(specifier =>
        "imported" in specifier && "name" in specifier.imported ? specifier.imported.name : "*",
      );
      imports.push({ from: node.source.value, names });
    },
    ImportExpression(node) {
      if (node.source.type === "Literal") imports.push({ from: String(node.source.value), names: ["*"] });
    },
    ExportNamedDeclaration(node) {
      if (node.source !== null) imports.push({ from: node.source.value, names: [] });
    },
    ExportAllDeclaration(node) {
      touches.push(`export * from ${node.source.value}`);
    },
    MemberExpression(node) {
      const name = memberName(node as Parameters<typeof memberName>[0]);
      if (name === "Date.now" || name === "Math.random") touches.push(name);
      if (node.object.type === "Identifier") used.add(node.object.name);
    },
    CallExpression(node) {
      if (node.callee.type === "Identifier") used.add(node.callee.name);
    },
    NewExpression(node) {
      if (node.callee.type === "Identifier" && node.callee.name === "Date" && node.arguments.length === 0)
        touches.push("new Date()");
    },
    VariableDeclarator(node) {
      if (node.id.type === "Identifier") declared.add(node.id.name);
    },
  }).visit(program);
  for (const name of used) if (FORBIDDEN_GLOBALS.has(name) && !declared.has(name)) touches.push(name);
  return { path, room: path.split("/")[1] ?? "", imports, touches };
}
