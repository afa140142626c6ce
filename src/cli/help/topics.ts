import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PACKAGE_ROOT } from "../../host/package.ts";
import { EXIT } from "../../ports/index.ts";
import { type Locale, nearest, visible } from "../../text/index.ts";
import { type Io, isInteractive, say, warn } from "../io.ts";
import { localeOf } from "../project.ts";

const DOCS = join(PACKAGE_ROOT, "docs");
/** Lines of a page that a search shows. */
const SHOWN = 3;
const LONGEST = 120;

interface TopicWords {
  readonly topics: string;
  readonly how: string;
  readonly unknown: (name: string, guess: string | undefined) => string;
  readonly nothing: (word: string) => string;
}

const ENGLISH: TopicWords = {
  topics: "What there is to read:",
  how: "espalier help TOPIC shows one (espalier help topic NAME where a command is called so too), espalier help topics WORD searches them",
  unknown: (name, guess) =>
    `no command and no topic ${name}${guess === undefined ? "" : ` (did you mean ${guess}?)`}; espalier help topics lists them`,
  nothing: word => `no page says ${word}`,
};

const KOREAN: TopicWords = {
  topics: "읽을거리:",
  how: "espalier help TOPIC은 하나를 보여 주고(같은 이름의 명령이 있으면 espalier help topic NAME), espalier help topics 낱말은 모든 문서에서 찾습니다",
  unknown: (name, guess) =>
    `명령도 주제도 아님: ${name}${guess === undefined ? "" : ` (혹시 ${guess}?)`}. 목록: espalier help topics`,
  nothing: word => `찾은 문서 없음: ${word}`,
};

/** The pages that the package brings, by name. */
export function topicNames(): readonly string[] {
  const pages = readdirSync(DOCS).filter(name => name.endsWith(".md"));
  return pages.map(name => name.slice(0, -".md".length)).sort();
}

/** A page in a language, else in English; undefined for a name that is none. */
function pageOf(name: string, locale: Locale): string | undefined {
  if (!topicNames().includes(name)) return undefined;
  const own = join(DOCS, locale, `${name}.md`);
  return readFileSync(locale !== "en" && existsSync(own) ? own : join(DOCS, `${name}.md`), "utf8");
}

/** A page as a terminal shows it: links by their words, pictures and comments left out, code blocks as they are. */
export function plainPage(markdown: string): string {
  let fence = "";
  let prose: string[] = [];
  const shown: string[] = [];
  const end = () => {
    const text = prose.join("\n").replaceAll(/\[([^\][]{1,400})\]\([^)\s]{1,400}\)/g, "$1");
    const lines = text.replaceAll("**", "").split("\n");
    if (prose.length > 0)
      shown.push(...lines.map(line => (line.startsWith("|") ? line : line.replaceAll("`", ""))));
    prose = [];
  };
  for (const line of markdown.split("\n")) {
    const mark = /^`{3,}/.exec(line)?.[0] ?? "";
    if (mark !== "" && (fence === "" || line.trimEnd() === fence)) {
      end();
      fence = fence === "" ? mark : "";
    } else if (fence !== "") shown.push(`    ${line}`.trimEnd());
    else if (!/^!\[[^\]]*\]\([^)]*\)$|^<!--.*-->$/.test(line)) prose.push(line);
  }
  end();
  return shown.join("\n");
}

/** Shows a text: through the person's pager where they sit at a terminal. */
async function show(io: Io, text: string): Promise<number> {
  if (!isInteractive(io)) {
    io.stdout.write(text);
    return EXIT.done;
  }
  const pager = io.env["PAGER"] || "less";
  const child = spawn("sh", ["-c", pager], {
    env: { LESS: "FRX", ...io.env },
    stdio: ["pipe", "inherit", "inherit"],
  });
  // Who leaves the pager early has seen enough.
  child.stdin.on("error", () => {});
  child.stdin.end(text);
  const code = await new Promise<number | null>(resolve => {
    child.on("error", () => resolve(127));
    child.on("close", resolve);
  });
  if (code === 127) io.stdout.write(text);
  return EXIT.done;
}

/** The first sentence below the title of a page. */
function firstSentence(markdown: string): string {
  const text = plainPage(markdown).split("\n\n")[1] ?? "";
  const parts = text.replaceAll("\n", " ").split(/(?<=[.:;]) /);
  // What stands in parentheses is no sentence of its own; what a colon leads on to is not shown.
  const isWhole = (said: string) => said.split("(").length === said.split(")").length;
  const end = parts.findIndex((_, at) => isWhole(parts.slice(0, at + 1).join(" ")));
  const first = parts
    .slice(0, end + 1)
    .join(" ")
    .replace(/[:;]$/, "");
  return visible(first.length > LONGEST ? `${first.slice(0, LONGEST - 1)}…` : first);
}

function list(io: Io, locale: Locale, words: TopicWords): number {
  const names = topicNames();
  const width = Math.max(...names.map(name => name.length));
  say(io, words.topics);
  for (const name of names) say(io, `  ${name.padEnd(width)}  ${firstSentence(pageOf(name, locale) ?? "")}`);
  say(io, `\n${words.how}`);
  return EXIT.done;
}

/** The pages that say a word, each with its first lines that do. */
function search(io: Io, word: string, locale: Locale, words: TopicWords): number {
  const looked = word.toLowerCase();
  let found = 0;
  for (const name of topicNames()) {
    const lines = plainPage(pageOf(name, locale) ?? "").split("\n");
    const hits = lines.filter(line => line.toLowerCase().includes(looked));
    if (hits.length === 0) continue;
    found++;
    say(io, `${name} (${hits.length})`);
    for (const line of hits.slice(0, SHOWN)) say(io, `  ${visible(line.trim(), LONGEST)}`);
  }
  if (found > 0) return EXIT.done;
  warn(io, words.nothing(visible(word, 80)));
  return EXIT.failedTasks;
}

/** `espalier help topics`, `help topics WORD`, `help TOPIC` and `help topic NAME`; `commands` are those that there are. */
export async function helpTopic(
  io: Io,
  args: readonly string[],
  commands: readonly string[],
): Promise<number> {
  const locale = localeOf(io);
  const words = locale === "ko" ? KOREAN : ENGLISH;
  const [name = "", ...rest] = args;
  if (name === "topics" || name === "")
    return rest.length === 0 ? list(io, locale, words) : search(io, rest.join(" "), locale, words);
  const page = pageOf(name === "topic" ? (rest[0] ?? "") : name, locale);
  if (page !== undefined) return show(io, plainPage(page));
  warn(io, words.unknown(visible(name, 80), nearest(name, [...topicNames(), ...commands])));
  return EXIT.usage;
}
