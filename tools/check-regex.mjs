// Every regular expression in the sources must be safe against crafted input: recheck proves it for each literal.
import { globSync, readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";
import { check } from "recheck";

const files = globSync(["src/**/*.{ts,tsx}", "web/src/**/*.{ts,tsx}", "tools/**/*.mjs"]).sort();
const literals = new Map();
for (const file of files) {
  const text = readFileSync(file, "utf8");
  const add = (node, source, flags) => {
    const line = text.slice(0, node.start).split("\n").length;
    const key = `/${source}/${flags}`;
    literals.set(key, { source, flags, places: [...(literals.get(key)?.places ?? []), `${file}:${line}`] });
  };
  new Visitor({
    Literal(node) {
      if (node.regex) add(node, node.regex.pattern, node.regex.flags);
    },
    NewExpression(node) {
      if (node.callee.name !== "RegExp") return;
      const [pattern] = node.arguments;
      if (pattern?.type === "Literal") add(node, pattern.value, node.arguments[1]?.value ?? "");
      else throw new Error(`${file}: a RegExp built from parts cannot be checked; write a scanner`);
    },
  }).visit(parseSync(file, text).program);
}

let bad = 0;
for (const { source, flags, places } of literals.values()) {
  const result = await check(source, flags, { timeout: 20_000 });
  if (result.status === "safe") continue;
  bad++;
  const why =
    result.status === "vulnerable" ? result.complexity.summary : (result.error?.kind ?? result.status);
  process.stderr.write(`${places.join(", ")}: /${source}/${flags} is not proved safe (${why})\n`);
}
process.stdout.write(
  `${literals.size} regular expressions in ${files.length} files, ${bad} not proved safe\n`,
);
process.exitCode = bad === 0 && literals.size > 0 ? 0 : 1;
