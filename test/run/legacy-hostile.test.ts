import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLegacyState } from "../../src/run/legacy-state.ts";
import { growth, LINEAR } from "../growth.ts";
import { casesOf } from "../sample.ts";
import { read, statuses, thin } from "./legacy-fixtures.ts";

const failure = (json: unknown): string => {
  const result = readLegacyState(json);
  return result.ok ? "no failure" : result.failure.kind;
};

describe("hostile and broken content", () => {
  it("[LS10] leaves out what is no id, naming the place", () => {
    const state = read({
      completed: ["", "  ", "a\u0000b", "\u001b[31m", "x".repeat(201), null, true, [], {}, 1.5, " T1 "],
    });
    expect(statuses(state)).toEqual({ T1: "completed" });
    expect(state.warnings).toHaveLength(10);
    expect(state.warnings[0]).toBe("completed[0]: not a task id");
  });

  it("[LS10] keeps ids that are names of JavaScript's own", () => {
    const ids = ["constructor", "prototype", "toString", "hasOwnProperty", "valueOf"];
    const state = read({ completed: ids, retry_counts: { constructor: 2, toString: 3 } });
    expect([...state.tasks.keys()]).toEqual(ids);
    expect(state.tasks.get("constructor")).toEqual({ status: "completed", retries: 2 });
    expect(state.tasks.get("toString")?.retries).toBe(3);
  });

  it("[LS10] keeps an id `__proto__` that a list names as text", () => {
    expect(read('{"completed":["__proto__"]}').tasks.get("__proto__")?.status).toBe("completed");
  });

  it("[LS11] ignores keys `__proto__` wherever they stand, and names them", () => {
    const state = read(
      `{"__proto__":{"status":"completed"},"completed":["A"],
        "tasks":{"__proto__":{"status":"completed"},"failed":{"__proto__":{}}},"retry_counts":{"__proto__":9}}`,
    );
    expect(statuses(state)).toEqual({ A: "completed" });
    expect(state.warnings.filter(text => text.includes("__proto__")).length).toBeGreaterThanOrEqual(4);
    expect(({} as Record<string, unknown>)["status"]).toBeUndefined();
  });

  it("[LS12] refuses what is no state of this kind", () => {
    for (const text of ["", "{", "null,", "<html></html>", '{"a":1', "<<<<<<< HEAD\n{}", "\u0000\u0000"]) {
      expect(failure(text)).toBe("not-json");
    }
    const none = [
      null,
      undefined,
      true,
      7,
      "null",
      "[]",
      "7",
      '"x"',
      [],
      {},
      { project: "shop" },
      { schema_version: 2 },
    ];
    for (const value of none)
      expect(failure(value)).toBe(value === undefined ? "unknown-shape" : "unknown-shape");
    for (const version of ["3.0", "3", 3, "4.1", 99, "10.0"]) {
      expect(failure({ version, completed: ["A"] })).toBe("version");
    }
  });

  it("[LS12] reads versions below 3 and texts that are no version", () => {
    for (const version of ["1.0", "1.0.0", "2.0", 2, "0.2.0", "draft", null, {}, undefined]) {
      expect(failure({ version, completed: ["A"] })).toBe("no failure");
    }
  });

  it("[LS12] truncated at any length it is refused, never half-read", () => {
    const text = JSON.stringify(thin);
    for (let length = 0; length < text.length; length++)
      expect(failure(text.slice(0, length))).toBe("not-json");
  });

  it("[LS13] never throws and never changes what it is given", () => {
    const keys = fc.constantFrom(
      "version",
      "project",
      "tasks",
      "completed",
      "completed_tasks",
      "failedTasks",
      "in_progress",
      "retry_counts",
      "current_phase",
      "execution",
      "completed_phases",
      "id",
      "status",
      "__proto__",
      "T1.1",
    );
    const { tree } = fc.letrec(tie => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.anything(),
        fc.string(),
        fc.array(tie("tree"), { maxLength: 4 }),
        fc.dictionary(keys, tie("tree"), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(fc.oneof(tree, fc.dictionary(keys, tree)), value => {
        const before = fc.stringify(value);
        const result = readLegacyState(value);
        expect(fc.stringify(value)).toBe(before);
        const ids = result.ok ? [...result.value.tasks.keys()] : [];
        expect(ids.every(id => id === id.trim() && id.length > 0 && id.length <= 200)).toBe(true);
      }),
      { numRuns: casesOf(125, 500) },
    );
  });

  it("[LS13] any assignment of ids to lists comes back as it was", () => {
    const lists = ["pending", "ready", "completed", "failed", "blocked"] as const;
    const id = fc.stringMatching(/^[A-Z][0-9]{1,3}(?:\.[0-9]{1,2}){0,2}$/);
    fc.assert(
      fc.property(
        fc.dictionary(id, fc.record({ list: fc.constantFrom(...lists), retries: fc.nat(20) })),
        given => {
          const tasks = Object.fromEntries(
            lists.map(list => [list, Object.keys(given).filter(key => given[key]?.list === list)]),
          );
          const retry_counts = Object.fromEntries(
            Object.entries(given).map(([key, { retries }]) => [key, retries]),
          );
          const state = read(JSON.stringify({ version: "2.0", tasks, retry_counts }));
          const expected = Object.entries(given).map(([key, { list, retries }]) => [
            key,
            { status: list, retries },
          ]);
          expect(Object.fromEntries(state.tasks)).toEqual(Object.fromEntries(expected));
          expect(state.warnings).toEqual([]);
        },
      ),
    );
  });

  it("[LS13] takes linear time, also for deep nesting", () => {
    const listed = (size: number) => {
      const many = Array.from({ length: size }, (_, index) => `T${index}`);
      return { tasks: { completed: many, failed: many } };
    };
    const nested = (size: number) => `${"[".repeat(size)}${"]".repeat(size)}`;
    const inList = (size: number) => `{"completed":[${nested(size)}]}`;
    expect(read(listed(100_000)).tasks.size).toBe(100_000);
    expect(failure(nested(100_000))).toBe("unknown-shape");
    expect(read(inList(5000)).warnings).toHaveLength(1);
    expect(growth(5000, listed, read)).toBeLessThan(LINEAR);
    expect(growth(25_000, nested, failure)).toBeLessThan(LINEAR);
    expect(growth(1250, inList, read)).toBeLessThan(LINEAR);
  });

  it("[LS14] lists fifty warnings and counts the rest, none of them long", () => {
    const state = read({
      completed: Array.from({ length: 1000 }, () => ""),
      [`failed`]: { [" ".repeat(9000)]: 1 },
    });
    expect(state.warnings).toHaveLength(51);
    expect(state.warnings.at(-1)).toBe("and 951 more");
    for (const text of state.warnings) expect(text.length).toBeLessThanOrEqual(300);
  });
});
