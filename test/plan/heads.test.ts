import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHead } from "../../src/plan/syntax/head.ts";
import { casesOf } from "../sample.ts";
import { ids, read, task } from "./reading.ts";

function head(text: string, numbers = false) {
  return readHead(text, 0, text.length, numbers);
}

describe("heads", () => {
  it.each([
    ["[ ] T1.1: Cart", "T1.1", "Cart"],
    ["[ ] T1.1 Cart", "T1.1", "Cart"],
    ["[ ] T1.1 - Cart", "T1.1", "Cart"],
    ["[ ] T1.1 — Cart", "T1.1", "Cart"],
    ["[ ] T1.1. Cart", "T1.1", "Cart"],
    ["[ ] T1.1) Cart", "T1.1", "Cart"],
    ["[ ] T1.1：Cart", "T1.1", "Cart"],
    ["[ ] **T1.1**: Cart", "T1.1", "Cart"],
    ["[ ] **T1.1:** Cart", "T1.1", "Cart"],
    ["[ ] **T1.1: Cart**", "T1.1", "Cart"],
    ["[ ] **T1.1 Cart**", "T1.1", "Cart"],
    ["[ ] `T1.1` Cart", "T1.1", "Cart"],
    ["[ ] `T1.1: Cart`", "T1.1", "Cart"],
    ["[ ] [T1.1] Cart", "T1.1", "Cart"],
    ["[ ] 【T1.1】Cart", "T1.1", "Cart"],
    ["[ ] (T1.1) Cart", "T1.1", "Cart"],
    ["[ ] #T1.1 Cart", "T1.1", "Cart"],
    ["[ ] Task T1.1: Cart", "T1.1", "Cart"],
    ["[ ] Task 7: Cart", "7", "Cart"],
    ["[ ] 태스크 7: Cart", "7", "Cart"],
    ["[ ] Task #7: Cart", "7", "Cart"],
    ["[ ] Phase 1, T1.1: Cart", "T1.1", "Cart"],
    ["[ ] Phase 1 - T1.1: Cart", "T1.1", "Cart"],
    ["[ ] Phase 1: T1.1: Cart", "T1.1", "Cart"],
    ["[ ] 🔧 T1.1: Cart", "T1.1", "Cart"],
    ["T1.1 [ ] Cart", "T1.1", "Cart"],
    ["T1.1: [ ] Cart", "T1.1", "Cart"],
    ["T1.1: Cart [ ]", "T1.1", "Cart"],
    ["**[ ] T1.1: Cart**", "T1.1", "Cart"],
    ["[ ] T1.1:Cart", "T1.1", "Cart"],
    ["[ ] T1.1: Cart ###", "T1.1", "Cart"],
    ["[ ] T1.1: C# port", "T1.1", "C# port"],
    ["[ ] T1.1: `cart.ts` first", "T1.1", "`cart.ts` first"],
    ["[ ] T1.1: first `cart.ts`", "T1.1", "first `cart.ts`"],
    ["[ ] T1.1: a and **b**", "T1.1", "a and **b**"],
    ["[ ] T1.1: __init__.py", "T1.1", "__init__.py"],
    ["[ ] T1.1: [ui] Cart", "T1.1", "[ui] Cart"],
    ["[ ] T1.1: 3 tables", "T1.1", "3 tables"],
    ["[ ] T1.1:", "T1.1", ""],
    ["[ ] T1.1", "T1.1", ""],
    ["[ ] T001 [P] [US1] Cart", "T001", "Cart"],
    ["[ ] T001 (P) Cart", "T001", "Cart"],
    ["[ ] T001 Cart [P]", "T001", "Cart"],
    ["[ ] ~~T1.1: Cart~~", "T1.1", "Cart"],
    ["[ ] ~~T1.1~~: Cart", "T1.1", "Cart"],
  ])("[L10] %j is %s", (text, id, title) => {
    expect(head(text)).toMatchObject({ id, title, box: { state: "open" } });
  });

  it.each([
    ["[ ] 1. Setup", "1", "Setup"],
    ["[ ] 1.1 Setup", "1.1", "Setup"],
    ["[ ] 1.1. Setup", "1.1", "Setup"],
    ["[ ] 1) Setup", "1", "Setup"],
    ["[ ] 1、Setup", "1", "Setup"],
    ["[ ] 1: Setup", "1", "Setup"],
    ["[ ] **1.1** Setup", "1.1", "Setup"],
    ["[ ] **1.1 Setup**", "1.1", "Setup"],
    ["[ ]* 1.1 Setup", "1.1", "Setup"],
    ["[ ] 1.1* Setup", "1.1", "Setup"],
    ["[ ] 1.1 (P) Setup", "1.1", "Setup"],
    ["[ ] 1.1 Setup (P)", "1.1", "Setup"],
  ])("[L44] %j is %s where numbers are ids", (text, id, title) => {
    expect(head(text, true)).toMatchObject({ id, title });
    expect(head(text).id).toBeUndefined();
  });

  it.each([
    ["[ ] T1.1~T1.3 done"],
    ["[ ] T1.1, T1.2: merge"],
    ["[ ] T1.1 → T1.2"],
    ["[ ] T1.1 & T1.2"],
    ["[ ] T1.1 + T1.2"],
    ["[ ] T1.1/T1.2"],
    ["[ ] T1.1와 T1.2"],
    ["[ ] T1.1 - T1.2"],
    ["[ ] T1.1..T1.4"],
    ["[ ] **T1.1** ~ **T1.4**"],
    ["T1.5-T1.7: range"],
    ["[ ] T001-T009 done"],
  ])("[L13] %j names several", text => {
    expect(head(text).several).toBe(true);
  });

  it.each([
    ["T1.1 (API) / T1.2 (UI)"],
    ["[x] T1.1 (모델) + T4.1 (화면)"],
    ["**T1.1** (a), T1.2"],
    ["T1.1（接口），T1.2（页面）"],
  ])("[L409] %j names several, whatever remark stands between", text => {
    expect(head(text).several).toBe(true);
  });

  it.each(["[ ] T1.1 (a) T1.2 follows", "T1.1 (after T0.1) - T1.2 later", "T1.1 (a / T1.2", "T1.1 (a) / b"])(
    "[L409] %j names one",
    text => {
      expect(head(text).several).toBe(false);
    },
  );

  it.each(["[ ] T1.1: T1.2 follows", "[ ] T1.1 - a", "[ ] T1.1 Cart, list", "[ ] T1.1 / Cart"])(
    "[L13] %j names one",
    text => {
      expect(head(text).several).toBe(false);
    },
  );

  it.each([
    ["T1.1: a", true],
    ["**T1.1** a", true],
    ["`T1.1` a", true],
    ["Task 1 a", true],
    ["Phase 1, T1.1 a", true],
    ["T1.1 - a", true],
    ["T1.1 a", false],
    ["T3 Stack", false],
  ])("[L13] whether %j sets its id off: %s", (text, setOff) => {
    expect(head(text).setOff).toBe(setOff);
  });

  it("[L10] a brief look reads no title of lines that say nothing", () => {
    const text = "just words, nothing else";
    expect(readHead(text, 0, text.length, false, true)).toMatchObject({ title: "", several: false });
    expect(readHead(text, 0, text.length, false, false).title).toBe(text);
  });

  it("[L4] reads any text, and only inside its bounds", () => {
    const unit = fc.constantFrom(
      "T1",
      "P1-",
      "[ ]",
      "[x]",
      "**",
      "`",
      "~~",
      ":",
      "-",
      " ",
      "(",
      ")",
      "Phase 1",
      "Task ",
      "1.1",
      "✅",
      "완료",
      "a",
      "#",
      "，",
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 14 }), fc.boolean(), fc.nat(40), (parts, numbers, cut) => {
        const text = parts.join("");
        const end = Math.min(cut, text.length);
        const found = readHead(text, 0, end, numbers);
        expect(text.slice(0, end)).toContain(found.id ?? "");
        // A mark that closes what was opened before the title is taken out of it.
        const words = (marked: string) => marked.replace(/\*\*|~~|`/g, "");
        expect(words(text.slice(0, end))).toContain(words(found.title));
        expect(found.idAt).toBeLessThanOrEqual(Math.max(end, found.idAt));
        expect(found.box?.end ?? 0).toBeLessThanOrEqual(end);
      }),
      { numRuns: casesOf(750, 3000) },
    );
  });
});

describe("where heads stand", () => {
  it.each([
    ["heading of level 1", "# [ ] T1.1: a\n"],
    ["heading of level 3", "### [ ] T1.1: a\n"],
    ["heading of level 6", "###### [ ] T1.1: a\n"],
    ["heading without space", "###[ ] T1.1: a\n"],
    ["dash", "- [ ] T1.1: a\n"],
    ["star", "* [ ] T1.1: a\n"],
    ["plus", "+ [ ] T1.1: a\n"],
    ["bullet", "• [ ] T1.1: a\n"],
    ["number", "3. [ ] T1.1: a\n"],
    ["number with bracket", "3) [ ] T1.1: a\n"],
    ["dash without space", "-[ ] T1.1: a\n"],
    ["nothing", "[ ] T1.1: a\n"],
    ["indentation", "   - [ ] T1.1: a\n"],
    ["a tab", "-\t[ ] T1.1: a\n"],
    ["bullet in a bullet", "- - [ ] T1.1: a\n"],
    ["heading in a bullet", "- ### [ ] T1.1: a\n"],
    ["bold paragraph", "**T1.1: a**\n- 담당: x\n"],
    ["empty box", "- [] T1.1: a\n"],
    ["row", "| ID | Task | Done |\n|---|---|---|\n| T1.1 | a | [ ] |\n"],
  ])("[L10] %s", (_, text) => {
    expect(read(text).plan.tasks).toMatchObject([{ id: "T1.1", title: "a", done: false }]);
  });

  it("[L10] a heading without box is a task when its id is one", () => {
    expect(ids(read("## Phase 1\n### T1.1: a\n### T1.2\n### P1-R1-T1 b\n"))).toEqual([
      "T1.1",
      "T1.2",
      "P1-R1-T1",
    ]);
  });

  it("[L13] a bare T3 needs more than that to be a task", () => {
    const text = "## T3 Stack\n### T1 Login\n- 담당: x\n### T2: Cart\n### [ ] T4 Pay\n### **T5** Ship\n";
    expect(ids(read(text))).toEqual(["T1", "T2", "T4", "T5"]);
  });

  it("[L13] a line about several tasks defines none", () => {
    const text =
      "- [x] T1.1~T1.3 done\n- [ ] T1.1, T1.2: merged\n### T1.5-T1.7: the rest\n- [ ] T1.1: a\n- [ ] T1.2: b\n";
    expect(ids(read(text))).toEqual(["T1.1", "T1.2"]);
  });

  it("[L11] ids that need a box or fields to be tasks", () => {
    const text =
      "### BE-01: with fields\n- 담당: x\n### BE-02: without\n### [ ] BE-03: boxed\n## More\n- [ ] BE-04: boxed item\n";
    expect(ids(read(text))).toEqual(["BE-01", "BE-03", "BE-04"]);
  });

  it("[L11] numbers are ids in boxed headings, zero-padded ones in others too", () => {
    expect(ids(read("### [ ] 1.1 Login\n### [ ] 1.2: Cart\n"))).toEqual(["1.1", "1.2"]);
    expect(ids(read("### 001: Login\n- 담당: x\n### 002: Cart\n- 의존: 001\n"))).toEqual(["001", "002"]);
    expect(ids(read("## 1. Overview\n## 2. Tasks\n- [ ] T1: a\n"))).toEqual(["T1"]);
  });

  it("[L11] numbered headings may carry phases and tasks", () => {
    const reading = read(
      "## 1. Phase 1: Core\n### 1.1 T1.1: Login\n- 담당: x\n### 1.2 T1.2: Cart\n- 담당: x\n",
    );
    expect(ids(reading)).toEqual(["T1.1", "T1.2"]);
    expect(task(reading, "T1.2").title).toBe("Cart");
  });

  it("[L11] Task N counted afresh in every phase gets its phase in front", () => {
    const reading = read(
      "## Phase 1: A\n### Task 1: Setup\n- [x] s\n### Task 2: Next\n**Depends on:** Task 1\n- [ ] s\n## Phase 2: B\n### Task 1: Again\n- [ ] s\n### Task 2: Other\n**Depends on:** Task 1\n- [ ] s\n",
    );
    expect(ids(reading)).toEqual(["P1-1", "P1-2", "P2-1", "P2-2"]);
    expect(task(reading, "P1-2").dependsOn).toEqual(["P1-1"]);
    expect(task(reading, "P2-2").dependsOn).toEqual(["P2-1"]);
  });

  it("[L11] Task N counted through keeps its number", () => {
    const reading = read(
      "## Phase 1\n### Task 1: a\n- [ ] s\n## Phase 2\n### Task 2: b\n**Depends on**: Task 1\n- [ ] s\n",
    );
    expect(ids(reading)).toEqual(["1", "2"]);
    expect(task(reading, "2").dependsOn).toEqual(["1"]);
  });

  it.each([
    ["- [ ] Ｔ１.３: a\n", "Ｔ１.３", "T1.3"],
    ["- [ ] T1: b\n- [ ] Ｐ１-Ｔ２: a\n", "Ｐ１-Ｔ２", "P1-T2"],
  ])("[L14] %j is told apart from its plain form", (text, wide, narrow) => {
    const found = read(text).diagnostics.find(finding => finding.code === "WIDE_ID");
    expect(found).toMatchObject({ severity: "error", hint: `write ${narrow}`, length: wide.length });
    expect(found?.message).toContain(wide);
  });

  it("[L14] full-width words are titles", () => {
    expect(read("- [ ] ＡＰＩ 서버\n").diagnostics).toEqual([]);
  });
});
