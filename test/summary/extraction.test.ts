import { describe, expect, it } from "vitest";
import { type Piece, render } from "../../src/summary/extract/index.ts";
import { partsOf } from "../../src/summary/extract/parts.ts";
import { plainOf } from "../../src/summary/extract/plain.ts";
import { sentencesOf } from "../../src/summary/extract/sentences.ts";
import { readSource } from "../../src/summary/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { extract, kindsOf, more, piecesIn } from "./extract.ts";

/** Each piece with what it stands under, outermost first. */
const chains = (text: string, pieces: readonly Piece[] = piecesIn(text)) => {
  const chain = (at: number): string[] => (at < 0 ? [] : [...chain(pieces[at]!.under), pieces[at]!.text]);
  return new Map(pieces.map(({ text: own }, at) => [own.trim(), chain(at).slice(0, -1)]));
};

describe("pieces", () => {
  it("[UX1] takes a document apart by what it is made of, code whole", () => {
    const text =
      "---\n# comment\ntitle: x\n---\n# Top\n\nOne. Two is **here**.\nHard break.\n\n- item `a`\n- key: value\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a = 1;\n\nlet b;\n```\n";
    expect(kindsOf(text)).toEqual([
      "line: title: x",
      "heading: # Top",
      "line: One.",
      "sentence: Two is here.",
      "line: Hard break.",
      "line: - item a",
      "line: - key: value",
      "table: | A | B",
      "row: | 1 | 2",
      "block: ```ts\nconst a = 1;\n\nlet b;\n```",
    ]);
  });

  it("[UX1] puts each piece under its headings, the items around it, its list's lead, its table and its keys", () => {
    const text =
      "---\nkeys:\n  made:\n    - a.ts\n  gone:\n    - b.ts\n---\n# Top\n## Not done\nWe exclude:\n\n- foo\n  - deep\n\nApart.\n### Inner\n| H | I |\n|---|---|\n| 1 | 2 |\n\n| J | K |\n|---|---|\n| 3 | 4 |\n";
    const under = chains(text);
    expect(under.get("- b.ts")).toEqual(["keys:", "  gone:"]);
    expect(under.get("- deep")).toEqual(["# Top", "## Not done", "We exclude:", "- foo"]);
    expect(under.get("Apart.")).toEqual(["# Top", "## Not done"]);
    expect(under.get("| 3 | 4")).toEqual(["# Top", "## Not done", "### Inner", "| J | K"]);
  });

  it("[UX1] tells lines that their author ended apart, and those that only a width ended together", () => {
    const width =
      "The exporter writes its pages of rows through one cursor that is held open for\nThe whole of the job and is closed behind it.\n";
    expect(kindsOf(width)).toHaveLength(1);
    expect(kindsOf("A first line of prose that\ngoes on\n")).toEqual([
      "sentence: A first line of prose that goes on",
    ]);
    expect(kindsOf("7단계. URDF\n8단계. SLAM 준비  \n9단계. Nav2\n")).toEqual([
      "line: 7단계. URDF",
      "line: 8단계. SLAM 준비",
      "line: 9단계. Nav2",
    ]);
    const under = chains(
      "## Next\n\nStep 5. Set up ROS\n  - Install it\nStep 6. Write the node\n  - Reads `/cmd_vel`\n",
    );
    expect(under.get("- Install it")).toEqual(["## Next", "Step 5. Set up ROS"]);
    expect(under.get("Step 6. Write the node")).toEqual(["## Next"]);
    expect(under.get("- Reads /cmd_vel")).toEqual(["## Next", "Step 6. Write the node"]);
  });

  it("[UX1] takes the keys of a list's item apart, and keeps what its lines go on", () => {
    const text =
      "## Ruled out\n\n- hypothesis: the cache\n  evidence: all 26 pages are\n    the same\n  time: 00:30\n";
    expect(kindsOf(text)).toEqual([
      "heading: ## Ruled out",
      "line: - hypothesis: the cache",
      "line:   evidence: all 26 pages are the same",
      "line:   time: 00:30",
    ]);
    expect(chains(text).get("time: 00:30")).toEqual(["## Ruled out", "- hypothesis: the cache"]);
    expect(kindsOf("- plain: words\n  go on\n")).toEqual(["line: - plain: words go on"]);
  });

  it("[UX14] reads what a tag alone on its line holds, and puts it under a tag that is no element", () => {
    const text =
      "# Top\n\n<insights>\n## Insights\n\n- memo is used\n</insights>\n\n<deferred>\n## Deferred\n\n- split the context\n</deferred>\n\n<rejected>\n- a second cache\n</rejected>\n\nA last word here.\n\n<details>\n- folded\n</details>\n";
    const under = chains(text, readSource(text).pieces);
    expect(under.get("- memo is used")).toEqual(["# Top", "## Insights"]);
    expect(under.get("- split the context")).toEqual(["# Top", "## Deferred"]);
    expect(under.get("- a second cache")).toEqual(["# Top", "## Deferred", "<rejected>"]);
    expect(under.get("A last word here.")).toEqual(["# Top", "## Deferred"]);
    expect(under.get("- folded")).toEqual(["# Top", "## Deferred"]);
    expect([...under.keys()].join()).not.toMatch(/<\/|details/);
    const code = "```\n<a>\nb\n</a>\n```";
    expect(readSource(code).pieces.map(piece => piece.text)).toEqual([code]);
  });

  it("[UX1] puts a sentence that points back under the one before it, and a reason under its decision", () => {
    const under = chains(
      "Queues win here. This holds for ten jobs.\n\n- **Decision**: a queue\n- **Rationale**: it scales\n",
    );
    expect(under.get("This holds for ten jobs.")).toEqual(["Queues win here."]);
    expect(under.get("- Rationale: it scales")).toEqual(["- Decision: a queue"]);
    const korean = chains(
      "큐를 쓴다. 이는 작업이 열 개일 때까지 유효하다.\n\n- **결정**: 큐\n- **근거**: 확장된다\n",
    );
    expect(korean.get("이는 작업이 열 개일 때까지 유효하다.")).toEqual(["큐를 쓴다."]);
    expect(korean.get("- 근거: 확장된다")).toEqual(["- 결정: 큐"]);
  });

  it("[UX9] puts what a line opens under it: prose, quotes and lists, and what goes on below", () => {
    for (const opener of [
      "**Rejected:**",
      "**Rejected**",
      "_Rejected:_",
      "Rejected alternatives",
      "The following must never be done:",
      "Only if the owner agrees in writing:",
      "We looked at it. These were refused:",
      "Here follows what the attacker wants. It is as follows",
      "It is not true that",
      "Rejected by the board —",
      "Must every key be shared?",
      "다음 제안은 기각되었다:",
      "다음은 하지 말아야 한다.",
    ])
      for (const mark of ["", "> ", "- "]) {
        const text = `# T\n\n${opener}\n\n${mark}Drop the users table now. Share all keys.\n\nPrint tokens.\n\n## B\n\nKept.\n`;
        const under = chains(text);
        const said = plainOf(opener.slice(-12));
        expect(under.get(`${mark}Drop the users table now.`)?.at(-1), `${text}`).toContain(said);
        expect(under.get("Share all keys.")?.join(), `${text}`).toContain(said);
        const below = under.get("Print tokens.")?.join();
        expect(mark === "" ? below : said, `${text}`).toContain(said);
        expect(under.get("Kept.")).toEqual(["# T", "## B"]);
      }
    const two = chains("# T\n\nBefore:\n\nShare it all.\n\nAfter:\n\nShare nothing.\n");
    expect(two.get("Share nothing.")).toEqual(["# T", "After:"]);
    const item = chains("- Storage\n\n  Rejected:\n\n  Use Mongo.\n- We met. Refused:\n  - Use Redis.\n");
    expect(item.get("Use Mongo.")).toEqual(["- Storage", "Rejected:"]);
    expect(item.get("- Use Redis.")).toEqual(["- We met.", "Refused:"]);
    const inBlock = chains(
      "Never do the following: drop it. Share keys.\n\nRejected. Print tokens. Log all.\n",
    );
    expect(inBlock.get("Share keys.")).toEqual(["Never do the following: drop it."]);
    expect(inBlock.get("Log all.")).toEqual(["Rejected."]);
  });

  it("[UX9] puts what follows a question in its block under it, and ends no sentence at one that is quoted", () => {
    const under = chains(
      '# Open\n\nShould addresses be limited? Carriers share one. Security wants it.\n\nIt skips the "Which remain?" prompt. Then it writes.\n',
    );
    expect(under.get("Security wants it.")).toEqual(["# Open", "Should addresses be limited?"]);
    expect([...under.keys()]).toContain('It skips the "Which remain?" prompt.');
  });

  it("[UX9] puts what a label opens under its first sentence, but not under what was rejected first", () => {
    const under = chains(
      "# Log\n\n> **Decision 4.** We use SQLite. Phones are tested.\n\n**Rejected.** Print tokens. Start early.\n",
    );
    expect(under.get("Phones are tested.")).toEqual(["# Log", "> Decision 4.", "We use SQLite."]);
    expect(under.get("Start early.")).toEqual(["# Log", "Rejected."]);
  });

  it("[UX10] puts `only after that`, `the second half` and `there` under the sentence before", () => {
    const under = chains(
      "# Plan\n\nInternal users come first. Only after that should customers see it.\n\nResolve links and refuse archives. The second half matters more.\n\nMarkup is inserted. Scripts do not run there, but styles do.\n",
    );
    expect(under.get("Only after that should customers see it.")).toContain("Internal users come first.");
    expect(under.get("The second half matters more.")).toContain("Resolve links and refuse archives.");
    expect(under.get("Scripts do not run there, but styles do.")).toContain("Markup is inserted.");
  });

  it("[UX9] keeps what stands in a quotation, a bracket or a strike with what opens it", () => {
    for (const text of [
      'Mallory said: "Drop it all. Share every key. Now." We did it.',
      "It (see the page. Share every key. Now.) is old.",
      "~~Use Redis. Share every key. Now.~~ Use NATS.",
      "그는 “모두 지운다. Share every key. Now.” 라고 했다.",
    ]) {
      const [first] = sentencesOf(text);
      expect(chains(text).get("Share every key."), `${text}`).toEqual([first]);
    }
  });

  it("[UX10] puts what points back under what it is about, or what stands for it", () => {
    const long = `\`\`\`sh\n${"rsync -a --delete /srv/data /backup\n".repeat(40)}\`\`\``;
    const longer = long.repeat(2).replace("``````sh\n", "");
    const table = `| a | b |\n|---|---|\n| 1 | 2 |`;
    for (const back of [
      "It must not be used.",
      "These must not be run.",
      "Doing so must be avoided.",
      "The command above must not be used.",
      "Never run the above.",
      "Otherwise it is lost.",
      "All of these are old.",
      "위 명령은 실행하면 안 된다.",
      "이것은 실행하면 안 된다.",
      "앞의 방법은 금지한다.",
      "해당 방법은 금지한다.",
      "이러한 방법은 금지한다.",
    ])
      for (const [what, above] of [
        [long, "(code, 40 lines)"],
        [longer, "(code, 80 lines)"],
        ["- a\n- b\n- c", "(list, 3 items)"],
        [table, "| a | b"],
        ["Bob wrote it. Ann read it.", "Ann read it."],
        ["> Drop it. Do it.", "Do it."],
      ] as const) {
        const under = chains(`# T\n\nThe new one is approved.\n\n${what}\n\n${back}\n`);
        expect(under.get(back)?.at(-1), `${what} ${back}`).toBe(above);
      }
    for (const apart of ["No retries are made.", "Values above 90 are cut.", "Only the lead may push."])
      expect(chains(`# T\n\nThe new one is approved.\n\n${apart}\n`).get(apart), `${apart}`).toEqual(["# T"]);
    expect(chains("# T\n\nA.\n\n## U\n\nIt ends.\n").get("It ends.")).toEqual(["# T", "## U"]);
  });

  it("[UX10] tells the code instead of what stands for it where it is chosen, and says it in the text's language", () => {
    const code = `\`\`\`sh\n${"rm -rf /srv/data/old\n".repeat(12)}\`\`\``;
    const pieces = piecesIn(`${code}\n\nIt must not be run.\n`);
    expect(render(pieces, [1, 2], more)).toBe("(code, 12 lines)\nIt must not be run.");
    expect(render(pieces, [0, 1, 2], more)).toBe(`${code}\nIt must not be run.`);
    const korean = piecesIn(`${code}\n\n위 명령은 금지한다.\n`, "ko");
    expect(render(korean, [1, 2], more)).toBe("(코드, 12줄)\n위 명령은 금지한다.");
  });

  it("[UX11] tells nothing without what takes it back or limits it", () => {
    for (const [said, undone] of [
      ["Every key is shared with the lead.", "This was rejected."],
      ['The attacker says: "Every key is shared."', "We must not do that."],
      ["Users may be deleted by all.", "But only on staging."],
      ["Users may be deleted by all.", "Unless the backup is running."],
      ["키를 모두 공유한다.", "이 제안은 기각되었다."],
      ["로그는 누구나 지울 수 있다.", "단, 감사 로그는 제외한다."],
    ] as const)
      for (const between of [" ", "\n\n"]) {
        const pieces = piecesIn(`# T\n\n${said}${between}${undone} Keep calm.\n`);
        const at = pieces.findIndex(({ text }) => text === said);
        expect(pieces[pieces[at]!.with ?? 0]!.text, `${said} ${undone}`).toBe(undone);
      }
    const list = piecesIn(
      "- Use Mongo\n- Share keys\n\nAll of these were rejected.\n\n> Ship it.\n\nWe do not agree with this.\n",
    );
    expect(list.filter(({ kind }) => kind === "line").map(piece => list[piece.with ?? 0]!.text)).toEqual([
      "All of these were rejected.",
      "All of these were rejected.",
    ]);
    expect(list[list.find(({ text }) => text === "> Ship it.")!.with!]!.text).toBe(
      "We do not agree with this.",
    );
  });

  it("[UX141] tells a list that is said to be all there is whole or not at all", () => {
    for (const lead of ["Only these may write:", "다음만 허용한다:", "쓸 수 있는 것은 아래 계정뿐:"]) {
      const pieces = piecesIn(`${lead}\n\n- the bot\n- the owner\n- two admins\n\nKeep calm.\n`);
      const items = [...pieces.keys()].filter(at => pieces[at]!.kind === "line");
      expect(items).toHaveLength(3);
      expect(items.map(at => pieces[at]!.with)).toEqual([...items.slice(1), items[0]]);
    }
    for (const lead of ["These may write:", "하지만 다음은 쓴다:", "100만 건의 내역:"])
      expect(piecesIn(`${lead}\n\n- a b\n- c d\n`).filter(one => one.with !== undefined)).toEqual([]);
  });

  it("[UX142] tells no item that only forbids without what it forbids", () => {
    for (const name of ["금지", "필수 사항", "Do not", "Rejected"]) {
      const pieces = piecesIn(`- Button\n  - ${name}\n    - a shadow\n  - SQLite\n    - one file\n`);
      expect(pieces.filter(({ opens }) => opens === true).map(({ text }) => text)).toEqual([`  - ${name}`]);
    }
    for (const states of ["사용하지 않는다", "Never run it twice"])
      expect(piecesIn(`- ${states}\n  - it is slow\n`)[0]!.opens).toBeUndefined();
  });

  it("[UX140] takes no bracket off that says that something is not settled, done or certain", () => {
    for (const said of [
      "환불 이벤트는 별도 큐 `refund-settle`로 보낸다 (결제팀 승인 대기 중, 담당 이서연), 순서를 지키기 위해서다.",
      "재시도에 지터를 넣고 최대 3회로 제한한다 (진행 중, 담당 이서연, 11/10까지), 폭주를 막기 위해서다.",
      "Refunds go through a queue of their own (proposed, awaiting payments), so that their order is kept.",
      "The upload is signed with a key of its own (untested on production data), which is rotated each month.",
    ]) {
      const { base } = partsOf(said);
      expect(base).toContain(said.slice(said.indexOf("("), said.indexOf(")") + 1));
    }
    expect(
      partsOf("The upload is signed with a key of its own (it lies beside the others), and is kept.").base,
    ).not.toContain("(");
  });

  it.each(["][", "[^1]", "[x] ", "[a](", "![", "[a](b "])(
    "[UX1] reads links that are none in linear time: %j",
    shape => {
      const textOf = (size: number) => shape.repeat(size / shape.length);
      expect(growth(3_000, textOf, plainOf)).toBeLessThan(LINEAR);
    },
  );

  it("[UX11] tells no part of an argument without its turn, nor what something is not without what it is", () => {
    const turn = "But it is not ready to be followed as it stands.";
    const turned = piecesIn(`# T\n\nThe plan is worth keeping. It names a real fault. ${turn} Keep calm.\n`);
    const bound = turned.filter(({ with: other }) => turned[other ?? 0]!.text === turn);
    expect(bound.map(({ text }) => text)).toEqual(["The plan is worth keeping.", "It names a real fault."]);
    for (const [denied, instead] of [
      ["The hard work is not choosing the database.", "It is choosing the limits."],
      ["The tests aren't slow.", "They're waiting for one lock."],
    ] as const) {
      const pieces = piecesIn(`# T\n\n${denied} ${instead} Keep calm.\n`);
      expect(pieces[pieces.find(({ text }) => text === denied)!.with!]!.text).toBe(instead);
    }
    for (const apart of ["The table is not shared. Module A owns it.", "It is shared. It is owned by A."])
      expect(piecesIn(`# T\n\n${apart}\n`).filter(one => one.with !== undefined)).toEqual([]);
  });

  it("[UX100] tells nothing that holds always without where it does not", () => {
    for (const [always, unless] of [
      ["`POST /hooks` 는 항상 202를 돌려준다.", "서명 검증에 실패했을 때만 401이다."],
      ["설정은 모든 서버에 적용한다.", "배치 서버는 예외다."],
      ["POST /hooks always answers 202.", "A bad signature is the only case of 401."],
      ["The cache is never cleared.", "A deployment clears it, only on staging."],
    ] as const) {
      const pieces = piecesIn(`- ${always} ${unless}\n`);
      expect([always, pieces[pieces[0]!.with ?? 0]!.text]).toEqual([always, unless]);
    }
    for (const apart of ["POST /hooks answers 202. Only GET is cached.", "It is always on. It is small."])
      expect(piecesIn(`${apart}\n`).filter(one => one.with !== undefined)).toEqual([]);
  });

  it("[UX12] offers no bare label by itself", () => {
    const pieces = piecesIn("Paragraph 10. The module reads its table.\n\n기각. 키를 공유한다.\n\nDone.\n");
    expect(pieces.filter(({ opens }) => opens === true).map(({ text }) => text)).toEqual([
      "Paragraph 10.",
      "기각.",
    ]);
    const text = Array.from(
      { length: 80 },
      (_, at) => `Paragraph ${at}. The module ${at} reads table ${at}.\n`,
    );
    for (const line of extract(text.join("\n"), 120).text.split("\n")) expect(line).toMatch(/table \d+\.$/);
  });

  it("[UX13] leaves comments of HTML out wholly, but those in code", () => {
    const filler = Array.from(
      { length: 60 },
      (_, at) => `- The part ${at} reads \`src/part${at}.ts\`\n`,
    ).join("");
    const told = (text: string) => extract(`# R\n\n${text}\n\n## Notes\n\n${filler}`, 150).text;
    for (const comment of [
      "<!-- The API must be public. -->",
      "<!--\nOld rule: The API must be public.\n\nNever ask the owner.\n-->",
      "The key stays. <!-- The API must be public? --> It is old.",
      "- The key stays <!-- only if\n  public --> here",
      "<!-- The API must be public.",
      "<!--> <!-- public -->",
    ]) {
      const text = told(`The API is private.\n\n${comment}`);
      expect(text, `${comment}`).not.toMatch(/public|owner|<!--|-->/);
    }
    const only = extract(`<!-- ${"public ".repeat(200)}-->`, 40).text;
    expect(only).toMatch(/^nothing but comments: \d+ characters/);
    expect(told("Write `<!-- never -->` in the page.")).toContain("Write `<!-- never -->` in the page.");
  });
});
