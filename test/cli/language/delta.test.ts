import { describe, expect, it } from "vitest";
import { contextWords } from "../../../src/cli/views/words/context-words-for.ts";
import { deltaWords } from "../../../src/cli/views/words/delta-words-for.ts";
import { openLab } from "../lab.ts";

const OLD =
  "# A\n\n## Status\n\n- Phase 1: COMPLETE\n- Phase 2: IN_PROGRESS\n\n## Rest\n\nThe rest of it stays as it is.\n";
const NEXT = OLD.replace("IN_PROGRESS", "COMPLETE");
const HANGUL = /[\uac00-\ud7a3]/;

/** Every text of a table of words, with a few arguments for those that take some. */
function textsOf(words: object): readonly (readonly [string, string])[] {
  return Object.entries(words).flatMap(([key, value]: [string, unknown]) => {
    const said =
      typeof value === "function"
        ? (value as (...args: unknown[]) => unknown)(
            ...(key === "why" || key === "notMade"
              ? [{ kind: "limit", message: "m" }]
              : ["1", "2", "3", "4"]),
          )
        : value;
    if (typeof said === "string") return [[key, said] as const];
    if (typeof said !== "object" || said === null) return [];
    return Object.entries(said).flatMap(([inner, text]) =>
      typeof text === "string" ? [[`${key}.${inner}`, text] as const] : [],
    );
  });
}

describe("delta and context in Korean", () => {
  it.each([
    ["delta", deltaWords("en"), deltaWords("ko")],
    ["context", contextWords("en"), contextWords("ko")],
  ])("has a word of its own for everything that %s says", (_, english, korean) => {
    const [there, here] = [textsOf(english), textsOf(korean)];
    expect(here.map(([key]) => key)).toEqual(there.map(([key]) => key));
    const bare = here.filter(([, text]) => !HANGUL.test(text)).map(([key]) => key);
    // Commands, numbers and examples are the same in every language, and so is what stands in as it is given.
    const same = new Set([
      "noFile.hint",
      "noVersion.hint",
      "theirs",
      "published",
      "noContext.hint",
      "badName.message",
      "noAnswer.message",
      "noSuchName.hint",
    ]);
    expect(bare.filter(key => !same.has(key))).toEqual([]);
  });

  it("speaks the project's language, also where it refuses", async () => {
    await using lab = openLab({
      "espalier.yaml": "locale: ko\n",
      "old.md": OLD,
      "next.md": NEXT,
      "other.md": "# B\n",
    });
    const made = await lab.ask("delta", "diff", "old.md", "next.md");
    lab.write("u.md", made.stdout);
    expect((await lab.ask("delta", "verify", "old.md", "u.md", "next.md")).stdout).toMatch(
      /^정확함: old\.md → next\.md/,
    );
    const refused = await lab.ask("delta", "apply", "other.md", "u.md");
    expect(refused.stderr).toContain("DELTA_BASE: u.md를 적용할 수 없습니다");
    expect(refused.stderr).toContain("다른 문서에 대한 업데이트입니다");
    expect((await lab.ask("delta", "show", "u.md", "old.md")).stdout).toContain(
      "정확히 적용됨: 1곳 (1 진행)",
    );
    const head = "[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n";
    const bad: [string, string][] = [
      [
        "- REMOVED §None",
        "DELTA_UNRESOLVED: bad.md를 적용할 수 없습니다, 아무것도 바뀌지 않았습니다: 작업의 위치를 찾을 수 없습니다: - REMOVED §None",
      ],
      ["- MOVED §Status", "읽을 수 없는 작업이 있습니다: - MOVED §Status"],
      ["- REMOVED §Rest\n- REMOVED §Rest", "두 작업이 같은 곳을 바꿉니다: 8번째 줄"],
      ["- REPLACED §Rest", "섹션의 새 내용이 없습니다: §Rest"],
    ];
    for (const [operations, told] of bad) {
      lab.write("bad.md", head + operations);
      expect((await lab.ask("delta", "apply", "old.md", "bad.md")).stderr).toContain(told);
    }
    const unnamed = await lab.ask("delta", "diff", "old.md", "next.md", "--label", "G/C");
    expect(unnamed.stderr).toContain('메시지를 만들 수 없습니다: 라벨로 쓸 수 없습니다: "G/C"');
    lab.write("h/0001.md", OLD);
    lab.write("h/0002.md", NEXT);
    const replayed = await lab.ask("delta", "replay", "h");
    expect(replayed.stdout).toContain("1단계 중 1단계 정확함");
    expect(replayed.stdout.split("\n")[0]).toMatch(/단계.*형식.*보냄.*전체.*git -U0.*절약/);
    expect((await lab.ask("delta", "replay", "none")).stderr).toMatch(HANGUL);
  });

  it("speaks English where the project's configuration cannot be read", async () => {
    await using lab = openLab({ "espalier.yaml": "locale: [\n", "old.md": OLD, "next.md": NEXT });
    lab.write("u.md", (await lab.ask("delta", "diff", "old.md", "next.md")).stdout);
    expect((await lab.ask("delta", "verify", "old.md", "u.md", "next.md")).stdout).toMatch(/^exact: /);
  });
});
