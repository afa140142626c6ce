import fc from "fast-check";

/** Names of filters and merge drivers that files of the bench are given to. */
export const DRIVERS = ["evil", "Evil", "a.b", "a=b", "", "\u00e9", 'q"t', "b\\s", "[x]"] as const;

/** Configuration files by their names below the git directory; one character for each byte. */
export interface RandomConfig {
  readonly config: string;
  readonly more: string;
  readonly worktree: string;
}

const quoted = (name: string) => `"${name.replace(/[\\"]/g, "\\$&")}"`;
/** As git writes it, and as it reads it besides: a backslash before anything is that thing. */
const spelt = (name: string) => fc.constantFrom(quoted(name), `"${name.replaceAll(/[a-z"\\]/g, "\\$&")}"`);
const bytes = (text: string) => Buffer.from(text).toString("latin1");

const driver = fc.constantFrom(...DRIVERS);
const blank = fc.constantFrom("", " ", "\t", "  \t ");
const end = fc.constantFrom("\n", "\n", "\n", "\r\n", "\n\n", " \n", "\t# note\n", " ; note \\\\\n");

/** Programs are told apart by their numbers: `@7@` becomes the path of one that says that it ran. */
let numbers = 0;
const program = fc
  .constantFrom(
    "@N@",
    "@N@ %f",
    '"@N@"',
    '@N@ ""',
    '"" @N@',
    "\\\n@N@",
    "@N@ \\\n",
    '@N@ # "',
    "@N@ ; \\",
    '@N@ "#"',
    "sh -c \"'@N@'\"",
    '"\\\n@N@"',
    "@N@\\t",
  )
  .map(text => text.replace("N", () => `${numbers++}`));

const header = fc.oneof(
  fc
    .tuple(fc.constantFrom("filter", "FILTER", "merge", "Merge"), driver.chain(spelt), blank)
    .map(([section, name, gap]) => `[${section}${gap === "" ? " " : gap}${name}]`),
  fc.constantFrom("[filter.evil]", "[Filter.A.B]", "[merge.evil]", "[filter.EVIL]"),
);
const idle = fc.constantFrom(
  "[user]",
  '[user ""]',
  '[user "]"]',
  '[user "a\\"b"]',
  '[user "\\\\"]',
  '[user "[filter"]',
  "[branch.main]",
  '[remote "o"]',
);
const key = fc.constantFrom("clean", "smudge", "process", "driver", "CLEAN", "Smudge");

const dangerous = fc
  .tuple(
    header,
    fc.constantFrom(" ", "\n", "\n\t", "\r\n", "", " # \\\n", " ; ]\n"),
    key,
    blank,
    blank,
    program,
    end,
  )
  .map(
    ([head, gap, name, before, after, value, close]) =>
      `${head}${gap}${name}${before}=${after}${value}${close}`,
  );

/** What a reader of lines may take for something else than git does. */
const distraction = fc.constantFrom(
  "# a note that ends in a backslash \\\n",
  "; another \\\n",
  "name = a\\\\\n",
  'name = "a\\\\"\n',
  'name = "a\\\nb"\n',
  "name = a \\\n",
  "name = a \\\r\n b\n",
  "name\n",
  "name =\n",
  "name = [filter]\n",
  'name = "[filter \\"evil\\"]"\n',
  'name = "\n',
  "name = a\0b\n",
  "\u000b\n",
  "\r\n",
  "\t\n",
  "[core]\n\tabbrev = 9\n",
  "[core] abbrev = 9 # \\\n",
  "[user] name = x\n",
  '[user ""] name = x\n',
  "required = true\n",
  "required\n",
  "[filter] clean = x\n",
  '[filter "x" ] clean = x\n',
  "[broken\n",
  "no header = x\n",
  `name = ${"x".repeat(70_000)}\n`,
  `# ${"x".repeat(70_000)} \\\n`,
  "\u00ef\u00bb\u00bf\n",
  bytes("name = \u00e9\n"),
  "name = \u00ff\n",
  '[filter "\u00ff"] clean = x\n',
);

const CONDITIONS = [
  "gitdir:/",
  "gitdir/i:/",
  "gitdir:nowhere/",
  "gitdir:**/worktrees/**",
  "onbranch:main",
  "onbranch:w",
  "hasconfig:remote.*.url:x",
  "unknown:x",
] as const;
const include = fc.oneof(
  fc.constantFrom(
    "[include]\n\tpath = more\n",
    '[include] path = "more" ; here\n',
    "[include]\n\tPATH = missing\n",
  ),
  fc.constantFrom(...CONDITIONS).map(condition => `[includeIf "${condition}"]\n\tpath = more\n`),
);

const switched = fc.oneof(
  program.map(value => `[core]\n\tfsmonitor = ${value}\n`),
  program.map(value => `[hook "mine"]\n\tevent = reference-transaction\n\tcommand = ${value}\n`),
  program.map(value => `[diff]\n\texternal = ${value}\n[diff "evil"]\n\ttextconv = ${value}\n`),
);

const piece = fc.oneof(
  { weight: 4, arbitrary: dangerous },
  { weight: 3, arbitrary: distraction },
  { weight: 1, arbitrary: idle.map(text => `${text} name = x\n`) },
  { weight: 1, arbitrary: include },
  { weight: 1, arbitrary: switched },
);
const text = fc.array(piece, { maxLength: 6 }).map(pieces => bytesOnly(pieces.join("")));

/** Names are written in UTF-8; everything else is bytes already. */
function bytesOnly(config: string): string {
  return config.replaceAll("\u00e9", bytes("\u00e9")).replaceAll(bytes(bytes("\u00e9")), bytes("\u00e9"));
}

export const randomConfig: fc.Arbitrary<RandomConfig> = fc.record({
  config: fc
    .tuple(fc.constantFrom("", "", "", "\u00ef\u00bb\u00bf"), text)
    .map(([mark, rest]) => mark + rest),
  more: text,
  worktree: fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 1, arbitrary: text }),
});
