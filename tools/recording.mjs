// Writes docs/images/run.svg and run.ko.svg: a real run of examples/quickstart in a terminal, as a picture that moves. A test holds
// them to what a run shows now; `npm run recording` makes them again, `--print LOCALE` prints one. Needs python3 for its terminals.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { textWidth } from "../src/cli/views/terminal/width.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const [COLUMNS, ROWS] = [96, 25];
/** Runs a command in a terminal of its own; each piece that it shows is a line of JSON, with its milliseconds. */
const TERMINAL = `
import fcntl, json, os, pty, struct, sys, termios, time
pid, master = pty.fork()
if pid == 0:
    time.sleep(0.1)
    os.execvp("sh", ["sh", "-c", sys.argv[1]])
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", ${ROWS}, ${COLUMNS}, 0, 0))
began = time.time()
while True:
    try:
        piece = os.read(master, 65536)
    except OSError:
        break
    if not piece:
        break
    print(json.dumps([round((time.time() - began) * 1000), piece.hex()]))
`;

/** What a run of the example shows in a language: pieces with the milliseconds at which they came. */
function recorded(locale) {
  const folder = mkdtempSync(join(tmpdir(), "espalier-recording-"));
  try {
    const example = join(ROOT, "examples", "quickstart");
    const project = join(folder, "project");
    cpSync(example, project, { recursive: true, filter: path => path !== join(example, "ko") });
    if (locale === "ko") cpSync(join(example, "ko"), project, { recursive: true });
    mkdirSync(join(folder, "home"));
    const main = `await (await import(${JSON.stringify(join(ROOT, "src/cli/main.ts"))})).main(["node", "espalier", "--locale", "${locale}", "run", "--yes"])`;
    const line = `exec '${process.execPath}' --no-warnings --input-type=module -e '${main}'`;
    const { stdout, stderr } = spawnSync("python3", ["-c", TERMINAL, line], {
      cwd: project,
      encoding: "utf8",
      maxBuffer: 50_000_000,
      env: {
        PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
        HOME: join(folder, "home"),
        TERM: "xterm",
      },
    });
    if (stdout === "") throw new Error(`nothing was shown: ${stderr}`);
    const lines = stdout.trimEnd().split("\n");
    return lines.map(each => JSON.parse(each)).map(([at, hex]) => [at, Buffer.from(hex, "hex")]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const COLORS = { 31: "red", 32: "green", 33: "yellow", 36: "cyan" };

function styled(style, code) {
  if (code === "1" || code === "2") return { ...style, weight: code === "1" ? "bold" : "dim" };
  if (code === "22") return { ...style, weight: "" };
  if (code === "39") return { ...style, color: "" };
  return COLORS[code] === undefined ? { color: "", weight: "" } : { ...style, color: COLORS[code] };
}

/** A terminal as far as our own views use one. Each row is a list of pieces: a letter, its column, its style. */
function createScreen() {
  const rows = [[]];
  let [row, column, style] = [0, 0, { color: "", weight: "" }];
  const control = (parameters, final) => {
    if (final === "m") style = parameters.split(";").reduce(styled, style);
    else if (final === "A") row = Math.max(0, row - Number(parameters || "1"));
    else if (final === "K") rows[row] = rows[row].filter(({ at }) => at < column);
    else if (final === "J")
      rows.splice(
        row,
        rows.length,
        rows[row].filter(({ at }) => at < column),
      );
    else if (final !== "h" && final !== "l") throw new Error(`unexpected sequence ${parameters}${final}`);
  };
  return {
    write(text) {
      for (const [piece, parameters, final] of text.matchAll(/\x1b\[([0-9;?]{0,20})([A-Za-z])|[^\x1b]/gu)) {
        if (final !== undefined) control(parameters, final);
        else if (piece === "\r") column = 0;
        else if (piece === "\n") {
          row++;
          rows[row] ??= [];
        } else {
          const end = column + textWidth(piece);
          rows[row] = rows[row].filter(({ at, letter }) => at >= end || at + textWidth(letter) <= column);
          rows[row].push({ letter: piece, at: column, ...style });
          column = end;
        }
      }
    },
    /** Rows as runs of one style, the last ones where there are more than fit. */
    picture() {
      const shown = rows.map(letters => {
        const runs = [];
        for (const { letter, at, color, weight } of letters.toSorted((a, b) => a.at - b.at)) {
          const last = runs.at(-1);
          const isNext = last !== undefined && last.at + last.width === at;
          if (isNext && last.color === color && last.weight === weight) {
            last.text += letter;
            last.width += textWidth(letter);
          } else runs.push({ text: letter, at, width: textWidth(letter), color, weight });
        }
        return runs.filter(({ text }) => text.trim() !== "");
      });
      while (shown.at(-1)?.length === 0) shown.pop();
      return shown.slice(-ROWS);
    },
  };
}

/** Pictures that differ, each with the milliseconds for which it stands. */
function framesOf(pieces) {
  const screen = createScreen();
  const decoder = new TextDecoder();
  const frames = [];
  for (const [at, bytes] of pieces) {
    screen.write(decoder.decode(bytes, { stream: true }));
    const picture = screen.picture();
    if (JSON.stringify(frames.at(-1)?.picture) === JSON.stringify(picture) || picture.length === 0) continue;
    // What is drawn in pieces is seen as one.
    if (at - (frames.at(-1)?.at ?? at) < 80) frames.pop();
    frames.push({ at, picture });
  }
  // Nobody reads a picture in less than that, and the last one says what came of it.
  return frames.map(({ at, picture }, index) => ({
    picture,
    ms:
      Math.max(600, Math.min(1500, (frames[index + 1]?.at ?? at + 1e9) - at)) *
      (index + 1 < frames.length ? 1 : 4),
  }));
}

const escaped = text => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const [WIDE, HIGH, EDGE] = [8.4, 18, 16];

/** What stands together of a run: each is drawn in its own place, so that no letter of another font shifts what follows. */
function wordsOf(run) {
  return [...run.text.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) => {
    const at = run.at + textWidth(run.text.slice(0, index));
    return { ...run, text, at, width: textWidth(text) };
  });
}

function drawn(picture) {
  return picture.flatMap((runs, row) =>
    runs.flatMap(wordsOf).map(({ text, at, width, color, weight }) => {
      const classes = [color, weight].filter(name => name !== "").join(" ");
      const place = `x="${(EDGE + at * WIDE).toFixed(1)}" y="${EDGE + (row + 1) * HIGH}" textLength="${(width * WIDE).toFixed(1)}"`;
      return `<text ${place}${classes === "" ? "" : ` class="${classes}"`}>${escaped(text)}</text>`;
    }),
  );
}

function svgOf(frames, title) {
  const total = frames.reduce((sum, { ms }) => sum + ms, 0);
  const percent = ms => `${((100 * ms) / total).toFixed(2)}%`;
  const rows = Math.max(...frames.map(({ picture }) => picture.length));
  let from = 0;
  const rules = [];
  const groups = frames.map(({ picture, ms }, index) => {
    const [begin, end] = [percent(from), percent(from + ms)];
    from += ms;
    const before = index === 0 ? "" : "0%{visibility:hidden}";
    const after = index + 1 === frames.length ? "" : `${end}{visibility:hidden}`;
    rules.push(`@keyframes f${index}{${before}${begin}{visibility:visible}${after}}`);
    rules.push(`#f${index}{animation-name:f${index}}`);
    return `<g id="f${index}">\n${drawn(picture).join("\n")}\n</g>`;
  });
  const size = [COLUMNS * WIDE + 2 * EDGE, (rows + 1) * HIGH + 2 * EDGE].map(Math.round);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size[0]}" height="${size[1]}" viewBox="0 0 ${size[0]} ${size[1]}" role="img">
<title>${escaped(title)}</title>
<style>
text{font:14px ui-monospace,Menlo,Consolas,"Noto Sans Mono CJK KR",monospace;fill:#d7dae0;white-space:pre}
.bold{font-weight:700;fill:#fff}.dim{fill:#9aa3b2}.red{fill:#ff7b72}.green{fill:#6fdd8b}.yellow{fill:#f0c674}.cyan{fill:#76d4e0}
g{visibility:hidden;animation:${(total / 1000).toFixed(1)}s step-end infinite}
${rules.join("\n")}
@media (prefers-reduced-motion:reduce){g{animation:none}#f${frames.length - 1}{visibility:visible}}
</style>
<rect width="100%" height="100%" rx="8" fill="#16181d"/>
${groups.join("\n")}
</svg>
`;
}

const TITLES = { en: "A run of the example in a terminal", ko: "터미널에서 예제를 실행하는 모습" };

const pathOf = locale => join(ROOT, "docs", "images", locale === "en" ? "run.svg" : `run.${locale}.svg`);

/** The moving picture of a run in a language. */
function recording(locale) {
  return svgOf(framesOf(recorded(locale)), TITLES[locale]);
}

const [flag, asked = "en"] = process.argv.slice(2);
if (flag === "--print") process.stdout.write(recording(asked));
else for (const locale of Object.keys(TITLES)) writeFileSync(pathOf(locale), recording(locale));
