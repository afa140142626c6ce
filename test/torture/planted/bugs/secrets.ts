import type { NamedBug } from "../bug.ts";

/** What is masked, and how it is found. */
export const SECRET_BUGS: readonly NamedBug[] = [
  {
    name: "a secret of eight characters is shown",
    file: "src/text/redact/forms.ts",
    symbol: "maskable",
    swap: ["value.length >= SHORTEST", "value.length > SHORTEST"],
    by: { test: "test/text/redact.test.ts" },
  },
  {
    name: "a private key is read only without prefixes",
    file: "src/text/redact/blocks.ts",
    symbol: "LONGEST_GAP",
    swap: ["300", "20"],
    by: { test: "test/text/redact.test.ts", rule: "XC11" },
  },
  {
    name: "a token behind an escaped letter is none",
    file: "src/text/redact/shapes.ts",
    symbol: "escaped",
    swap: ["if (before(2) === BACKSLASH && LETTERS[last] !== 0) return LETTERS[last];", ""],
    by: { test: "test/text/redact.test.ts", rule: "XC10" },
  },
  {
    name: "the end of an output is cut before the mask",
    file: "src/adapters/process/byte-tail.ts",
    symbol: "createByteTail",
    swap: ["mask === undefined ? chunk : mask.push(chunk)", "chunk"],
    by: { test: "test/adapters/masked-tails.test.ts", rule: "E43" },
  },
  {
    name: "both streams of a check have one mask",
    file: "src/adapters/process/run-shell-command.ts",
    symbol: "runShellCommand",
    swap: [
      "lines[stream].push(masks[stream]?.push(chunk) ?? chunk);",
      "lines[stream].push(masks.stdout?.push(chunk) ?? chunk);",
    ],
    by: { test: "test/adapters/masked-tails.test.ts", rule: "E43" },
  },
  {
    name: "a list of bytes hides the one that begins within its first number",
    file: "src/text/redact/shapes.ts",
    symbol: "createShapes",
    swap: ["finder.beginWithin?.(start, mark.text, before);", ";"],
    by: { test: "test/text/redact.test.ts", rule: "XC6" },
  },
  {
    name: "a number that a list may begin with is passed on",
    file: "src/text/redact/literals.ts",
    symbol: "createReading",
    swap: ["return digits > 0 ? from : undefined;", "return undefined;"],
    by: { test: "test/text/redact-streams.test.ts", rule: "XC3" },
  },
  {
    name: "a character that an escape stands for is taken for the end of what has begun",
    file: "src/text/redact/lookahead.ts",
    symbol: "createLookahead",
    swap: ["if (from < 0 || goesOn(from, next)", "if (from < 0"],
    by: { test: "test/text/redact.test.ts", rule: "XC6" },
  },
  {
    name: "an escaped quote ends a value of .env",
    file: "src/host/project/dotenv.ts",
    symbol: "quoted",
    swap: ['escapes && text[at] === "\\\\"', "false"],
    by: { test: "test/cli/safety/secrets.test.ts", rule: "E59" },
  },
  {
    name: "what is held back of a stream changes with the memory that it came in",
    file: "src/text/redact/spans.ts",
    symbol: "createSpans",
    swap: ["new Uint8Array(bytes.subarray(until - base))", "bytes.slice(until - base)"],
    by: { test: "test/text/redact-streams.test.ts", rule: "XC9" },
  },
];
