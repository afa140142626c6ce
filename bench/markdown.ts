/**
 * Whether our reader of Markdown sees the block structure that CommonMark's reference implementation and micromark with GFM's
 * tables see, line by line.
 *
 *   npm run bench:markdown -- FOLDER [--verbose]
 *
 * Reads every `.md` below the folder. Exits 1 where a line differs from both.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { commonmarkStructure, gfmStructure, ourStructure, sameLine } from "../test/markdown/reference.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { verbose: { type: "boolean", default: false } },
});
const [folder = "."] = positionals;
let files = 0;
let lines = 0;
let different = 0;
for (const path of globSync("**/*.md", { cwd: folder, exclude: ["**/node_modules/**"] }).sort()) {
  const source = readFileSync(join(folder, path), "utf8")
    .replace(/\r\n?/g, "\n")
    .replace(/^\uFEFF/, "");
  files++;
  const [ours, plain, tables] = [ourStructure(source), commonmarkStructure(source), gfmStructure(source)];
  const text = source.split("\n");
  for (const [at, line] of ours.entries()) {
    lines++;
    if (sameLine(line, tables[at]!) || sameLine(line, plain[at]!)) continue;
    different++;
    if (values.verbose)
      console.log(`${path}:${at + 1}: ${text[at]}\n  ours ${line}\n  theirs ${plain[at]} | ${tables[at]}`);
  }
}
console.log(`${files} files, ${lines} lines, ${different} read differently from both references`);
if (different > 0) process.exitCode = 1;
