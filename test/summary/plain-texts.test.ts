import { describe, expect, it } from "vitest";
import { readSource, summarize } from "../../src/summary/index.ts";
import { extract, kindsOf, piecesIn } from "./extract.ts";

/** What each piece stands under, innermost last. */
function pathOf(text: string, words: string): readonly string[] {
  const pieces = piecesIn(text);
  const path: string[] = [];
  let at = pieces.find(piece => piece.text.includes(words))?.under ?? -1;
  for (; at >= 0; at = pieces[at]!.under) path.unshift(pieces[at]!.text.trim());
  return path;
}

const LONG = "- Use the adapter of the queue, because it handled 182 requests per second in the test\n";

describe("labels right behind a list", () => {
  it.each([
    ["Never do:", "Never do:"],
    ["**Rejected:**", "Rejected:"],
    ["**Rejected**", "Rejected"],
    ["must_not:", "must_not:"],
    ["금지:", "금지:"],
  ])("[UX58] %s opens what follows, however long the item above it is", (label, told) => {
    const text = `Do:\n${LONG.repeat(2)}${label}\n- write to the old cluster\n`;
    expect(pathOf(text, "old cluster")).toEqual([told]);
    expect(extract(`${text}${"- more of it, in other words\n".repeat(40)}`, 60).text).not.toMatch(
      /Do:\n(?:- Use.*\n)*- write/,
    );
  });

  it("[UX58] at the mark of a nested item, too", () => {
    const text = `- Level one\n  ${LONG}  Never:\n  - call it from the main thread\n`;
    expect(pathOf(text, "main thread")).toEqual(["- Level one", "Never:"]);
  });

  it.each([
    "- We never use the\nfollowing:\n",
    "- 작업자는 다음 규칙을 지키고, 관리자가 따로 정한 예외가 없는 한 아래에 적어 둔 나머지 규칙들도 모두 빠짐없이 반드시 지켜야만\n한다:\n",
  ])("[UX58] what goes on the item is none: %j", item => expect(kindsOf(item)).toHaveLength(1));
});

describe("logs", () => {
  const line = (at: number) =>
    `2026-11-30T10:${10 + (at % 50)}:00Z INFO  [worker-${at % 7}] processed batch ${at} in ${at % 90} ms (items=${at})`;
  const LOG = Array.from({ length: 300 }, (_, at) => line(at));

  it("[UX59] have one statement a line, and the odd one is told", () => {
    const odd =
      "2026-11-30T10:10:11Z ERROR [worker-2] payment double-charged for order 8812\n    at charge (src/pay.ts:88)";
    const text = LOG.with(211, odd).join("\n");
    expect(piecesIn(text).filter(({ kind }) => kind !== "part")).toHaveLength(300);
    expect(extract(text, 300).text).toContain(
      "ERROR [worker-2] payment double-charged for order 8812 at charge (src/pay.ts:88)",
    );
  });

  it("[UX59] of tests and compilers: the one that failed is told", () => {
    const tests = Array.from(
      { length: 120 },
      (_, at) => ` ✓ test/module-${at}/behaviour-of-the-thing.test.ts (${at} tests) ${at} ms`,
    );
    tests.push(" ✗ test/pay/charge.test.ts (12 tests | 1 failed) 88 ms");
    expect(extract(tests.join("\n"), 300).text).toContain("✗ test/pay/charge.test.ts (12 tests | 1 failed)");
    const cases = Array.from(
      { length: 120 },
      (_, at) => `test/test_${at}.py::test_with_a_rather_long_name_${at} PASSED   [ ${at}%]`,
    );
    cases.push("test/test_pay.py::test_charge_is_idempotent FAILED   [ 99%]");
    expect(extract(cases.join("\n"), 300).text).toContain("test_charge_is_idempotent FAILED");
  });

  it("[UX59] prose with a path in it is none", () => {
    const prose =
      "The exporter in src/a.ts writes its pages of rows through one cursor held\nopen for the whole of the job and\nsrc/b.ts closes it behind\nthe last row of all that it has written to the disk by then.\n";
    expect(kindsOf(prose)).toHaveLength(1);
  });
});

describe("YAML without marks", () => {
  const options = Array.from(
    { length: 60 },
    (_, at) =>
      `  - name: option-${at}\n    why: slow in test ${at}\n    limits:\n      rps: ${at}\n      never_for: billing-${at}\n`,
  ).join("");
  const YAML = `decision: keep PostgreSQL\nreason: the team knows it\nrejected:\n${options}open:\n  - who migrates it\nmust_not:\n  - write to the old cluster\n`;

  it.each([
    ["bare", YAML],
    ["in a fence", `\`\`\`yaml\n${YAML}\`\`\`\n`],
  ])("[UX60] %s: each line stands under its keys", (_, text) => {
    expect(pathOf(text, "old cluster")).toEqual(["must_not:"]);
    expect(pathOf(text, "billing-7")).toEqual(["rejected:", "- name: option-7", "limits:"]);
    for (const level of [2, 3] as const) {
      const { text: told } = summarize(readSource(text, "a"), level);
      expect(told).not.toMatch(/^(?!must_not:\n).*\n *- write to the old cluster/m);
      expect(told).toContain("must_not:\n  - write to the old cluster");
    }
  });

  it("[UX60] keys below a list item stand under the key alone that they are indented further than", () => {
    const text = "# Plan\n\n- name: a\n  forbidden:\n    path: /etc\n  allowed: /srv\n";
    expect(pathOf(text, "path: /etc")).toEqual(["# Plan", "- name: a", "forbidden:"]);
    expect(pathOf(text, "allowed")).toEqual(["# Plan", "- name: a"]);
  });

  it("[UX60] labels of prose are none", () => {
    expect(
      kindsOf("Goal: less waiting\nDecision: one queue. It is enough.\nNext: try it\n- soon\n"),
    ).toContain("sentence: It is enough.");
  });
});

describe("JSON", () => {
  const findings = Array.from({ length: 120 }, (_, at) => ({
    file: `src/mod${at}.ts`,
    severity: "nit",
    message: `Rename x${at} in "{mod${at}}", [so] that it says: what`,
  }));
  const grave = {
    file: "src/auth.ts",
    severity: "critical",
    message: "Never ship before logout ends the session",
    seen: [],
  };
  const review = { verdict: "request_changes", findings: findings.with(70, grave) };
  const pretty = JSON.stringify(review, null, 2);

  it.each([
    ["printed", pretty],
    ["on one line", JSON.stringify(review)],
    ["in a fence", `\`\`\`json\n${pretty}\n\`\`\`\n`],
  ])(
    "[UX60] %s: each value stands under its keys, and the one that matters is told with its own",
    (_, text) => {
      expect(pathOf(text, "Never ship")).toEqual(['"findings": [', "{"]);
      const { text: told } = summarize(readSource(text, "a"), 3);
      expect(told).toMatch(
        /^ {2}\{\n {4}"file": "src\/auth.ts"\n(?: {4}"severity": "critical"\n)? {4}"message": "Never ship/m,
      );
    },
  );

  it("[UX60] says nothing that it does not: values stand as they are, brackets in strings are words", () => {
    const text = `{"n": 12345678901234567890.10, "a": {"b": "}],{", "empty": {}}, "list": [1, "two", [true, null]], "last": "\\"x\\""}`;
    expect(kindsOf(text)).toEqual([
      'line: "n": 12345678901234567890.10',
      'line: "a": {',
      'line:   "b": "}],{"',
      'line: "list": [',
      "line:   1",
      'line:   "two"',
      "line:   [",
      "line:     true",
      "line:     null",
      'line: "last": "\\"x\\""',
    ]);
    expect(kindsOf('{"a": 1, }')).toHaveLength(1);
    expect(kindsOf(`${"[".repeat(4000)}${"]".repeat(4000)}`)[0]).toMatch(/\[{40}/);
  });
});
