import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createChooser, type Piece } from "../../src/summary/extract/index.ts";
import { statementSigns } from "../../src/summary/extract/signs.ts";
import { readSource } from "../../src/summary/index.ts";
import { extract } from "./extract.ts";

/** Pieces with one feature each, of the worth and cost given. */
function toy(rows: readonly (readonly [worth: number, cost: number, under?: number])[]) {
  const pieces = rows.map(
    ([, , under = -1], at): Piece => ({ kind: "sentence", text: `p${at}`, under, block: at, heading: -1 }),
  );
  const weights = {
    features: rows.map((_, at) => [at]),
    index: new Map(),
    worth: rows.map(() => 1),
    value: rows.map(([worth]) => worth),
  };
  return { pieces, weights, costs: rows.map(([, cost]) => cost) };
}

describe("choice", () => {
  it("[UX2] takes what is worth most for its cost", () => {
    const { pieces, weights, costs } = toy([
      [1, 10],
      [9, 10],
      [5, 2],
      [2, 30],
    ]);
    expect(createChooser(pieces, weights, costs, new Set())(12)).toEqual({ pieces: [1, 2], tokens: 12 });
  });

  it("[UX2] counts a term once", () => {
    const { pieces, weights, costs } = toy([
      [5, 5],
      [5, 5],
      [1, 5],
    ]);
    const same = { ...weights, features: [[0], [0], [2]] };
    expect(createChooser(pieces, same, costs, new Set())(10).pieces).toEqual([0, 2]);
    expect(createChooser(pieces, same, costs, new Set([0]))(10).pieces).toEqual([2]);
  });

  it("[UX5] leaves out headings, labels and table heads that nothing stands under", () => {
    const facts = Array.from(
      { length: 40 },
      (_, at) => `- The export of part ${at} reads \`src/part${at}.ts\``,
    );
    const text = ["## Alone", "**Coverage:**", "## Facts", ...facts, "## 범위", "범위："].join("\n\n");
    const brief = extract(text, 200).text;
    expect(brief).toContain("## Facts");
    for (const left of ["Alone", "Coverage", "범위"]) expect(brief).not.toContain(left);
  });

  it("[UX3] takes what must stand above with it, and pays for it once", () => {
    const { pieces, weights, costs } = toy([
      [0, 6],
      [4, 2, 0],
      [4, 2, 0],
      [1, 4],
    ]);
    expect(createChooser(pieces, weights, costs, new Set())(10)).toEqual({ pieces: [0, 1, 2], tokens: 10 });
    expect(createChooser(pieces, weights, costs, new Set())(7).pieces).toEqual([3]);
    expect(createChooser(pieces, weights, costs, new Set())(14).pieces).toEqual([0, 1, 2, 3]);
  });

  it("[UX2] never exceeds its tokens and never leaves a parent out", () => {
    const row = fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 30 }), fc.integer({ min: -1, max: 30 }));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), fc.nat(200), (rows, budget) => {
        const { pieces, weights, costs } = toy(
          rows.map(([worth, cost, under], at) => [worth, cost, under < at ? under : -1]),
        );
        const choice = createChooser(pieces, weights, costs, new Set())(budget);
        expect(choice.tokens).toBeLessThanOrEqual(budget);
        expect(choice.tokens).toBe(choice.pieces.reduce((sum, at) => sum + costs[at]!, 0));
        const parents = choice.pieces.map(at => pieces[at]!.under).filter(under => under >= 0);
        expect(choice.pieces).toEqual(expect.arrayContaining(parents));
      }),
    );
  });

  it("[UX7] prefers what decides, binds, denies and leads on to files, logs and code, in English and Korean", () => {
    const filler = (at: number) =>
      `- \`src/part${at}/module${at}.ts\` - ${at * 3} lines, helper of part ${at}\n- log line ${at}: handled in ${at} ms\n`;
    const around = Array.from({ length: 60 }, (_, at) => filler(at)).join("");
    const english = `# Exports move to a queue\n\nExports of more than 10,000 rows time out, so they become jobs.\n\n## Files\n\n${around}\n## Decisions\n\n- Use a queue in Postgres instead of Redis\n\n## Rules\n\n- Never retry a job that has written rows\n\n## Next\n\n- Measure 400 jobs before the release\n\n## Log\n\n${around}`;
    const brief = extract(english, 150).text;
    for (const said of ["become jobs", "instead of Redis", "Never retry", "Measure 400 jobs"])
      expect(brief).toContain(said);
    const korean = `# 내보내기를 큐로 옮김\n\n행이 10,000개를 넘으면 시간이 초과되어 작업으로 바꾼다.\n\n## 파일\n\n${around}\n## 결정\n\n- Redis 대신 Postgres 큐를 사용한다\n\n## 규칙\n\n- 행을 쓴 작업은 절대 다시 시도하지 않는다\n\n## 다음\n\n- 출시 전에 작업 400개를 재 본다\n\n## 로그\n\n${around}`;
    const short = extract(korean, 220).text;
    for (const said of ["작업으로 바꾼다", "Redis 대신", "절대 다시", "400개"]) expect(short).toContain(said);
  });

  it("[UX15] tells a heading that states something by itself, and no other", () => {
    const told = (headings: readonly string[]) => {
      const sections = headings.map(
        (heading, at) =>
          `## ${heading}\n\n- We talked about topic ${at} on the way and looked at what others had written of it.\n`,
      );
      return extract(`# Log\n\n${sections.join("\n")}`, 44).text;
    };
    const text = told([
      "D1: Local database is SQLite",
      "Setting the scene",
      "F2: Updates can be downgraded",
      "결정: 논리 복제로 이관한다",
      "Timeline",
    ]);
    for (const said of ["SQLite", "downgraded", "이관한다"]) expect(text).toContain(said);
    for (const left of ["Setting the scene", "Timeline", "topic"]) expect(text).not.toContain(left);
  });

  it("[UX15] tells no heading by itself that only says how urgent is what stands under it", () => {
    const section = (heading: string) =>
      `### ${heading}\n\n- We looked at what others had written of topic ${heading.length} on the way.\n`;
    const urgent = ["P0 — 즉시 대응", "P1 - within this month"].map(section).join("\n");
    const { text } = extract(`# Log\n\n## What to mend\n\n${urgent}\n### R4: SQLite is used\n`, 30);
    expect(text).toBe("# Log\n## What to mend\n### R4: SQLite is used");
  });

  it("[UX15] tells a finding by its heading, with how urgent it is in brackets before it", () => {
    const found = ["[P1] Session lost after refresh", "[P2] Totals drift between two exports"];
    const sections = found.map(heading => `### ${heading}\n\n- We looked at this on the way, with others.\n`);
    const { text } = extract(`# Review\n\n${sections.join("\n")}`, 30);
    for (const heading of found) expect(text).toContain(heading);
  });

  it("[UX15] tells no heading by itself that asks, however it is numbered", () => {
    const section = (heading: string) =>
      `## ${heading}\n\n- We use the queue of part ${heading.length} there.\n`;
    const asked = ["R1: Where the number comes from", "R2: 큐를 고르는 방법", "3. Which store do we use?"];
    const { text } = extract(`# Log\n\n${asked.map(section).join("\n")}\n## R4: SQLite is used\n`, 60);
    expect(text).toContain("R4: SQLite is used");
    const lines = text.split("\n");
    const below = lines.flatMap((line, at) =>
      asked.some(heading => line.includes(heading)) ? [lines[at + 1] ?? ""] : [],
    );
    for (const line of below) expect(line).toContain("We use the queue");
    expect(text).not.toContain("comes from\n##");
  });

  it("[UX16] opens no section because of what its heading only names", () => {
    const { weights, costs, ...toys } = toy([
      [9, 4],
      [4, 4, 0],
      [3, 4, 0],
      [5, 8],
    ]);
    const chosenUnder = (heading: string) => {
      const pieces = toys.pieces.map(
        (piece, at): Piece => (at === 0 ? { ...piece, kind: "heading", text: heading } : piece),
      );
      return createChooser(pieces, weights, costs, new Set())(8).pieces;
    };
    expect(chosenUnder("## Background")).toEqual([3]);
    expect(chosenUnder("## D1: SQLite is used, not Realm")).toEqual([0, 1]);
    expect(chosenUnder("# Background")).toEqual([0, 1]);
  });

  it("[UX18] counts what tells how a text was made for little", () => {
    const worthOf = (key: string) => {
      const body = "The export reads the queue of the shop, which no other part does. ".repeat(4);
      const text = `---\n${key}:\n  platform:\n    name: garden\n---\n\n# Report\n\n${body}\n`;
      const { pieces, weights } = readSource(text);
      return weights.value[pieces.findIndex(piece => piece.text.includes("garden"))]!;
    };
    for (const key of ["signature", "provenance_status", "session_id", '"generated_by"'])
      expect(worthOf(key)).toBeLessThan(0.5 * worthOf("signal"));
    expect(statementSigns("Verifier: Claude (a checker)").credit).toBe(true);
    expect(statementSigns("_Verifier: Claude (a checker)_").credit).toBe(true);
    expect(statementSigns("Verified: all 26 of them").credit).toBe(false);
  });

  it("[UX17] counts what ends like many of its section for less", () => {
    const worthOf = (text: string, said: string) => {
      const { pieces, weights } = readSource(text);
      return weights.value[pieces.findIndex(piece => piece.text.includes(said))]!;
    };
    const list = (endings: readonly string[]) => {
      const checks = "지갑 잔액 세션 정책 알림 백업".split(" ").map((part, at) => `- ${part} ${endings[at]}`);
      return `# 검증\n\n## 항목\n\n${checks.join("\n")}\n- 포트 8080 열기 검사\n`;
    };
    const [alike, apart] = [
      list(Array.from({ length: 6 }, () => "검사")),
      list("조회 복원 삭제 적용 전송 생성".split(" ")),
    ];
    expect(worthOf(alike, "8080")).toBeLessThan(0.8 * worthOf(apart, "8080"));
    const two = list("검사 복원 삭제 적용 전송 생성".split(" "));
    expect(worthOf(two, "8080")).toBeGreaterThan(0.95 * worthOf(apart, "8080"));
    const elsewhere = alike.replace("- 포트", "\n## 서버\n\n- 포트");
    expect(worthOf(elsewhere, "8080")).toBeGreaterThan(worthOf(alike, "8080"));
  });

  it("[UX11] tells no entry of front matter without what became of it", () => {
    const entry = (at: number) =>
      `  - truth: "No token ever opens ${at} doors"\n    where: door ${at}\n    status: as the log of ${at} pages from the night before last shows somewhere\n`;
    const entries = Array.from({ length: 6 }, (_, at) => entry(at)).join("");
    const pages = `${"We looked at the doors of the house for days. ".repeat(30)}\n`;
    const text = `---\ngaps:\n${entries}---\n\n# Report\n\n${pages}`;
    const told = (tokens: number, said: string) =>
      extract(text, tokens)
        .text.split("\n")
        .filter(line => line.includes(said)).length;
    expect(told(60, "truth")).toBeGreaterThan(0);
    for (const tokens of [30, 40, 50, 60, 75, 90, 110, 130])
      expect(told(tokens, "status:")).toBe(told(tokens, "truth"));
  });

  it("[UX7] takes polite Korean rules and choices for what they are", () => {
    const way = (at: number) => `${at}번 화면을 만들면서 여러 팀의 의견을 모아 보았습니다. `;
    const rules = [
      "worker는 8개를 넘기지 마세요.",
      "로그에 번호를 남길 수 없습니다.",
      "큐는 RabbitMQ를 골랐습니다.",
    ];
    const page = `# 인수인계\n\n## 본문\n\n${Array.from({ length: 30 }, (_, at) => way(at)).join("")}${rules.join(" ")}\n`;
    const { text } = extract(page, 50);
    for (const rule of rules) expect(text).toContain(rule);
    const [must, cannot, chosen] = rules.map(statementSigns);
    expect([must?.rule, cannot?.rule, chosen?.advice]).toEqual([true, true, true]);
    expect(statementSigns("의견을 모아 보았습니다.")).toMatchObject({
      rule: false,
      advice: false,
    });
  });

  it("[UX7] puts how something is tried, and what only says where it stands, behind what it is", () => {
    const worthOf = (line: string) => {
      const { pieces, weights } = readSource(`# Report\n\n## Findings\n\n- The first one\n- ${line}\n`);
      return weights.value[pieces.findIndex(({ text }) => text.includes(line))]!;
    };
    const found = worthOf("curves: lanes fork where no dot is");
    for (const label of ["tested", "Expected", "reproduction", "재현"])
      expect(worthOf(`${label}: lanes fork where no dot is`)).toBeLessThan(0.9 * found);
    const what = worthOf("lanes fork where no dot of port 105 stands");
    for (const place of ["line 105", "port:105", "at L105"])
      expect(worthOf(`lanes fork where no dot of ${place} stands`)).toBeLessThan(0.9 * what);
    for (const said of [
      "Errors must never be swallowed",
      "HTML5 is read, from 10:30 on",
      "다음 명령 실행은 금지",
    ])
      expect(statementSigns(said)).toMatchObject({ place: false, trying: false });
    expect(statementSigns("적용 대상: 모든 서비스").credit).toBe(false);
  });

  it("[UX2] counts further statements of a section for a little less", () => {
    const { pieces, weights, costs } = toy([
      [9, 10],
      [9, 10],
      [8.7, 10],
    ]);
    const apart = pieces.map((piece, at) => ({ ...piece, heading: at === 2 ? 1 : 0 }));
    expect(createChooser(apart, weights, costs, new Set())(20).pieces).toEqual([0, 2]);
  });

  it("[UX7] prefers rules, advice and grave findings to how something came about, in English and Korean", () => {
    const way = (at: number) =>
      `We looked at part ${at} on day ${at} and saw what the others had seen of it before. `;
    const around = Array.from({ length: 40 }, (_, at) => way(at)).join("");
    const english = `# Scanner\n\n## How we went about it\n\n${around}\n\n## Result\n\n${around}We recommend Pickwise for two years. Pickers may not be ranked by name.\n`;
    const brief = extract(english, 34).text;
    for (const said of ["recommend Pickwise", "may not be ranked"]) expect(brief).toContain(said);
    expect(brief).not.toContain("on day");
    const finding = (at: number) =>
      `### F${at}: Plugin ${at} is told where it runs (${at === 7 ? "Critical" : "Low"})\n`;
    const findings = Array.from({ length: 12 }, (_, at) => finding(at)).join("\n");
    expect(extract(`# Review\n\n## Findings\n\n${findings}`, 34).text).toContain("F7");
    const path = (at: number) => `그날 ${at}번 부분을 살펴보았고 다른 팀이 적어 둔 내용을 읽었다. `;
    const korean = `# 조사\n\n## 경위\n\n${Array.from({ length: 40 }, (_, at) => path(at)).join("")}작은 모델을 유지할 것을 권고한다. 급여 문서는 색인에 넣지 않는다.\n`;
    const short = extract(korean, 45).text;
    for (const said of ["권고한다", "넣지 않는다"]) expect(short).toContain(said);
    expect(short).not.toContain("읽었다");
  });
});
