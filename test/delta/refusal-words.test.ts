import { describe, expect, it } from "vitest";
import { type DecodeFailure, decode, diff, encode, encodeFull, shortHash } from "../../src/delta/index.ts";
import { agree, asSent } from "../../src/delta/message/as-sent.ts";
import { countChars } from "./documents.ts";

const BASE = "# A\n\n## Status\n\n- Phase 1: COMPLETE\n- Phase 2: PENDING\n\n## Rest\n\nIt stays.\n";

function refused(...operations: readonly string[]): DecodeFailure {
  const read = decode(["[CONTEXT-UPDATE] GC-v3 → GC-v4", "", "## Delta", ...operations].join("\n"), BASE);
  if (read.ok) throw new Error("carried out");
  return read.failure;
}

describe("a refusal says what it stumbled over", () => {
  it.each([
    ["unresolved", "- REMOVED §None", "No section §None"],
    ["unresolved", "- CHANGED §Status: Phase 1: OPEN → SHUT", "Phase 1"],
    ["unresolved", "- REMOVED §Rest.L99", "L99"],
    ["syntax", "- MOVED §Rest", "Not an operation"],
    ["syntax", "- ADDED", "Not an addition"],
    ["needs-section", "- REPLACED §Rest", "§Rest"],
  ])("[U10] %s: %s", (kind, operation, word) => {
    const failure = refused("- CHANGED §Status: Phase 2: PENDING → COMPLETE", operation);
    expect(failure.kind).toBe(kind);
    expect(failure.message).toContain(word);
    expect(failure.operation === undefined || failure.message.endsWith(failure.operation)).toBe(true);
    expect(failure.header).toMatchObject({ label: "GC", from: 3, to: 4 });
  });

  it("[U10] a line that two operations claim, counted from 1", () => {
    const failure = refused("- REMOVED §Status.Phase 2", "- CHANGED §Status: Phase 2: PENDING → COMPLETE");
    expect(failure).toMatchObject({
      kind: "claimed-twice",
      line: 6,
      message: "Two operations claim line 6",
    });
    expect(BASE.split("\n")[failure.line! - 1]).toBe("- Phase 2: PENDING");
  });

  it.each([
    ["- CHANGED §Status: Phase 3: a → b", "No line begins with Phase 3"],
    ["- CHANGED §Status: Phase: a → b", "Several lines begin with Phase"],
    ["- CHANGED §Status: L3: a → b", "a is absent in its line"],
    ['- CHANGED §Status: "Phase 8, Phase 9": a → b', 'No line begins with "Phase 8, Phase 9"'],
    ["- CHANGED §Status: Phase 1, Phase 9: a → b", "No line begins with Phase 9"],
    ["- ADDED §Status after Phase 1 from here: x", "No line begins with Phase 1 from here"],
    ["- REPLACED §Status from Phase 1 after that: x", "No line begins with Phase 1 after that"],
    ["- CHANGED §Status: Phase 1: OPEN → SHUT", "OPEN is absent in its line"],
    ["- CHANGED §Status: Phase → Part", "Phase stands more than once"],
    ["- CHANGED §Status: NONE → SOME", "NONE does not stand in the section"],
    ["- CHANGED §Status: Phase 1: COMPLETE", "Not a change: Phase 1: COMPLETE"],
    ['- REMOVED §Status: "Phase"x', 'Not a key: "Phase"x'],
    ["- REMOVED §Status: L77", "No line L77"],
    ["- REMOVED §Status: Phase 1 (x lines)", "Not a range: Phase 1 (x lines)"],
    ["- REMOVED §Status: Phase 1 (77 lines)", "77 lines from Phase 1 reach beyond the end"],
    ["- REPLACED §Status from Phase 1 (77 lines): x", "The range reaches beyond the end"],
    ["- REMOVED §^", "The document begins with a heading"],
    ["- REMOVED §Status#2", "No section §Status#2: 1 of that name"],
    ["- REMOVED §Status.", "No section §Status."],
    ["- REMOVED §.Phase 1", "No section §.Phase 1"],
    ["- REMOVED §Status#x", "Not a section reference: §Status#x"],
    ["- ADDED §Status.Phase 1: x", "No section §Status.Phase 1"],
    ["- CHANGED §Status:", "Nothing is named"],
    ["- REPLACED §Status after Phase 1: x", "Not a replacement"],
    ["- REPLACED §Rest", "The text of §Rest is not in the message"],
    ["- ADDED §Rest: x\ny", "Its text is quoted badly, or stands both behind the colon and below"],
    ['- REPLACED §Rest:\n\\"x', "Its text is quoted badly, or stands both behind the colon and below"],
  ])("[U10] %j: %s", (operation, reason) => {
    const failure = refused(...operation.split("\n"));
    const [shown] = operation.split("\n");
    expect(failure.message).toBe(`${reason}: ${shown}`);
    expect(failure.operation).toBe(shown);
    expect(failure.section).toBe(failure.kind === "needs-section" ? "Rest" : undefined);
    expect(Object.hasOwn(failure, "section")).toBe(failure.kind === "needs-section");
  });

  it("[U10] what stands where no operation can be", () => {
    expect(refused("text", "- REMOVED §Rest").message).toBe("Text before the first operation: text");
    expect(refused("- MOVED §Rest").message).toBe("Not an operation: - MOVED §Rest");
    const failed = (text: string, base?: string): DecodeFailure | undefined => {
      const read = decode(text, base);
      return read.ok ? undefined : read.failure;
    };
    const head = "[CONTEXT-UPDATE] GC-v3 → GC-v4";
    expect(failed("hello")).toEqual({ kind: "not-an-update", message: "No [CONTEXT-UPDATE] header" });
    expect(failed(`${head}\n\nx`, BASE)).toMatchObject({
      kind: "syntax",
      message: "Neither ## Delta nor ## Full",
    });
    expect(failed(`${head}\n\n## Delta`)).toMatchObject({
      kind: "no-base",
      message: "A delta needs the document it is for",
    });
    expect(failed(`${head} | Delta: new port`)).toMatchObject({
      kind: "prose",
      message: "The update only describes what changed; the text is needed",
    });
    const [hash, none] = [shortHash(BASE), "0".repeat(12)];
    expect(failed(`${head} 0000→${hash}\n\n## Delta\n`, BASE)).toMatchObject({
      kind: "base",
      message: `The update is for 0000, this document is ${hash}`,
    });
    expect(failed(`${head} ${hash}→${none}\n\n## Delta\n`, BASE)).toMatchObject({
      kind: "result",
      message: `The update leads to ${hash}, not to the ${none} it names: it was cut off or changed on the way`,
    });
  });

  it("[U10] operations that are long or invisible are shown short and harmless", () => {
    for (const operation of [
      `- REMOVED §${"x".repeat(100_000)}`,
      "- MOVED \u001b[31m\u0007red",
      "- MOVED \u202egnp.exe",
    ]) {
      const { message, operation: shown = "" } = refused(operation);
      expect(message.length).toBeLessThan(300);
      expect(shown).not.toBe("");
      expect(message).not.toMatch(/[\u001b\u0007\u202e]/);
    }
  });

  const options = { label: "GC", from: 1, to: 2, countTokens: countChars };
  it.each([
    ["label", { label: "G/C" }, '"G/C"'],
    ["label", { label: "a\u0007" }, '"a\\u0007"'],
    ["label", { label: `${"x".repeat(99)} ` }, `"${"x".repeat(80)}"`],
    ["version", { to: 1.5 }, "1.5"],
    ["version", { to: 1_000_000_000 }, "1000000000"],
    ["name", { actions: [`${"x".repeat(99)} `] }, `"${"x".repeat(80)}"`],
    ["version", { from: -1 }, "-1"],
    ["name", { affected: ["a, b"] }, '"a, b"'],
  ])("[U2] %s of a message that cannot be written: %j", (kind, wrong, found) => {
    const made = encode(diff(BASE, "x"), BASE, "x", { ...options, ...wrong });
    expect(made).toMatchObject({ ok: false, failure: { kind, found } });
    const words = { label: "Not a label", version: "Not a version", name: "Cannot stand in a list" };
    expect(made.ok ? "" : made.failure.message).toBe(`${words[kind as keyof typeof words]}: ${found}`);
  });

  it("[U2] nothing of the first version, the last, or the longest label", () => {
    for (const right of [{ from: 0 }, { to: 999_999_999 }, { label: "x".repeat(64) }])
      expect(encode(diff(BASE, "x"), BASE, "x", { ...options, ...right }).ok).toBe(true);
  });

  it("[U2] a delta of other documents, by its two hashes", () => {
    const delta = diff("a", "b");
    const found = `${shortHash("a")}→${shortHash("b")}`;
    expect(encode(delta, "a", "c", options)).toMatchObject({
      failure: { kind: "delta", found, message: `The delta ${found} is not between these documents` },
    });
    expect(encodeFull("half \ud83d", { ...options, to: 2 })).toMatchObject({ failure: { kind: "inexact" } });
  });
});

describe("what was sent, from what arrived", () => {
  const header = (text: string, newline?: "\r\n") =>
    ({
      label: "GC",
      from: undefined,
      to: 2,
      base: undefined,
      result: shortHash(text).slice(0, 6),
      newline,
    }) as never;

  it("[U2] hashes of two lengths agree as far as both go", () => {
    expect([agree("abcd", "abcdef"), agree("abcdef", "abcd"), agree("abce", "abcd")]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it.each([
    ["a\nb\n", "a\nb", undefined],
    ["a\nb", "a\nb\n\n", undefined],
    ["a\nb\n\n\n", "a\nb", undefined],
    ["a\r\nb\nc\r\n", "a\r\nb\nc", undefined],
    ["a\nb\n", "a\r\nb\r\n", undefined],
    ["a\r\nb\r\n\r\n", "a\nb", "\r\n"],
    ["a\r\nb", "a\r\nb\r\n", "\r\n"],
    ["", "\n", undefined],
  ] as const)("[U12] %j is found in %j", (sent, arrived, newline) => {
    expect(asSent(arrived, header(sent, newline))).toBe(sent);
  });

  it("[U12] has the line ends its header names, also where no hash can prove them", () => {
    const named = { label: "GC", to: 2, from: undefined, newline: "\r\n" } as never;
    expect([asSent("a\nb\n", named), asSent("a\r\nb", named)]).toEqual(["a\r\nb\r\n", "a\r\nb"]);
  });

  it("[U12] is what arrived where no hash is named, or none fits", () => {
    expect(asSent("a\n\n", { label: "GC", to: 2, from: undefined } as never)).toBe("a\n\n");
    expect(asSent("a\n\n", header("something else"))).toBe("a\n\n");
  });
});
