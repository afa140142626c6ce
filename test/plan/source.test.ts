import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../src/plan/index.ts";
import { createReport } from "../../src/plan/report.ts";
import { decodeExactly, decodeSource } from "../../src/plan/syntax/source.ts";
import { casesOf } from "../sample.ts";
import { codes, errors, ids, messages, read, task, withoutTexts } from "./reading.ts";

const LINES = [
  "# TASKS: Bakery site",
  "",
  "## Phase 0: Setup",
  "",
  "### [x] Phase 0, T0.1: Repository",
  "- **담당**: devops-specialist",
  "",
  "## Phase 1: Shop",
  "",
  "### [ ] Phase 1, T1.1: Cart",
  "- **담당**: backend-specialist",
  "- **의존**: T0.1",
  "```bash",
  "# not a heading",
  "```",
  "- [ ] total is right",
  "",
  "### [ ] Phase 1, T1.2: Checkout",
  "- **의존**: T1.1",
];

/** The sample with line endings chosen one by one. */
function joined(endings: readonly string[]): string {
  return LINES.map((line, index) => line + (endings[index % endings.length] ?? "\n")).join("");
}

function bytesOf(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}

describe("line endings and byte-order marks", () => {
  it("[L1] reads CRLF as it reads LF", () => {
    expect(withoutTexts(read(joined(["\r\n"])))).toEqual(withoutTexts(read(joined(["\n"]))));
  });

  it("[L1] reads lone CR as it reads LF", () => {
    expect(withoutTexts(read(joined(["\r"])))).toEqual(withoutTexts(read(joined(["\n"]))));
  });

  it("[L1] reads any mixture of endings alike", () => {
    const expected = withoutTexts(read(joined(["\n"])));
    const endings = fc.array(fc.constantFrom("\n", "\r\n", "\r"), { minLength: 1, maxLength: LINES.length });
    // A CR that is followed by an empty line's LF would be one CRLF: the sample's empty lines rule that out by design.
    const safe = endings.map(list => {
      const out: string[] = [];
      for (let i = 0; i < LINES.length; i++) {
        const wanted = list[i % list.length]!;
        const nextIsEmpty = LINES[i + 1] === "";
        out.push(wanted === "\r" && nextIsEmpty ? "\r\n" : wanted);
      }
      return out;
    });
    fc.assert(
      fc.property(safe, list => {
        expect(withoutTexts(read(joined(list)))).toEqual(expected);
      }),
      { numRuns: casesOf(50, 200) },
    );
  });

  it("[L1] accepts a byte-order mark and counts columns without it", () => {
    const plain = read("- [ ] T1: a\n- [ ] T2: b (depends on T9)\n");
    const marked = read("\uFEFF- [ ] T1: a\n- [ ] T2: b (depends on T9)\n");
    expect(ids(marked)).toEqual(["T1", "T2"]);
    expect(marked.diagnostics).toEqual(plain.diagnostics);
  });

  it("[L1] accepts a byte-order mark before front matter", () => {
    expect(read("\uFEFF---\nproject: Lighthouse\n---\n- [ ] T1: a\n").plan.project).toBe("Lighthouse");
  });

  it("[L1] accepts a byte-order mark before JSON", () => {
    const reading = read('\uFEFF{"tasks":[{"id":1,"title":"a"}]}', "tasks.json");
    expect(ids(reading)).toEqual(["1"]);
  });

  it("[L1] needs no newline at the end", () => {
    expect(task(read("- [ ] T1: a\n- [x] T2: last"), "T2")).toMatchObject({ title: "last", done: true });
  });

  it("[L1] gives every task the line of its head", () => {
    const reading = read(joined(["\r\n"]));
    expect(reading.plan.tasks.map(found => [found.id, found.line])).toEqual([
      ["T0.1", 5],
      ["T1.1", 10],
      ["T1.2", 18],
    ]);
  });

  it("[L1] counts columns in UTF-16 code units from 1", () => {
    const [finding] = read("- [ ] T1: 가😀 (depends on T9)\n").diagnostics;
    expect(finding).toMatchObject({ line: 1, column: "- [ ] T1: 가😀 (depends on ".length + 1 });
  });
});

describe("bytes that are no text", () => {
  const valid = new TextEncoder().encode("- [ ] T1: 가나다 😀\n");

  it.each([
    ["little endian with mark", bytesOf(0xff, 0xfe, 0x2d, 0x00)],
    ["big endian with mark", bytesOf(0xfe, 0xff, 0x00, 0x2d)],
    ["little endian without mark", new Uint8Array(Uint16Array.from(Buffer.from("- [ ] T1: a")).buffer)],
    ["big endian without mark", bytesOf(0, 0x2d, 0, 0x20, 0, 0x5b, 0, 0x20)],
  ])("[L2] refuses UTF-16: %s", (_, bytes) => {
    const reading = read(bytes);
    expect(errors(reading)).toEqual(["UTF16"]);
    expect(reading.plan.tasks).toEqual([]);
  });

  it("[L2] refuses a NUL byte and says where it stands", () => {
    const bytes = new TextEncoder().encode(
      "- [ ] T1: a\n- [ ] T2: b and a long line behind it so that UTF-16 is out\0\n",
    );
    expect(messages(read(bytes), "NOT_TEXT")).toEqual([
      `byte ${bytes.indexOf(0)} is NUL: this is not a text file`,
    ]);
  });

  it.each([
    ["a lone continuation byte", [0x80], 0],
    ["a cut three-byte sequence", [0x41, 0xea, 0xb0], 1],
    ["an overlong slash", [0xc0, 0xaf], 0],
    ["an overlong three-byte form", [0x41, 0x42, 0xe0, 0x80, 0xaf], 2],
    ["a surrogate", [0xed, 0xa0, 0x80], 0],
    ["beyond the last code point", [0x0a, 0xf4, 0x90, 0x80, 0x80], 1],
    ["an overlong four-byte form", [0xf0, 0x80, 0x80, 0x80], 0],
    ["a byte that begins nothing", [0x61, 0xff], 1],
    ["a lead followed by a letter", [0x61, 0x62, 0xc3, 0x28], 2],
  ])("[L2] refuses %s with its offset", (_, values, offset) => {
    const [message] = messages(read(Uint8Array.from(values)), "INVALID_UTF8");
    expect(message).toContain(`byte ${offset} (0x${values[offset]!.toString(16).padStart(2, "0")})`);
  });

  it("[L2] names the line of the first invalid byte", () => {
    const bytes = Uint8Array.from([...new TextEncoder().encode("one\ntwo\nthr"), 0xe9, 0x65]);
    expect(read(bytes).diagnostics).toMatchObject([{ code: "INVALID_UTF8", line: 3, column: 1 }]);
  });

  it("[L2] finds the same first invalid byte as a strict decoder does", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 24 }), bytes => {
        const report = createReport(10);
        const clean = bytes.map(byte => (byte === 0 ? 1 : byte));
        const text = decodeSource(clean, DEFAULT_LIMITS, report);
        const strict = decodeExactly(clean);
        const finding = report.finish()[0];
        if (finding?.code === "UTF16") return;
        expect(text).toBe(strict);
        const said = finding === undefined ? clean.length : Number(/^byte (\d+) /.exec(finding.message)![1]);
        // Everything before the offset is sound, and nothing that contains the byte there is.
        const sound = Array.from({ length: clean.length + 1 }, (_, end) =>
          decodeExactly(clean.subarray(0, end)),
        );
        expect(sound[said]).toBeDefined();
        expect(sound.slice(said + 1).every(part => part === undefined)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("[L2] gives back exactly what it decoded", () => {
    expect(new TextEncoder().encode(decodeExactly(valid))).toEqual(valid);
  });

  it("[L2] keeps the format of the path when nothing could be read", () => {
    expect(read(bytesOf(0xff, 0xfe), "tasks.json").plan.format).toBe("task-master");
    expect(read(bytesOf(0xff, 0xfe), "TASKS.md").plan.format).toBe("tasks-md");
  });
});

describe("limits", () => {
  const three = "- [ ] T1: a\n- [ ] T2: b\n- [ ] T3: c\n";

  it("[L3] has the published defaults", () => {
    expect(DEFAULT_LIMITS).toEqual({
      bytes: 33_554_432,
      lineLength: 1_048_576,
      tasks: 100_000,
      edges: 1_000_000,
      diagnostics: 1000,
    });
  });

  it("[L3] names the size limit", () => {
    const reading = read(three, "TASKS.md", { limits: { bytes: 20 } });
    expect(messages(reading, "TOO_LARGE")).toEqual([
      `the file has ${three.length} bytes; at most 20 are read`,
    ]);
    expect(reading.plan.tasks).toEqual([]);
  });

  it("[L3] reads a file of exactly the size limit", () => {
    expect(errors(read(three, "TASKS.md", { limits: { bytes: three.length } }))).toEqual([]);
  });

  it("[L3] names the line that is too long", () => {
    const reading = read(`- [ ] T1: a\n${"x".repeat(101)}\n`, "TASKS.md", { limits: { lineLength: 100 } });
    expect(reading.diagnostics[0]).toMatchObject({ code: "LINE_TOO_LONG", severity: "error", line: 2 });
    expect(reading.diagnostics[0]?.message).toContain("101 characters; at most 100");
  });

  it("[L3] reads a line of exactly the limit", () => {
    const line = "- [ ] T1: ".padEnd(100, "a");
    expect(errors(read(`${line}\n`, "TASKS.md", { limits: { lineLength: 100 } }))).toEqual([]);
  });

  it("[L3] refuses one huge line by default", () => {
    const reading = read(`- [ ] T1: ${"word ".repeat(220_000)}\n`);
    expect(errors(reading)).toContain("LINE_TOO_LONG");
  });

  it.each([undefined, Number.NaN, -1])("[L3] [L4] keeps the default where %s is set for a limit", none => {
    const names = ["bytes", "lineLength", "tasks", "edges", "diagnostics"];
    const limits = Object.fromEntries(names.map(name => [name, none])) as Record<string, never>;
    expect(read(three, "TASKS.md", { limits })).toEqual(read(three));
    expect(ids(read(three, "TASKS.md", { limits: { tasks: 1.5 } }))).toEqual(["T1"]);
    const long = `- [ ] T1: ${"word ".repeat(220_000)}\n`;
    expect(errors(read(long, "TASKS.md", { limits }))).toContain("LINE_TOO_LONG");
  });

  it("[L3] refuses too many tasks but shows the first ones", () => {
    const reading = read(three, "TASKS.md", { limits: { tasks: 2 } });
    expect(errors(reading)).toEqual(["TOO_MANY_TASKS"]);
    expect(ids(reading)).toEqual(["T1", "T2"]);
  });

  it("[L3] refuses too many tasks in JSON", () => {
    const text = JSON.stringify({ tasks: [1, 2, 3].map(id => ({ id, title: "x" })) });
    expect(errors(read(text, "tasks.json", { limits: { tasks: 2 } }))).toEqual(["TOO_MANY_TASKS"]);
  });

  it("[L3] stops long before a file of nothing but boxes is in memory", () => {
    const reading = read("- [ ] a\n".repeat(1000), "TASKS.md", { limits: { tasks: 10 } });
    expect(errors(reading)).toContain("TOO_MANY_TASKS");
    expect(reading.plan.tasks.length).toBeLessThanOrEqual(10);
  });

  it("[L3] refuses too many edges, however they came about", () => {
    const tasks = Array.from({ length: 40 }, (_, n) => `- [ ] P1-T${n}: a`).join("\n");
    const text = `## Phase 1\n${tasks}\n## Phase 2\n- [ ] P2-T1: b\n  - 의존: Phase 1\n- [ ] P2-T2: c\n  - 의존: Phase 1\n`;
    expect(errors(read(text, "TASKS.md", { limits: { edges: 50 } }))).toEqual(["TOO_MANY_EDGES"]);
    expect(errors(read(text, "TASKS.md", { limits: { edges: 100 } }))).toEqual([]);
  });

  it("[L3] counts naming the same again and again as work", () => {
    const tasks = Array.from({ length: 40 }, (_, n) => `- [ ] P1-T${n}: a`).join("\n");
    const text = `## Phase 1\n${tasks}\n## Phase 2\n- [ ] P2-T1: b\n${"  - 의존: Phase 1\n".repeat(200)}`;
    expect(errors(read(text, "TASKS.md", { limits: { edges: 100 } }))).toEqual(["TOO_MANY_EDGES"]);
  });

  it("[L3] refuses too many edges in JSON", () => {
    const tasks = [1, 2, 3, 4].map(id => ({ id, title: "x", dependencies: [1, 2, 3].filter(n => n < id) }));
    const reading = read(JSON.stringify({ tasks }), "tasks.json", { limits: { edges: 3 } });
    expect(errors(reading)).toContain("TOO_MANY_EDGES");
  });

  it("[L3] lists so many findings and counts the rest", () => {
    const lines = Array.from({ length: 30 }, (_, n) => `- [ ] T${n + 1}: a (depends on T${n + 900})`).join(
      "\n",
    );
    const reading = read(lines, "TASKS.md", { limits: { diagnostics: 10 } });
    expect(reading.diagnostics).toHaveLength(11);
    expect(reading.diagnostics.at(-1)).toMatchObject({ code: "MORE", severity: "error" });
    expect(reading.diagnostics.at(-1)?.message).toBe("20 more findings are not listed");
  });

  it("[L3] a report of no findings still tells that there was an error", () => {
    const reading = read("- [ ] T1: a (depends on T9)\n", "TASKS.md", { limits: { diagnostics: 0 } });
    expect(reading.diagnostics).toMatchObject([{ code: "MORE", severity: "error" }]);
  });
});

describe("text is kept as it is", () => {
  it("[L5] keeps escape sequences, direction marks and HTML in titles", () => {
    const title = "\u001b[31mred\u001b[0m \u202Eevil\u202C <img src=x onerror=alert(1)> $(rm -rf /)";
    expect(task(read(`- [ ] T1: ${title}\n`), "T1").title).toBe(title);
  });

  it("[L5] keeps the exact block of a task", () => {
    const block = "### [ ] T1.1: a\r\n- **담당**: x-specialist\r\n\r\n\ttabbed  text\r\n- [ ] criterion";
    const reading = read(`# P\r\n${block}\r\n\r\n### [ ] T1.2: b\r\n`);
    expect(task(reading, "T1.1").text).toBe(block);
    expect(task(reading, "T1.2").text).toBe("### [ ] T1.2: b");
  });

  it("[L5] ends a block where the next task, section or rule begins", () => {
    const reading = read(
      "## Phase 1\n### T1.1: a\n- 담당: x\n\ntext of a\n\n---\n\n## Phase 2\n### T2.1: b\n- 담당: y\n",
    );
    expect(task(reading, "T1.1").text).toBe("### T1.1: a\n- 담당: x\n\ntext of a");
  });

  it("[L5] leaves the blocks of children out of their container's own text", () => {
    const reading = read("- [ ] P1-T1: outer\n  - 의존: 없음\n  - [ ] P1-T1.1: inner\n    - 담당: x\n");
    expect(task(reading, "P1-T1").text).toBe("- [ ] P1-T1: outer\n  - 의존: 없음");
    expect(task(reading, "P1-T1.1").text).toBe("  - [ ] P1-T1.1: inner\n    - 담당: x");
  });
});

describe("files without tasks", () => {
  it.each([
    ["nothing", ""],
    ["blank lines", "\n\n   \n\t\n"],
    ["only a byte-order mark", "\uFEFF"],
    ["80,000 blank lines", "\n".repeat(80_000)],
    ["prose", "# Notes\n\nWe talked about T1.1 and T1.2 at length.\n"],
    ["headings only", "# Plan\n## Phase 1\n## Phase 2\n"],
    ["a table of contents", "# Plan\n- [Phase 1](#phase-1)\n- [Phase 2](#phase-2)\n"],
    ["front matter only", "---\nproject: x\n---\n"],
  ])("[L6] says so: %s", (_, text) => {
    const reading = read(text);
    expect(errors(reading)).toEqual(["TASKS_EMPTY"]);
    expect(reading.plan.tasks).toEqual([]);
    expect(reading.diagnostics[0]?.hint).toContain("- [ ] T1.1: Title");
  });

  it("[L6] finds merge markers and names their line", () => {
    const text = "- [ ] T1: a\n<<<<<<< HEAD\n- [ ] T2: b\n=======\n- [ ] T2: c\n>>>>>>> other\n";
    const reading = read(text);
    expect(reading.diagnostics[0]).toMatchObject({
      code: "CONFLICT_MARKERS",
      severity: "error",
      line: 2,
      column: 1,
    });
  });

  it("[L161] finds them in a comment, too", () => {
    const text = "# A\n\n<!--\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> b\n-->\n- [ ] T1: a\n";
    expect(read(text).diagnostics[0]).toMatchObject({ code: "CONFLICT_MARKERS", line: 4 });
  });

  it("[L6] finds merge markers on the first line", () => {
    expect(read("<<<<<<< HEAD\n- [ ] T1: a\n").diagnostics[0]).toMatchObject({
      code: "CONFLICT_MARKERS",
      line: 1,
    });
  });

  it("[L6] does not take merge markers in a code fence for a conflict", () => {
    expect(codes(read("- [ ] T1: a\n```\n<<<<<<< HEAD\n```\n"))).toEqual([]);
  });
});
