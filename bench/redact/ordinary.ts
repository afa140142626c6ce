import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { random } from "../budget/random.ts";

const next = random(14);
const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!;
const number = (below: number) => Math.floor(next() * below);
export const digest = (kind: string, encoding: "hex" | "base64" | "base64url") =>
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
const LINES: readonly (() => string)[] = [
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

export const ordinaryLine = (): string => pick(LINES)();

const korean = (words: number): string => Array.from({ length: words }, () => pick(KOREAN)).join(" ");
const time = (at: number): string => new Date(1.7e12 + at * 1013).toISOString();

const SOURCES = globSync("src/**/*.ts").sort();

/** Files of this program, one after the other. */
function code(): string {
  return readFileSync(pick(SOURCES), "utf8");
}

/** Texts without secrets, each of one kind, in units that are repeated: what a redactor has to read, and what is hard to read. */
export const KINDS: Readonly<Record<string, (at: number) => string>> = {
  "ordinary lines": () => `${ordinaryLine()}\n`,
  "very short lines": () => "y\n",
  log: at =>
    `${time(at)} INFO [${letters(4)}/${letters(6)}-${number(9)}] GET https://${letters(7)}.com/api/${letters(5)}?page=${number(99)} 200 in ${number(900)}ms\n`,
  "escaped JSON": at =>
    `${JSON.stringify({
      line: JSON.stringify({ at, text: `"${letters(9)}"\n\tat \u00e9 C:\\${letters(4)}`, path: "a/b" }),
    })}\n`,
  "a file in JSON": () => JSON.stringify(code()),
  code,
  "Korean prose": () => `${korean(12)}.\n`,
  "base64 in lines": () => `${digest("sha512", "base64").slice(0, 76)}\n`,
  "base64 in one": () => digest("sha512", "base64").slice(0, 84),
  "hexadecimal in pairs": () => `${digest("sha256", "hex").replaceAll(/../g, "$& ")}\n`,
  "a list of numbers": () => `${Array.from({ length: 20 }, () => number(256)).join(", ")},\n`,
  "percent-encoded": at => `GET /a?q=${encodeURIComponent(`${pick(KOREAN)} & "${letters(5)}" = ${at}`)}\n`,
  "references of HTML": () =>
    `<td>&lt;${letters(6)}&gt; &amp; &#x${number(9999)};&quot;${letters(4)}&quot;</td>\n`,
  "colored log": at => `\u001b[32m✓\u001b[0m ${letters(9)} \u001b[1m${at}\u001b[22m passed\n`,
  "beginnings of tokens": () =>
    `https://${letters(6)}:${number(9999)}/eyJ${letters(5)} sk-${letters(4)} Bearer ${letters(6)}\n`,
};
