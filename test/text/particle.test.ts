import { describe, expect, it } from "vitest";
import { particle, withParticle } from "../../src/text/index.ts";

describe("a particle", () => {
  it.each([
    ["태스크", "태스크는 태스크가 태스크를 태스크와 태스크로"],
    ["단계", "단계는 단계가 단계를 단계와 단계로"],
    ["시작", "시작은 시작이 시작을 시작과 시작으로"],
    ["파일", "파일은 파일이 파일을 파일과 파일로"],
    ["0", "0은 0이 0을 0과 0으로"],
    ["1", "1은 1이 1을 1과 1로"],
    ["2", "2는 2가 2를 2와 2로"],
    ["3", "3은 3이 3을 3과 3으로"],
    ["T1.4", "T1.4는 T1.4가 T1.4를 T1.4와 T1.4로"],
    ["v5", "v5는 v5가 v5를 v5와 v5로"],
    ["P2-S6", "P2-S6은 P2-S6이 P2-S6을 P2-S6과 P2-S6으로"],
    ["T1.7", "T1.7은 T1.7이 T1.7을 T1.7과 T1.7로"],
    ["8", "8은 8이 8을 8과 8로"],
    ["9", "9는 9가 9를 9와 9로"],
    ["10", "10은 10이 10을 10과 10으로"],
    ["git", "git은 git이 git을 git과 git으로"],
    ["main", "main은 main이 main을 main과 main으로"],
    ["shell", "shell은 shell이 shell을 shell과 shell로"],
    ["claude", "claude는 claude가 claude를 claude와 claude로"],
    ["codex", "codex는 codex가 codex를 codex와 codex로"],
    ["commit", "commit은 commit이 commit을 commit과 commit으로"],
    ["T2.2-FE", "T2.2-FE는 T2.2-FE가 T2.2-FE를 T2.2-FE와 T2.2-FE로"],
    ["a.json", "a.json은 a.json이 a.json을 a.json과 a.json으로"],
    ["fallback", "fallback은 fallback이 fallback을 fallback과 fallback으로"],
    ["check", "check는 check가 check를 check와 check로"],
    ["setup", "setup은 setup이 setup을 setup과 setup으로"],
    ["webhook", "webhook은 webhook이 webhook을 webhook과 webhook으로"],
    ["name", "name은 name이 name을 name과 name으로"],
    ["merge", "merge는 merge가 merge를 merge와 merge로"],
    ["file", "file은 file이 file을 file과 file로"],
    ["DONE", "DONE은 DONE이 DONE을 DONE과 DONE으로"],
    ["API", "API는 API가 API를 API와 API로"],
    ["AFTER", "AFTER는 AFTER가 AFTER를 AFTER와 AFTER로"],
    ["init", "init은 init이 init을 init과 init으로"],
    ["PR", "PR은 PR이 PR을 PR과 PR로"],
    ["90 %", "90 %는 90 %가 90 %를 90 %와 90 %로"],
    ["", "는 가 를 와 로"],
  ])("[XW11] behind %o is the one that is read there", (word, told) => {
    const kinds = ["은/는", "이/가", "을/를", "과/와", "으로/로"] as const;
    expect(kinds.map(kind => withParticle(word, kind)).join(" ")).toBe(told);
  });

  it("[XW11] passes over quotes and brackets", () => {
    expect(particle('"파일"', "을/를")).toBe("을");
    expect(particle("`T1.2`", "은/는")).toBe("는");
    expect(particle("작업(2개)", "이/가")).toBe("가");
    expect(particle("phase/1-결제…", "이/가")).toBe("가");
    expect(`버전${particle("버전", "이/")}라`).toBe("버전이라");
  });

  it("[XW11] is found in any text", () => {
    for (const text of ["\ud800", "…", "🙂", "日本", "é", "x".repeat(100_000), " ".repeat(100_000)])
      expect(["은", "는"]).toContain(particle(text, "은/는"));
  });
});
