import { createHash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createRedactor } from "../src/text/index.ts";
import { SECRETS, secretForms, tellingPart } from "../test/text/secret-forms.ts";
import { random } from "./budget/random.ts";

/**
 * Redaction: forms that get through, ordinary lines that are masked, and speed beside `replaceAll` once for each secret, which
 * finds the plain form alone. `npm run bench:redact -- [FOLDER with more ordinary text]`; the texts must hold no secrets.
 */
const LINES = 100_000;
const RUNS = 5;
const LARGEST = 4 * 1024 ** 2;

const next = random(14);
const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
const number = (below: number) => Math.floor(next() * below);
const digest = (kind: string, encoding: "hex" | "base64" | "base64url") =>
  createHash(kind).update(String(next())).digest(encoding);
const LETTERS = Array.from("abcdefghijklmnopqrstuvwxyz");
const letters = (length: number) => Array.from({ length }, () => pick(LETTERS)).join("");
const KOREAN = [
  "작업을",
  "마쳤습니다",
  "다음",
  "단계로",
  "비밀번호를",
  "검증",
  "실패",
  "문서",
  "토큰",
  "의존성",
];

/** Lines as builds, tests, package managers, git and people write them, with everything that looks like a secret and is none. */
const ORDINARY: readonly (() => string)[] = [
  () => `commit ${digest("sha1", "hex")} (HEAD -> ${letters(6)}/${letters(8)}-${number(99)})`,
  () => `      "integrity": "sha512-${digest("sha512", "base64")}",`,
  () => `${digest("sha256", "hex")}  dist/${letters(8)}.js`,
  () => `index ${digest("sha1", "hex").slice(0, 10)}..${digest("sha1", "hex").slice(0, 10)} 100644`,
  () => `"id": "${digest("sha1", "hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, "$1-$2-$3-$4-$5")}"`,
  () => `data:image/png;base64,iVBORw0KGgo${digest("sha512", "base64")}`,
  () => `//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjoz${digest("sha512", "base64")}`,
  () => `-----BEGIN CERTIFICATE----- ${digest("sha512", "base64")} -----END CERTIFICATE-----`,
  () => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5${digest("sha256", "base64")} ${letters(5)}@${letters(6)}`,
  () =>
    `src/${letters(6)}/${letters(9)}.ts:${number(900)}:${number(80)} - error TS${number(9999)}: ${letters(7)}`,
  () => `const ${letters(8)} = process.env.${letters(6).toUpperCase()}_TOKEN ?? "${letters(10)}";`,
  () => `npm_config_${letters(8)}=${letters(30)} npm_package_version=1.${number(9)}.${number(99)}`,
  () =>
    `GET https://registry.${letters(7)}.org:443/@${letters(5)}/${letters(8)}/-/${letters(8)}-1.${number(9)}.0.tgz 200`,
  () => `git clone ssh://git@${letters(8)}.com:${number(9999)}/${letters(5)}/${letters(9)}.git`,
  () => `http://localhost:${number(65_535)}/@vite/client?v=${digest("sha1", "hex").slice(0, 8)}`,
  () => ` ✓ ${letters(6)} > ${letters(9)} > masks the password of a user ${number(900)}ms`,
  () => `Bearer tokens and Basic authentication are read from the ${letters(9)} header`,
  () =>
    `task-${number(999_999)} risk-${letters(12)}-${letters(12)} disk-usage-${number(99)} sk-${letters(8)}`,
  () => Array.from({ length: 8 }, () => pick(KOREAN)).join(" "),
  () =>
    `  ${letters(3)} = ${letters(8)}(${letters(4)}, { ${letters(5)}: ${number(1e9)}, ${letters(6)}: "%s\\n" }) // ${letters(12)}`,
  () =>
    `<a href="https://${letters(9)}.com/${letters(6)}?q=${encodeURIComponent(`${letters(4)} & ${pick(KOREAN)}`)}">&lt;${letters(5)}&gt;</a>`,
  () =>
    `{"at":${number(1e12)},"text":"${letters(9)}\\n\\t\\u00e9${letters(7)}\\\\${letters(4)}","pct":"${number(100)}%"}`,
  () => `${letters(4)} ${number(9)}.${number(9)}MB/s ${"#".repeat(number(60))} ${number(100)}%`,
  () =>
    `AKI${letters(5).toUpperCase()} eyJ${letters(20)} ghp_${letters(8)} xoxb-${letters(6)} hf_${letters(9)} SG.${letters(4)}`,
];

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

/** Texts of one kind, in which escapes are more than one byte in ten. */
const ESCAPED: Readonly<Record<string, (at: number) => string>> = {
  "escaped JSON log": at =>
    JSON.stringify({
      line: JSON.stringify({ at, text: `"${letters(9)}"\n\tat \u00e9 C:\\${letters(4)}`, path: "a/b" }),
    }),
  "percent-encoded log": at => `GET /a?q=${encodeURIComponent(`${pick(KOREAN)} & "${letters(5)}" = ${at}`)}`,
  "colored log": at => `\u001b[32m✓\u001b[0m ${letters(9)} \u001b[1m${at}\u001b[22m passed`,
};

/** Megabytes a second of processor time, the best of some runs. */
function speed(text: string, redact: (text: string) => string): string {
  let best = Infinity;
  for (let run = 0; run < RUNS; run++) {
    const began = process.cpuUsage();
    redact(text);
    const { user, system } = process.cpuUsage(began);
    best = Math.min(best, (user + system) / 1000);
  }
  return (Buffer.byteLength(text) / 1000 / best).toFixed(1);
}

const { tried, through } = formsThrough();
console.log(
  `forms: ${tried} tried, in one piece, in bytes and in sevens: ${through.length} not masked ${through.join(", ")}`,
);
const made = Array.from({ length: LINES }, () => pick(ORDINARY)());
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
const texts = {
  "ordinary lines": made.join("\n"),
  ...Object.fromEntries(
    Object.entries(ESCAPED).map(([kind, write]) => [
      kind,
      Array.from({ length: LINES / 10 }, (_, at) => write(at)).join("\n"),
    ]),
  ),
};
for (const count of [0, 1, 10, 50]) {
  const secrets = Array.from({ length: count }, () => digest("sha256", "base64"));
  const peer = (given: string) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, "[redacted]"), given);
  const ours = createRedactor(secrets);
  for (const [kind, text] of Object.entries(texts))
    console.log(
      `${count} secrets, ${kind}: ${speed(text, ours)} MB/s, replaceAll of the plain form ${speed(text, peer)} MB/s`,
    );
}
