// The Korean pages and their originals: node tools/korean.mjs lists what is behind, `done PAGE` settles a page that was
// brought up to its original, `behind [PAGE]` has its head tell the readers what is not, `links` leads links to Korean pages.
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import {
  behindOf,
  englishPath,
  koreanPath,
  markFor,
  markIn,
  relinked,
  settled,
  withMark,
} from "../test/docs/korean.ts";

const root = new URL("../", import.meta.url);
const at = path => new URL(path, root);
const read = path => readFileSync(at(path), "utf8");
const korean = new Map(
  [
    "README.md",
    ...globSync("docs/ko/*.md", { cwd: root })
      .sort()
      .map(path => basename(path)),
  ].map(name => [name, read(koreanPath(name))]),
);

function write(name, text) {
  if (korean.get(name) === text) return;
  writeFileSync(at(koreanPath(name)), text);
  korean.set(name, text);
  process.stdout.write(`${koreanPath(name)} written\n`);
}

function relinkAll() {
  for (const [name, text] of korean) write(name, relinked(name, text, korean));
}

function list() {
  let behind = 0;
  for (const [name, text] of korean) {
    const { changed, gone } = behindOf(read(englishPath(name)), text);
    const told = markIn(text) === "" ? "" : ", its readers are told";
    for (const { title } of changed)
      process.stdout.write(`${koreanPath(name)}: "${title}" is behind${told}\n`);
    for (const { title } of gone)
      process.stdout.write(`${koreanPath(name)}: "${title}" has no original${told}\n`);
    behind += changed.length + gone.length;
  }
  process.stdout.write(`${korean.size} Korean pages, ${behind} sections behind\n`);
}

const [what = "list", ...pages] = process.argv.slice(2);
const given = pages.map(page => `${basename(page, ".md")}.md`);
const names = what === "behind" && given.length === 0 ? [...korean.keys()] : given;
const unknown = names.filter(name => !korean.has(name) || !existsSync(at(englishPath(name))));
if (unknown.length > 0 || !["list", "done", "behind", "links"].includes(what)) {
  process.stderr.write(
    `${unknown.map(name => `${koreanPath(name)} is no Korean page\n`).join("")}usage: node tools/korean.mjs [done PAGE… | behind [PAGE…] | links]\n`,
  );
  process.exitCode = 2;
} else if (what === "list") list();
else if (what === "links") relinkAll();
else {
  for (const name of names) {
    const [english, text] = [read(englishPath(name)), korean.get(name)];
    write(
      name,
      what === "done" ? settled(english, text) : withMark(text, markFor(name, behindOf(english, text))),
    );
  }
  if (what === "done") relinkAll();
}
