import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RunShape } from "../../src/server/shapes/run.ts";
import { serverWords, spokenTo } from "../../src/server/words.ts";
import { openStage, row, type Stage } from "./stage.ts";

const TASKS = "# Shop\n## Phase 1: Build\n### [ ] T1.1: Walls\n- run: true\n";
const KOREAN = { "espalier-locale": "ko" };
const HANGUL = /[가-힣]/;

describe("the language of a page", () => {
  it.each([
    ["ko", "en", false, "ko-KR,ko;q=0.9,en", "ko"],
    ["en", "ko", true, "ko-KR", "en"],
    [undefined, "en", true, "ko-KR", "en"],
    [undefined, "en", false, "ko-KR,ko;q=0.9,en", "ko"],
    [undefined, "en", false, "kok-IN", "en"],
    [undefined, "ko", false, "en-US", "ko"],
    [undefined, "ko", true, undefined, "ko"],
    ["<b>", "en", false, undefined, "en"],
  ] as const)(
    "[W54] chosen %s, served in %s (set: %s), by a browser of %s, is %s",
    (chosen, locale, isLocaleSet, browser, spoken) => {
      const headers: Record<string, string | undefined> = {
        "espalier-locale": chosen,
        "accept-language": browser,
      };
      expect(spokenTo(name => headers[name], { locale, isLocaleSet })).toBe(spoken);
    },
  );
});

describe("a server that is spoken to in Korean", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({
      tasks: TASKS,
      rows: () => [row("T1.1", { status: "paused", attempts: 1, reason: { code: "no-signal", args: {} } })],
    });
  });
  afterAll(() => stage[Symbol.asyncDispose]());

  it("[W54] refuses a code in Korean, closed or not, and in English one who speaks that", async () => {
    const enter = async (headers: Record<string, string>) => {
      const answer = await fetch(`${stage.page.origin}/api/pair`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ code: "WRONG" }),
      });
      return ((await answer.json()) as { error: string }).error;
    };
    expect(await enter({})).toBe(serverWords("en").wrongCode);
    expect(await enter({ "accept-language": "ko-KR,ko;q=0.9" })).toBe(serverWords("ko").wrongCode);
    for (let at = 2; at < 10; at++) await enter(KOREAN);
    expect(await enter(KOREAN)).toBe(serverWords("ko").noMoreCodes);
  });

  it("[W54] tells reasons, events and answers in Korean, and to an English page beside it in English", async () => {
    const reasonIn = async (headers: Record<string, string>) => {
      const { locale, tasks } = RunShape.parse(await (await stage.get("/api/run", headers)).json());
      return [locale, HANGUL.test(tasks[0]?.reason ?? "")];
    };
    expect(await reasonIn(KOREAN)).toEqual(["ko", true]);
    expect(await reasonIn({})).toEqual(["en", false]);
    const missing = await stage.get("/api/task?id=T9", KOREAN);
    expect(await missing.json()).toEqual({ error: serverWords("ko").noTask("T9") });
    stage.reply = { ok: true, message: "", reason: { code: "run-held", args: { asked: true } } };
    const told = (await (await stage.post({ kind: "hold", held: true }, KOREAN)).json()) as {
      message: string;
    };
    expect(told.message).toMatch(HANGUL);
  });

  it("[W54] each language has a stream: one that goes on in the other reads the run anew", async () => {
    const { revision } = (await (await stage.get("/api/run")).json()) as { revision: string };
    const first = async (headers: Record<string, string>) => {
      const control = new AbortController();
      const answer = await fetch(`${stage.page.origin}/api/stream`, {
        headers: { authorization: `Bearer ${stage.page.token}`, "last-event-id": revision, ...headers },
        signal: control.signal,
      });
      const reader = answer.body!.getReader();
      stage.happen({ type: "unblocked", task: "T1.1" });
      let text = "";
      while (!/event: /.test(text)) text += new TextDecoder().decode((await reader.read()).value);
      control.abort();
      return /event: (\w+)/.exec(text)?.[1];
    };
    expect(await first(KOREAN)).toBe("reset");
    expect(await first({})).toBe("change");
  });
});
