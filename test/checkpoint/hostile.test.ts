import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { studyHistory as historyFrom } from "../../src/checkpoint/history.ts";
import {
  applyDelta,
  bridge,
  checkCheckpoint,
  checkDelta,
  createCheckpoint,
  inlineDeltas,
  mergeCheckpoint,
  parseCheckpoint,
  printCheckpoint,
  proveDelta,
  readDelta,
  rebuild,
  replay,
  taskClaims,
} from "../../src/checkpoint/index.ts";
import { casesOf } from "../sample.ts";
import { CHECKPOINT, CREATED, chain, deltaOf, historyOf, LATER, must, small } from "./documents.ts";

/** Documents that somebody might put in the way, by what is wrong with them. */
const HOSTILE: Readonly<Record<string, string>> = {
  nothing: "",
  "blank lines": "\n\n \n",
  "no front matter": CHECKPOINT.slice(CHECKPOINT.indexOf("# Bakery")),
  "front matter that never ends": CHECKPOINT.replace("\n---\n\n# Bakery", "\n# Bakery"),
  "front matter alone": "---\ncheckpoint: chk-001\n---",
  "carriage returns": CHECKPOINT.replaceAll("\n", "\r\n"),
  "a byte order mark": `\uFEFF${CHECKPOINT}`,
  "every section twice": CHECKPOINT + CHECKPOINT.slice(CHECKPOINT.indexOf("## Problem")),
  "broken rows": CHECKPOINT.replace("| created | the menu |", "| created").replace("a \\| b", "a | b"),
  "rows of bars": CHECKPOINT.replace("| `src/menu.ts` | created | the menu |", "|||||\n|\n| \\| \\|"),
  "a table without rows": "### Artifact Trail\n\n| File | Status |\n|---|---|\n",
  "an open fence": `${CHECKPOINT}\n\`\`\`\n## Problem\n`,
  "front matter that names code":
    "---\ncheckpoint: !!js/function 'x'\ncreated: *a\n__proto__: y\nconstructor: z\n---\n",
  "an id that climbs": CHECKPOINT.replace("chk-002", "../../etc/passwd"),
  "terminal sequences": CHECKPOINT.replace("Bakery", "\u001B]0;x\u0007\u001B[2J").replace(
    "chk-001",
    "\u001B[31m",
  ),
  "its own machine marks": `${CHECKPOINT}\n[CONTEXT-UPDATE] CHK-v1 → CHK-v2 0000→0000\n\n## Delta\n- REMOVED §Problem\n`,
  "a nested delta": `${CHECKPOINT}\n${deltaOf(CHECKPOINT, LATER)}`,
  "surrogates' neighbours": `${CHECKPOINT}\u2028\u0000\u0085👩‍👩‍👧\r`,
  "one long line": `## Problem\n\n${"x ".repeat(20_000)}`,
  "headings without end": "### Decisions\n".repeat(300),
};

describe.each(Object.entries(HOSTILE))("a document with %s", (name, text) => {
  it("[KC1] [KC4] comes back byte for byte, and every departure has a line of it", () => {
    const checkpoint = parseCheckpoint(text);
    expect(printCheckpoint(checkpoint)).toBe(text);
    const lines = text.split("\n").length;
    for (const { line, message } of [...checkCheckpoint(text), ...checkDelta(text)]) {
      expect(line).toBeGreaterThanOrEqual(0);
      expect(line).toBeLessThanOrEqual(lines);
      expect(message).not.toMatch(/[\u0000-\u001F\u007F]/);
    }
  });

  it("[KD1] [KH3] has exact deltas there and back", () => {
    for (const [from, to] of [
      [CHECKPOINT, text],
      [text, CHECKPOINT],
    ] as const) {
      const delta = deltaOf(from, to);
      expect(proveDelta(delta, from, to).filter(({ severity }) => severity === "error")).toEqual([]);
      expect(must(applyDelta(delta, from)).text).toBe(to);
      const { history, texts } = historyOf({
        "chk-001.md": small("chk-001", undefined),
        "delta-001-002.md": delta,
      });
      if (from === to) continue;
      // The base is another one than the delta was made for: nothing is half done.
      expect(rebuild(history, "chk-002", texts)).toMatchObject({ ok: false, failure: { kind: "delta" } });
    }
  });

  it("[KM3] can be merged with anything, and loses no line of the checkpoint's own sections", () => {
    const { text: into } = mergeCheckpoint(CHECKPOINT, text);
    expect(into).toContain("Sell bread online.");
    expect(into).toContain("- D-1: Prices are integers in cents");
    expect(into).toContain("## Glossary of ours\n\nWhatever | stands here.");
    expect(mergeCheckpoint(text, "").text).toBe(text);
  });

  it("[KH7] can be the parent of a next one, or is refused with a reason", () => {
    const { history, texts } = historyOf({ "chk-001.md": text });
    const created = createCheckpoint(history, texts, { work: CHECKPOINT, created: CREATED, headline: name });
    const delta = created.ok ? created.value.delta : undefined;
    const reached = delta === undefined ? undefined : must(applyDelta(delta.text, text)).text;
    const told = created.ok ? created.value.text : created.failure.message;
    expect(told).not.toBe("");
    expect(reached ?? told).toBe(told);
  });

  it("[KD6] [KW3] is no delta, and claims of tasks only what its table says", () => {
    expect(inlineDeltas(text).every(({ line }) => line > 0)).toBe(true);
    const { statuses } = taskClaims(text, new Set(["T1.1", "constructor", "__proto__"]));
    for (const id of statuses.keys()) expect(id).toBe("T1.1");
    expect(readDelta(text).summary.length).toBeLessThanOrEqual(1_000);
  });
});

describe("a front matter that is never closed", () => {
  it("[KC4] is an error at its first line, in a checkpoint and in a delta", () => {
    const message = "The front matter begins here and is never closed by `---`";
    const [first] = checkCheckpoint("---\ncheckpoint: chk-001\n\n## Problem\n\nx\n").filter(
      ({ line }) => line > 0,
    );
    expect(first).toMatchObject({ code: "BAD_FRONT_MATTER", severity: "error", line: 1, message });
    expect(checkDelta("---\ndelta: x\n\n## Summary\n\ny\n").find(({ line }) => line === 1)).toMatchObject({
      code: "BAD_FRONT_MATTER",
      message,
    });
  });
});

describe("a folder that somebody else wrote to", () => {
  const request = { work: "### Current State\n\nOn.\n", created: CREATED, headline: "Next" };

  it("[KH7] gives no name again: of unreadable files, of other ids, of deltas", () => {
    const { folder, texts } = historyOf(chain(2));
    const take = (change: Partial<typeof folder>) => historyFrom({ ...folder, ...change });
    const next = (history: ReturnType<typeof historyFrom>) =>
      must(createCheckpoint(history, texts, request)).id;
    expect(next(take({}))).toBe("chk-003");
    expect(next(take({ unreadable: [{ file: "chk-003.md", message: "no text" }] }))).toBe("chk-004");
    expect(next(take({ unreadable: [{ file: "archive/chk-007.md", message: "no text" }] }))).toBe("chk-008");
    const foreign = { ...folder.states[0]!, file: "chk-011.md" };
    expect(next(take({ states: [...folder.states, foreign] }))).toBe("chk-012");
    expect(next(take({ states: [...folder.states, { ...foreign, id: "../x", file: "chk-020.md" }] }))).toBe(
      "chk-021",
    );
  });

  it("[KH2] tells two deltas of one step, and keeps to the first", () => {
    const files = chain(2);
    const other = files["delta-001-002.md"]!.replace("## Summary", "## Summary ");
    const { history } = historyOf({ ...files, "archive/delta-001-002.md": other });
    expect(history.problems).toMatchObject([
      {
        code: "DUPLICATE_ID",
        weight: "person",
        about: ["delta-001-002", "archive/delta-001-002.md", "delta-001-002.md"],
      },
    ]);
    expect(history.links.get("delta-001-002")?.file).toBe("delta-001-002.md");
  });

  it("[KH2] [KH3] with links cut and changed at will never throws, and rebuilds the truth or refuses", () => {
    const files = chain(6);
    const names = Object.keys(files);
    const damage = fc.tuple(
      fc.constantFrom(...names),
      fc.constantFrom("drop", "cut", "swap", "edit"),
      fc.nat(1_000),
    );
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 4 }), damages => {
        const left: Record<string, string> = { ...files };
        for (const [file, kind, at] of damages) {
          const text = left[file];
          if (text === undefined) continue;
          if (kind === "drop") delete left[file];
          else if (kind === "cut") left[file] = text.slice(0, at % text.length);
          else if (kind === "swap") left[file] = files[names[at % names.length]!]!;
          else left[file] = text.replace("step", "stop");
        }
        const { history, texts } = historyOf(left);
        for (const id of history.order) {
          const done = rebuild(history, id, texts);
          expect(done.ok ? done.value.text : done.failure.message).toBeTypeOf("string");
          for (const to of history.order.slice(0, 3)) {
            const led = replay(history, id, to, texts);
            const kept = texts.state(to);
            const text = led.ok ? led.value.text : undefined;
            expect(text ?? kept).toBe(kept ?? text);
          }
        }
      }),
      { numRuns: casesOf(25, 60) },
    );
  });
});

describe("a project in Korean", () => {
  const KOREAN = `---
checkpoint: chk-001
created: 2026-03-01T09:00:00Z
---

## 문제

온라인으로 빵을 팝니다.

## 핵심 정보

### 결정 사항

- D-1: 오븐은 하나

### 진행 기록

- 1단계 → 메뉴 → 완료

### 산출물

| 파일 | 상태 | 변경 |
|---|---|---|
| \`src/메뉴.ts\` | 대기 | 첫 메뉴 |

### 현재 상태

메뉴가 있습니다.

### 다음 작업

1. 가격

## 사용자 규칙

- 계산대에 손대지 말 것
`;

  it("[KC2] [KC4] has no departure in its own headings", () => {
    expect(checkCheckpoint(KOREAN)).toEqual([]);
  });

  it("[KM1] takes a run's work in, under its own headings", () => {
    const work =
      "## Essential Information\n\n### Decisions\n\n- 호밀만 쓴다\n\n### Artifact Trail\n\n| File | Status | Key Change |\n|---|---|---|\n| `src/메뉴.ts` | 완료 | 둘째 메뉴 |\n\n### Current State\n\n가격이 있습니다.\n\n### Next Actions\n\n1. 주문\n";
    const { text, conflicts } = mergeCheckpoint(KOREAN, work);
    expect(conflicts).toEqual([]);
    expect(text).toContain("### 결정 사항\n\n- D-1: 오븐은 하나\n- 호밀만 쓴다\n");
    expect(text).toContain("| `src/메뉴.ts` | 완료 | 둘째 메뉴 |\n");
    expect(text).toContain("### 현재 상태\n\n가격이 있습니다.\n\n### 다음 작업\n\n1. 주문\n");
    expect(checkCheckpoint(text)).toEqual([]);
  });

  it("[KD1] [KD3] has deltas whose sentences are Korean, and which are proved", () => {
    const next = KOREAN.replace("chk-001", "chk-002")
      .replace("| 대기 |", "| 완료 |")
      .replace("1. 가격", "1. 주문");
    const made = must(
      bridge({ id: "chk-001", text: KOREAN }, { id: "chk-002", text: next }, CREATED, "가격 완료", "ko"),
    );
    expect(made.summary).toMatch(/^가격 완료: .*`src\/메뉴\.ts`.* → 완료; 주문 수정\.$/);
    expect(made.text).toContain(
      "### Status Transitions\n\n| Item | Before | After |\n|---|---|---|\n| `src/메뉴.ts` | 대기 | 완료 |",
    );
    expect(checkDelta(made.text)).toEqual([]);
    expect(must(applyDelta(made.text, KOREAN)).text).toBe(next);
  });
});
