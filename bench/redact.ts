import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "../src/text/index.ts";
import { SECRETS, secretForms, tellingPart } from "../test/text/secret-forms.ts";
import { ordinaryLine } from "./redact/ordinary.ts";
import { measureSpeed } from "./redact/speed.ts";

/**
 * Redaction: forms that get through, ordinary lines that are masked, and speed.
 * `npm run bench:redact -- [FOLDER with more ordinary text]`; the texts must hold no secrets.
 */
const LINES = 100_000;
const LARGEST = 4 * 1024 ** 2;

function formsThrough(): { readonly tried: number; readonly through: string[] } {
  const redact = createRedactor(SECRETS);
  const forms = SECRETS.flatMap(secret =>
    [...secretForms(secret)].map(([name, form]) => ({ name, form, secret })),
  );
  const through = forms.filter(({ name, form, secret }) => {
    const told = Buffer.from(tellingPart(name, form, secret));
    return [form.length, 1, 7].some(size => {
      const stream = redact.stream();
      const pieces: Uint8Array[] = [];
      for (let at = 0; at < form.length; at += size) pieces.push(stream.push(form.slice(at, at + size)));
      return Buffer.concat([...pieces, stream.end()]).includes(told);
    });
  });
  return { tried: forms.length, through: through.map(({ name }) => name) };
}

function maskedLines(lines: readonly string[]): string[] {
  const redact = createRedactor(SECRETS);
  return lines.filter(line => redact(line) !== line);
}

function linesIn(folder: string): string[] {
  return globSync("**/*", {
    cwd: folder,
    exclude: path => /(?:^|\/)(?:node_modules|\.git)$/.test(path),
  }).flatMap(path => {
    const facts = statSync(join(folder, path), { throwIfNoEntry: false });
    if (facts?.isFile() !== true || facts.size > LARGEST) return [];
    const bytes = readFileSync(join(folder, path));
    return bytes.includes(0) ? [] : bytes.toString().split("\n");
  });
}

const { tried, through } = formsThrough();
console.log(
  `forms: ${tried} tried, in one piece, in bytes and in sevens: ${through.length} not masked ${through.join(", ")}`,
);
const made = Array.from({ length: LINES }, () => ordinaryLine());
const wrong = maskedLines(made);
console.log(`ordinary lines: ${made.length} made, ${wrong.length} masked`);
for (const line of wrong.slice(0, 20)) console.log(`  ${line}`);
const folder = process.argv[2];
if (folder !== undefined) {
  const read = linesIn(folder);
  const found = maskedLines(read);
  console.log(`ordinary lines: ${read.length} read, ${found.length} masked`);
  for (const line of found.slice(0, 20)) console.log(`  ${line.slice(0, 200)}`);
}
measureSpeed([0, 1, 3, 10, 50]);
