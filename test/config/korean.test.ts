import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/index.ts";

/** What is wrong with a configuration, as readers of Korean are told it. */
function told(text: string): string[] {
  const read = readConfig(text);
  if (read.ok) return [];
  return read.failure.flatMap(({ korean, message, hint }) => [
    korean?.message ?? message,
    korean?.hint ?? hint,
  ]);
}

const HINT = "쓸 수 있는 값은 espalier help configuration에 있습니다";

describe("what is wrong with a configuration", () => {
  it.each([
    ["paralel: 3", '모르는 키 "paralel"', '혹시 "parallel"인가요?'],
    ["agents: { claude: { zzzzzzzz: 1 } }", 'agents.claude: 모르는 키 "zzzzzzzz"', "아는 키: "],
    ["maxAttempts: 99999", "maxAttempts: 1000 이하여야 합니다", HINT],
    ["maxAttempts: 0", "maxAttempts: 1 이상이어야 합니다", HINT],
    ["maxAttempts: many", 'maxAttempts: 3 같은 수를 적으세요. 적힌 값: "many"', HINT],
    ["worktree: { setup: npm ci }", 'worktree.setup: [npm ci] 같은 목록을 적으세요. 적힌 값: "npm ci"', HINT],
    ["notify: [a]", "notify: { key: value } 같은 매핑을 적으세요. 적힌 값: 목록", HINT],
    ["limits: { wall: 30 }", "limits.wall: 30s, 10m, 1h 같은 기간을 적으세요", HINT],
    ["limits: { wall: soon }", 'limits.wall: 30s, 10m, 1h 같은 기간을 적으세요. 적힌 값: "soon"', HINT],
    ["signals: loud", "signals: nonce, plain 가운데 하나를 적으세요", HINT],
    ["parallel: many", 'parallel: 1에서 1000까지의 수 또는 "declared"를 적으세요', HINT],
  ])("[LG1] is told in Korean, too: %s", (text, message, hint) => {
    const [first, second] = told(text);
    expect(first).toBe(message);
    expect(second).toContain(hint);
  });

  it("[LG1] in sentences that the schema still says", () => {
    const sources = globSync("src/config/*.ts")
      .filter(path => !path.endsWith("korean.ts"))
      .map(path => readFileSync(path, "utf8"))
      .join("\n");
    const sentences = [...readFileSync("src/config/korean.ts", "utf8").matchAll(/^ {2}(["'])(.{12,})\1:/gm)];
    expect(sentences.length).toBeGreaterThan(15);
    const gone = sentences.map(([, , sentence]) => sentence!).filter(sentence => !sources.includes(sentence));
    expect(gone.filter(sentence => !sentence.startsWith("expected something like "))).toEqual([]);
  });
});
