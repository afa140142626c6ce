import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLocator, type Json, parseJson } from "../../src/plan/syntax/json-text.ts";
import { toldText } from "../../src/text/index.ts";
import { errors, read } from "./reading.ts";

/** A parsed value as JSON.parse gives it. */
function plain(value: Json): unknown {
  switch (value.kind) {
    case "object": {
      const out: Record<string, unknown> = Object.create(null);
      for (const [name, member] of value.members) out[name] = plain(member);
      return out;
    }
    case "array":
      return value.items.map(plain);
    case "number":
      return Number(value.value);
    case "string":
    case "literal":
      return value.value;
  }
}

/** JSON.parse with objects that have no prototype, or undefined. */
function parsed(text: string): { value: unknown } | undefined {
  try {
    const value = JSON.parse(text, (_, inner) =>
      inner !== null && typeof inner === "object" && !Array.isArray(inner)
        ? Object.assign(Object.create(null), Object.fromEntries(Object.entries(inner)))
        : inner,
    );
    return { value };
  } catch {
    return undefined;
  }
}

describe("JSON with places", () => {
  it("[L46] reads what JSON.parse reads, alike", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 1, 2), (text, space) => {
        const source = JSON.stringify(JSON.parse(text), null, space);
        if (source.includes("__proto__")) return;
        const found = parseJson(source);
        expect(found.ok && JSON.stringify(plain(found.value))).toBe(JSON.stringify(JSON.parse(source)));
      }),
      { numRuns: 500 },
    );
  });

  it("[L46] accepts and refuses as JSON.parse does", () => {
    const unit = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"',
      "1",
      "-",
      "0",
      ".",
      "e",
      "+",
      "true",
      "null",
      "false",
      " ",
      "\n",
      "\\",
      "\\u00e9",
      "x",
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 10 }), parts => {
        const text = parts.join("");
        expect(parseJson(text).ok).toBe(parsed(text) !== undefined);
      }),
      { numRuns: 5000 },
    );
  });

  it.each([
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ["[1 2]", 3],
    ["[1,]", 3],
    ["{a:1}", 1],
    ['"open', 0],
    ['["a\nb"]', 3],
    ['["\\x"]', 3],
    ['["\\u00g0"]', 3],
    ["[01]", 3],
    ["[1.]", 3],
    ["[-]", 2],
    ["[1e]", 3],
    ["tru", 0],
    ["", 0],
    ["[", 1],
    ["{} {}", 3],
    ["]", 0],
    ['{"a":}', 5],
  ])("[L46] %j fails at %i", (text, at) => {
    const found = parseJson(text);
    expect(found).toMatchObject({ ok: false, problem: { at } });
    expect(!found.ok && toldText(found.problem.message)).toMatch(/./);
  });

  it("[L46] knows where each value begins and ends", () => {
    const text = ' { "a" : [ 1 , "b" ] }';
    const found = parseJson(text);
    if (!found.ok || found.value.kind !== "object") throw new Error("no object");
    const list = found.value.members.get("a")!;
    expect(text.slice(found.value.at, found.value.end)).toBe('{ "a" : [ 1 , "b" ] }');
    expect(text.slice(list.at, list.end)).toBe('[ 1 , "b" ]');
    expect(list.kind === "array" && list.items.map(item => text.slice(item.at, item.end))).toEqual([
      "1",
      '"b"',
    ]);
  });

  it("[L46] nests deeply without recursion, to a limit", () => {
    expect(parseJson("[".repeat(9999) + "]".repeat(9999)).ok).toBe(true);
    const deep = parseJson("[".repeat(100_000));
    expect(!deep.ok && toldText(deep.problem.message)).toBe("nested deeper than 10000");
  });

  it("[L46] the last of two members with one name counts, as everywhere", () => {
    const found = parseJson('{"a":1,"a":2}');
    expect(found.ok && plain(found.value)).toEqual(parsed('{"a":2}')!.value);
  });

  it("[L46] tells line and column of any offset, in any order", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "\n", "가") }),
        fc.array(fc.nat(30), { maxLength: 8 }),
        (text, offsets) => {
          const locate = createLocator(text);
          for (const offset of offsets.filter(value => value <= text.length)) {
            const before = text.slice(0, offset).split("\n");
            expect(locate(offset)).toEqual({ line: before.length, column: before.at(-1)!.length + 1 });
          }
        },
      ),
    );
  });

  it("[L46] bad JSON is an error with its place", () => {
    const reading = read('{\n  "tasks": [\n    {"id": 1,}\n  ]\n}\n', "tasks.json");
    expect(reading.diagnostics).toMatchObject([{ code: "BAD_JSON", severity: "error", line: 3, column: 14 }]);
    expect(reading.plan.tasks).toEqual([]);
  });

  it.each([
    "{}",
    "[]",
    '"x"',
    "1",
    "null",
    '{"tasks":{}}',
    '{"tasks":"x"}',
    '{"a":{"b":1}}',
    '{"tasks":null}',
  ])("[L46] %s holds no task list", text => {
    expect(errors(read(text, "tasks.json"))).toEqual(["NO_TASK_LIST"]);
  });

  it("[L6] merge markers in JSON are named", () => {
    const reading = read('{\n<<<<<<< HEAD\n"tasks": []\n=======\n', "tasks.json");
    expect(reading.diagnostics).toMatchObject([{ code: "CONFLICT_MARKERS", line: 2, column: 1 }]);
  });

  it("[L6] an empty list is no plan", () => {
    expect(errors(read('{"tasks":[]}', "tasks.json"))).toEqual(["TASKS_EMPTY"]);
  });
});
