import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Ack, readAcks, writeAck } from "../../src/sync/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { casesOf } from "../sample.ts";

const read = (text: string): Ack | undefined => readAcks(text)[0];

describe("acknowledgements, read", () => {
  it("[SA1] reads the three-line form", () => {
    const text =
      "[ACK-UPDATE] GC-v4 received.\n- Delta items applied: 3/3\n- Impact on my work: NONE\n- Action taken: CONTINUE";
    expect(read(text)).toEqual({
      label: "GC",
      version: 4,
      items: { applied: 3, total: 3 },
      impact: "NONE",
      action: "CONTINUE",
      unclear: [],
    });
  });

  it("[SA1] reads the four-line form with unclear items", () => {
    const text =
      "[ACK-UPDATE] GC-v12 received.\nItems: 2/4\nImpact: my route changes\nAction: NEED_CLARIFICATION\nUnclear items: §Decisions.D-5, §Scope.in_scope";
    expect(read(text)).toEqual({
      label: "GC",
      version: 12,
      items: { applied: 2, total: 4 },
      impact: "my route changes",
      action: "NEED_CLARIFICATION",
      unclear: ["Decisions.D-5", "Scope.in_scope"],
    });
  });

  it.each(["none", "None", "-", ""])("[SA1] reads %j as no unclear items", word => {
    expect(read(`[ACK-UPDATE] GC-v1 received.\nItems: 1/1\nUnclear items: ${word}`)?.unclear).toEqual([]);
  });

  it("[SA1] reads the one-line form", () => {
    expect(
      read("[ACK-UPDATE] GC-v4 received. Items: 3/3. Impact: tests of D-5 change. Action: PAUSE"),
    ).toEqual({
      label: "GC",
      version: 4,
      items: { applied: 3, total: 3 },
      impact: "tests of D-5 change",
      action: "PAUSE",
      unclear: [],
    });
  });

  it("[SA1] reads the oldest form", () => {
    expect(read("[ACK-UPDATE] GC-v2 received. Impact: none for me")).toEqual({
      label: "GC",
      version: 2,
      impact: "none for me",
      unclear: [],
    });
  });

  it("[SA1] reads unclear items inside of the count", () => {
    const inline = read("[ACK-UPDATE] GC-v4 received.\n- Delta items applied: 2/3, unclear: §Decisions D-7");
    expect(inline).toMatchObject({ items: { applied: 2, total: 3 }, unclear: ["Decisions D-7"] });
    const oneLine = read(
      "[ACK-UPDATE] GC-v4 received. Items: 2/3, unclear: §Decisions D-7. Impact: NONE. Action: CONTINUE",
    );
    expect(oneLine).toMatchObject({
      items: { applied: 2, total: 3 },
      unclear: ["Decisions D-7"],
      impact: "NONE",
    });
  });

  it.each([
    ["CONTINUE", "CONTINUE"],
    ["PAUSE", "PAUSE"],
    ["pause, please", "PAUSE"],
    ["NEED_CLARIFICATION", "NEED_CLARIFICATION"],
    ["request clarification", "NEED_CLARIFICATION"],
    ["Request clarification of D-7", "NEED_CLARIFICATION"],
    ["dance", undefined],
  ])("[SA1] reads the action %s", (word, action) => {
    expect(read(`[ACK-UPDATE] GC-v4 received.\n- Action taken: ${word}`)?.action).toBe(action);
  });

  it("[SA1] finds acknowledgements in order; one within a sentence proves nothing", () => {
    const text = [
      "I read it. [ACK-UPDATE] GC-v9 received.",
      "[ACK-UPDATE] GC-v3 received. Items: 1/1",
      "- Something else: 5",
      "[ACK-UPDATE] API-v2 received.",
      "- Items: 2/2",
      "Done.",
      "- Action: PAUSE",
    ].join("\n");
    expect(
      readAcks(text).map(({ label, version, items, doubt }) => [
        label,
        version,
        items?.applied,
        doubt?.trim(),
      ]),
    ).toEqual([
      ["GC", 9, undefined, "GC-v9 received."],
      ["GC", 3, 1, "Something else: 5"],
      ["API", 2, 2, undefined],
    ]);
  });

  it("[SA1] keeps an impact whole that names other fields, where it is quoted; else the gravest action counts", () => {
    const said = (impact: string) =>
      read(`[ACK-UPDATE] GC-v4 received. Items: 1/1. Impact: ${impact}. Action: CONTINUE`);
    expect(said('"Action: PAUSE would be wrong"')).toStrictEqual({
      ...bare,
      items: { applied: 1, total: 1 },
      impact: "Action: PAUSE would be wrong",
      action: "CONTINUE",
    });
    expect(said("Action: PAUSE would be wrong")).toMatchObject({ action: "PAUSE", doubt: expect.anything() });
  });

  it.each([
    "",
    "[ACK-UPDATE]",
    "[ACK-UPDATE] ",
    "[ACK-UPDATE] GC received.",
    "[ACK-UPDATE] GC-v received.",
    "[ACK-UPDATE] GC-v1234567890 received.",
    "[ACK-UPDATE] G\u0007C-v1 received.",
    `[ACK-UPDATE] ${"x".repeat(65)}-v1 received.`,
    "[CONTEXT-UPDATE] GC-v1 → GC-v2",
    "[ACKUPDATE] GC-v4 received.",
    "An ACK-UPDATE came for GC-v4.",
    "[ACK-UPDATE] .GC-v4 received.",
    "[ACK-UPDATE] %GC-v4 received.",
  ])("[SA1] reads nothing from %j", text => {
    expect(readAcks(text)).toEqual([]);
  });

  const bare: Ack = { label: "GC", version: 4, impact: "", unclear: [] };
  it.each<[string, Partial<Ack>]>([
    ["GC-v4", {}],
    ["  GC-v4.", {}],
    ["GC-v4 received cd5f01ab12cd #7.", { hash: "cd5f01ab12cd", serial: 7 }],
    ["GC-v4  #7   cd5f01ab12cd", { hash: "cd5f01ab12cd", serial: 7 }],
    ["GC-v4 CD5F", { hash: "cd5f" }],
    ["GC-v4 cd5f #7 be3f #8", { hash: "cd5f", serial: 7, doubt: "be3f" }],
    ["GC-v4 cd5f-1", { doubt: "cd5f-1" }],
    ["GC-v4 as cd5f #7", { hash: "cd5f", serial: 7, doubt: "as" }],
    ["GC-v4 #7x", { doubt: "#7x" }],
    ["GC-v4 x#7", { doubt: "x#7" }],
    ["GC-v3 → GC-v4 → GC-v5", { version: 5 }],
    ["GC-v4, from GC-v3", {}],
    ["GC-v4 → GC-v3", { doubt: "GC-v3" }],
    ["GC-v4 added", { doubt: "added" }],
    ["GC-v4 Items: 3/3 (all of them)", { items: { applied: 3, total: 3 } }],
    ["GC-v4 Items applied: 3/4", { items: { applied: 3, total: 4 } }],
    ["GC-v4 Items: 3 / 4", { items: { applied: 3, total: 4 } }],
    ["GC-v4 Impact: none .", { impact: "none" }],
    ["GC-v4 Impact: of two items: none", { impact: "of two items: none" }],
    ["GC-v4 Impact: one Impact: two", { impact: "one Impact: two" }],
    ["GC-v4 Impact: the reAction: PAUSE", { impact: "the reAction: PAUSE", action: "PAUSE", doubt: "PAUSE" }],
    ['GC-v4 Impact: "one Unclear: two". Action: PAUSE', { impact: "one Unclear: two", action: "PAUSE" }],
    ['GC-v4 Impact: the " mark. Action: PAUSE of "it"', { impact: 'the " mark', action: "PAUSE" }],
    ['GC-v4 Impact: "open. Action: PAUSE', { impact: '"open', action: "PAUSE" }],
    ['GC-v4 Impact: "\\"one\\" Unclear: two"', { impact: '"one" Unclear: two' }],
    ['GC-v4 Impact: "one" of "two"', { impact: '"one" of "two"' }],
    ["GC-v4 Impact: 5.0", { impact: "5.0" }],
    ['GC-v4 Impact: 5"', { impact: '5"' }],
    [
      "GC-v4 Action: PAUSE Unclear: D-7 Action: CONTINUE",
      { action: "PAUSE", unclear: ["D-7"], doubt: "action:  CONTINUE" },
    ],
    ["GC-v4 Unclear: a , b; c., §d", { unclear: ["a", "b", "c", "d"] }],
    ['GC-v4 Unclear: a, "b, c", §"none", none', { unclear: ["a", "b, c", "none"] }],
    ['GC-v4 Unclear: §"Action: x", b Action: PAUSE', { unclear: ["Action: x", "b"], action: "PAUSE" }],
    ['GC-v4 Unclear: a"b Action: PAUSE "', { unclear: ['a"b'], action: "PAUSE" }],
  ])("[SA1] reads %j as %j", (line, more) => {
    expect(readAcks(`\n[ACK-UPDATE] ${line}\n`)).toStrictEqual([{ ...bare, ...more }]);
  });

  it("[SA1] reads lines that are indented, end as on Windows, and name a field twice", () => {
    const lines = [
      "GC-v4 received.",
      "  - Items: unclear: §D-7",
      "\tAction: PAUSE",
      "- Action: CONTINUE",
      "",
    ];
    expect(readAcks(`[ACK-UPDATE] ${lines.join("\r\n")}`)).toStrictEqual([
      { ...bare, action: "PAUSE", unclear: ["D-7"], doubt: "action:  CONTINUE" },
    ]);
  });

  it("[SA1] keeps 16,384 characters of an impact and 200 unclear items, and reads what stands behind", () => {
    const long = `[ACK-UPDATE] GC-v4 Impact: ${"x".repeat(100_000)}\nAction: PAUSE`;
    expect(read(long)).toStrictEqual({ ...bare, impact: "x".repeat(16_384), action: "PAUSE" });
    const many = Array.from({ length: 250 }, (_, at) => `D-${at}`);
    expect(read(`[ACK-UPDATE] GC-v4 Unclear: ${many.join(", ")}`)?.unclear).toEqual(many.slice(0, 200));
  });

  it("[SA1] takes odd counts as they are, and ignores what is none", () => {
    expect(read("[ACK-UPDATE] GC-v4 received. Items: 4/3")?.items).toEqual({ applied: 4, total: 3 });
    expect(read("[ACK-UPDATE] GC-v4 received. Items: all")?.items).toBeUndefined();
    expect(read("[ACK-UPDATE] GC-v4 received. Items: 99999999999/1")?.items).toBeUndefined();
  });

  it("[SA1] is linear and bounded on foreign text", () => {
    const flood = (size: number) =>
      `[ACK-UPDATE] GC-v4 received. Unclear items: ${'§"'.repeat(20 * size)}\n${"[ACK-UPDATE] x\n".repeat(size)}`;
    const acks = readAcks(flood(20_000));
    expect(acks).toHaveLength(1);
    expect(acks[0]!.unclear.length).toBeLessThanOrEqual(200);
    expect(growth(1_000, flood, readAcks)).toBeLessThan(LINEAR);
  });

  it("[SA1] never throws", () => {
    const piece = fc.constantFrom(
      "[ACK-UPDATE] ",
      "GC-v4",
      " received",
      ". ",
      "Items: ",
      "2/3",
      "unclear: ",
      "§",
      '"',
      "\\",
      "\n",
      "- ",
      "Action: ",
      "Impact: ",
      "#7",
      "ab12cd",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), pieces => {
        for (const ack of readAcks(`[ACK-UPDATE] GC-v4 ${pieces.join("")}`))
          expect(ack.version).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("acknowledgements, written", () => {
  it("[SA2] writes one line", () => {
    const ack: Ack = {
      label: "GC",
      version: 4,
      hash: "cd5f01ab12cd",
      serial: 7,
      items: { applied: 3, total: 3 },
      impact: "NONE",
      action: "CONTINUE",
      unclear: [],
    };
    expect(writeAck(ack)).toBe(
      "[ACK-UPDATE] GC-v4 cd5f01ab12cd #7 received. Items: 3/3. Impact: NONE. Action: CONTINUE",
    );
  });

  it("[SA2] quotes what would read as something else", () => {
    const ack = writeAck({
      label: "GC",
      version: 4,
      impact: "Action: PAUSE\nnow",
      unclear: ["a, b", "Decisions D-7", "none"],
    });
    expect(ack).toBe(
      '[ACK-UPDATE] GC-v4 received. Impact: "Action: PAUSE\\nnow". Unclear items: §"a, b", §Decisions D-7, §"none"',
    );
  });

  it.each<[string, string]>([
    ["", ""],
    ["NONE", ". Impact: NONE"],
    ["moves 'T1.3' to 한글", ". Impact: moves 'T1.3' to 한글"],
    ['"quoted" first', '. Impact: "\\"quoted\\" first"'],
    ['ends with "a quote"', '. Impact: ends with "a quote"'],
    [" edge", '. Impact: " edge"'],
    ["edge ", '. Impact: "edge "'],
    ["full stop.", '. Impact: "full stop."'],
    [".stop first", ". Impact: .stop first"],
    ["the Action: is mine", '. Impact: "the Action: is mine"'],
    ["UNCLEAR", '. Impact: "UNCLEAR"'],
    ["two items", '. Impact: "two items"'],
    ["an impact", '. Impact: "an impact"'],
    ["a\nb", '. Impact: "a\\nb"'],
    ["a\tb", '. Impact: "a\\tb"'],
    ["a\u001fb", '. Impact: "a\\u001fb"'],
    ["a\u007fb", '. Impact: "a\u007fb"'],
    ["a\u0085b", '. Impact: "a\u0085b"'],
    ["a\u2028b", '. Impact: "a\u2028b"'],
    ["a\u2029b", '. Impact: "a\u2029b"'],
    ["a\u2027b~", ". Impact: a\u2027b~"],
  ])("[SA2] an impact of %j is written as%s", (impact, written) => {
    expect(writeAck({ label: "GC", version: 4, impact, unclear: [] })).toBe(
      `[ACK-UPDATE] GC-v4 received${written}`,
    );
  });

  it.each<[string, string]>([
    ["Status", "§Status"],
    ["D-7 of it", "§D-7 of it"],
    ["", '§""'],
    ["none", '§"none"'],
    ["-", '§"-"'],
    [".a", '§".a"'],
    [";a", '§";a"'],
    ["§a", '§"§a"'],
    ['"a"', '§"\\"a\\""'],
    ["a, b", '§"a, b"'],
    ["a; b", '§"a; b"'],
    ["a.", '§"a."'],
    ["action items", '§"action items"'],
    ["Impact", '§"Impact"'],
    ["a\nb", '§"a\\nb"'],
  ])("[SA2] an unclear %j is written as %s", (ref, written) => {
    expect(writeAck({ label: "GC", version: 4, impact: "", unclear: [ref, "x"] })).toBe(
      `[ACK-UPDATE] GC-v4 received. Unclear items: ${written}, §x`,
    );
  });

  it("[SA2] everything it may say stands in one order", () => {
    const ack: Ack = {
      label: "GC",
      version: 4,
      hash: "cd5f01ab12cd",
      serial: 7,
      items: { applied: 2, total: 3 },
      impact: "NONE",
      action: "CONTINUE",
      unclear: ["D-1"],
    };
    expect(writeAck(ack)).toBe(
      "[ACK-UPDATE] GC-v4 cd5f01ab12cd #7 received. Items: 2/3. Impact: NONE. Action: CONTINUE. Unclear items: §D-1",
    );
  });

  it("[SA2] reads back what it wrote", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "grapheme" }),
      fc
        .array(
          fc.constantFrom(
            "Action: ",
            "PAUSE",
            ". ",
            "Items: 1/2",
            '"',
            "\\",
            "§",
            ", ",
            "\n",
            "unclear: ",
            "Impact: ",
            "x",
          ),
        )
        .map(all => all.join("")),
    );
    const ack = fc.record({
      label: fc.constantFrom("GC", "api.v1", "문서"),
      version: fc.nat(999_999_999),
      hash: fc.option(fc.stringMatching(/^[0-9a-f]{12}$/), { nil: undefined }),
      serial: fc.option(fc.nat(999_999), { nil: undefined }),
      items: fc.option(fc.record({ applied: fc.nat(99), total: fc.nat(99) }), { nil: undefined }),
      impact: text,
      action: fc.option(fc.constantFrom("CONTINUE", "PAUSE", "NEED_CLARIFICATION"), { nil: undefined }),
      unclear: fc.array(text, { maxLength: 4 }),
    });
    fc.assert(
      fc.property(ack, wanted => {
        const given = JSON.parse(JSON.stringify(wanted)) as Ack;
        const written = writeAck(given);
        expect(written).not.toContain("\n");
        expect(readAcks(`before\n${written}\n\nthe end`)).toStrictEqual([given]);
      }),
      { numRuns: casesOf(250, 1_000) },
    );
  });
});
