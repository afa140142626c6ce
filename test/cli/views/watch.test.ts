import { EventEmitter } from "node:events";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLiveModel } from "../../../src/cli/views/live/live-model.ts";
import { type Typing, typeOn } from "../../../src/cli/views/live/typed-line.ts";
import { choices, type WatchFacts, watchFrame } from "../../../src/cli/views/live/watch-frame.ts";
import { readKeys } from "../../../src/cli/views/live/watch-keys.ts";
import { openScreen } from "../../../src/cli/views/terminal/screen.ts";
import { textWidth } from "../../../src/cli/views/terminal/width.ts";
import { machinesWords } from "../../../src/cli/views/words/machines-words.ts";
import { apartFromSignals } from "../../../src/cli/watch/beside.ts";
import { fail, ok } from "../../../src/ports/index.ts";
import type { Locale } from "../../../src/text/index.ts";
import { knownMachine } from "../../server/known-machine.ts";
import { FakeTerminal, fakeClock, look, plan, type Scene, scene, task } from "./scene.ts";

function shop(): Scene {
  const s = scene(
    plan([
      task({ id: "T1.1", title: "Walls" }),
      task({ id: "T1.2", title: "주문 상태 전이 모델과 재고 예약" }),
      task({ id: "T1.3", dependsOn: ["T1.1"] }),
      task({ id: "T1.4" }),
    ]),
  );
  s.give({ type: "act", action: "pause", task: "T1.4", note: "needs a \u202edecision", textHash: "" });
  return s;
}

function facts(s: Scene, locale: Locale, rows: number, more: Partial<WatchFacts> = {}): WatchFacts {
  const { words } = look(80, locale);
  return {
    run: s.run,
    model: createLiveModel(words, text => text),
    moment: { now: s.now, monotonic: 60_000, began: 0, rows },
    live: true,
    held: false,
    budget: { used: 120_000, total: 150_000, tokens: 1_250_000, cost: 3.5 },
    copies: [
      {
        label: "GC",
        version: 7,
        standings: new Map([
          ["current", 2],
          ["stale", 1],
          ["ended", 4],
        ]),
      },
    ],
    chosen: s.run.byId.get("T1.4"),
    note: "",
    keys: words.watch.keys,
    fewKeys: words.watch.keysShort,
    ...more,
  };
}

describe("espalier watch", () => {
  it("[VK1] shows the run, the window, how copies stand, and the task that keys act on", () => {
    const lines = watchFrame(facts(shop(), "en", 30), look(100));
    const text = lines.join("\n");
    expect(text).toContain("120.0k/150.0k  80%  spent 1.25M tokens, $3.50");
    expect(text).toContain("GC v7 2 current 1 stale");
    expect(text).toContain("▸ ‖ T1.4 paused  needs a \\u{202e}decision");
    expect(lines.at(-1)).toBe(" ↑↓ choose · enter open · r retry · p pause · t tell · h hold · q quit");
  });

  it.each(["en", "ko"] as const)(
    "[VL13] says what each key does where a terminal is as wide as most begin (%s)",
    locale => {
      // One of the 80 columns stays free.
      const view = look(79, locale);
      for (const keys of [view.words.watch.keys, view.words.watch.liveKeys]) {
        const lines = watchFrame(facts(shop(), locale, 24, { keys }), view);
        expect(lines.at(-1)).toBe(` ${keys}`);
        expect(keys.match(/(?:enter|r|p|t|h|q|Ctrl\+C) [a-z가-힣]+/g)).toHaveLength(6);
      }
    },
  );

  it("[VK1] says when nobody runs it, when it is held, and what came of a key", () => {
    const text = watchFrame(
      facts(shop(), "ko", 30, { live: false, held: true, note: "T1.4 starts afresh" }),
      look(100, "ko"),
    ).join("\n");
    expect(text).toContain("실행 중인 프로세스 없음");
    expect(text).toContain("‖ 보류 중");
    expect(text).toContain("T1.4 starts afresh");
  });

  it("[VK2] fits any terminal, in both languages, with colour and without", () => {
    const far = ["build-1", "빌드-2"].map(name => knownMachine(name.repeat(9), { silent: 99_000 }));
    const machines = ok({ hub: "https://hub.example", machines: far, waiting: 12 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 140 }),
        fc.integer({ min: 1, max: 50 }),
        fc.constantFrom<Locale>("en", "ko"),
        fc.boolean(),
        (width, rows, locale, color) => {
          const lines = watchFrame(
            facts(shop(), locale, rows, { live: false, held: true, note: "note ".repeat(60), machines }),
            look(width, locale, color),
          );
          expect(lines.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
          for (const text of lines)
            expect(textWidth(stripVTControlCharacters(text))).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it.each(["en", "ko"] as const)("[VK18] names the machines of its hub, and what each does (%s)", locale => {
    const machines = [
      knownMachine("build-1", { holds: ["o1"], resources: { "gpu\u001b[2J": { offers: 2, taken: 1 } } }),
      knownMachine("build-2", { silent: 61_000 }),
      knownMachine("build-3", { draining: true }),
      ...["build-4", "build-5"].map(name => knownMachine(name)),
    ];
    const seen = ok({ hub: "https://hub.example", machines, waiting: 3 });
    const text = watchFrame(facts(shop(), locale, 30, { machines: seen }), look(200, locale)).join("\n");
    const words = machinesWords(locale);
    expect(text).toContain("build-1 1/2 gpu\\x1b[2J 1/2");
    expect(text).toContain(`build-2 ${words.silent(61)} 0/2  build-3 ${words.drains} 0/2  build-4 0/2`);
    expect(text).not.toContain("build-5");
    expect(text).toContain(words.waiting(3));
    const away = watchFrame(
      facts(shop(), locale, 30, { machines: fail("nothing answers") }),
      look(100, locale),
    );
    expect(away.join("\n")).toContain("nothing answers");
    expect(watchFrame(facts(shop(), locale, 30), look(100, locale)).join("\n")).not.toContain(
      look(100, locale).words.watch.machines,
    );
  });

  it("[VK3] offers first what waits for a person, and every task once", () => {
    const { run } = shop();
    const ids = choices(run).map(state => state.task.id);
    expect(ids[0]).toBe("T1.4");
    expect(ids.toSorted()).toEqual(["T1.1", "T1.2", "T1.3", "T1.4"]);
  });
});

describe("what is typed to an agent", () => {
  const typed = (...chunks: readonly string[]) =>
    chunks.reduce<Typing>((now, keys) => (now.kind === "open" ? typeOn(now.text, keys) : now), {
      kind: "open",
      text: "",
    });

  it.each<[string, readonly string[], Typing]>([
    ["text in any language", ["use ", "다른 API", "\r"], { kind: "send", text: "use 다른 API" }],
    ["keys that act elsewhere", ["q", "p", "h"], { kind: "open", text: "qph" }],
    ["backspace, by letters as people see them", ["a👩‍👩‍👧", "\u007f"], { kind: "open", text: "a" }],
    ["all of it taken back", ["never mind", "\u0015"], { kind: "open", text: "" }],
    [
      "cursor keys, colours and a pasted sequence",
      ["a\u001b[A\u001bOB\u001b[31mb"],
      { kind: "open", text: "ab" },
    ],
    [
      "a paste in brackets, up to its first line",
      ["\u001b[200~one\ntwo\u001b[201~"],
      { kind: "send", text: "one" },
    ],
    ["other control characters", ["a\u0000\u0007b\t"], { kind: "open", text: "ab" }],
    ["Escape", ["never", "\u001b"], { kind: "leave" }],
    ["Ctrl+C", ["never", "\u0003"], { kind: "leave" }],
    ["nothing but spaces", ["  ", "\r"], { kind: "send", text: "" }],
  ])("[VK6] %s", (_, chunks, end) => {
    expect(typed(...chunks)).toEqual(end);
  });

  it("[VK6] is no longer than an agent is told", () => {
    const long = typed("x".repeat(5000));
    expect(long).toEqual({ kind: "open", text: "x".repeat(4000) });
  });

  it("[VK6] stands in a line of its own, with its end, and the keys say what they do then", () => {
    const text = `${"밖".repeat(60)} the end`;
    for (const width of [40, 80]) {
      const lines = watchFrame(facts(shop(), "en", 30, { typed: { task: "T1.4", text } }), look(width));
      expect(lines.at(-1)).toBe(" enter send · esc leave");
      expect(lines.at(-2)).toMatch(/^ T1\.4 ← .*the end▏$/);
      expect(textWidth(lines.at(-2)!)).toBeLessThanOrEqual(width);
    }
    const sly = watchFrame(
      facts(shop(), "ko", 30, { typed: { task: "T1.4", text: "\u202ex" } }),
      look(60, "ko"),
    );
    expect(sly.at(-2)).toContain("\\u{202e}x");
  });
});

describe("keys", () => {
  it("[VK78] are told apart from those that are signals, however many are read at once", () => {
    expect(
      ["\u0003", "\u0003\u0003", "jj\u0003", "\u001b[A\u001c\u001ah", "어"].map(apartFromSignals),
    ).toEqual([
      ["\u0003"],
      ["\u0003", "\u0003"],
      ["jj", "\u0003"],
      ["\u001b[A", "\u001c", "\u001a", "h"],
      ["어"],
    ]);
  });

  it("[VK4] are read from what a terminal sends, several at once, others passed over", () => {
    expect(readKeys("\u001b[A\u001b[Bjk\r\u001brpthq\u0003x한")).toEqual([
      "up",
      "down",
      "down",
      "up",
      "open",
      "back",
      "retry",
      "pause",
      "tell",
      "hold",
      "quit",
      "quit",
    ]);
    expect(readKeys("\u001b[3~")).toEqual([]);
    fc.assert(fc.property(fc.string(), text => readKeys(text).length <= text.length));
  });
});

/** Standard input that can be made raw. */
class FakeInput extends EventEmitter {
  raw = false;
  setRawMode(raw: boolean): this {
    this.raw = raw;
    return this;
  }
  resume(): this {
    return this;
  }
  pause(): this {
    return this;
  }
}

function openFake(draw: (columns: number, rows: number) => readonly string[]) {
  const terminal = new FakeTerminal(40, 10);
  const stdin = new FakeInput();
  const clock = fakeClock();
  const heard: string[] = [];
  const screen = openScreen({
    stdout: terminal.stream,
    stdin: stdin as unknown as NodeJS.ReadStream,
    clock,
    draw,
    onInput: bytes => heard.push(bytes),
  });
  return { terminal, stdin, clock, heard, screen };
}

describe("the screen of its own", () => {
  it("[VK5] is drawn at most ten times a second, at least once, and at once when resized", () => {
    let drawn = 0;
    const { terminal, clock, screen } = openFake((columns, rows) => {
      drawn++;
      return [`${columns}x${rows}`];
    });
    expect(drawn).toBe(1);
    for (let at = 0; at < 1000; at++) screen.changed();
    clock.advance(99);
    expect(drawn).toBe(1);
    clock.advance(1);
    expect(drawn).toBe(2);
    clock.advance(1000);
    expect(drawn).toBe(3);
    terminal.resize(20, 5);
    clock.advance(0);
    expect(terminal.text).toContain("20x5");
    screen.close();
    clock.advance(5000);
    expect(clock.pending).toBe(0);
  });

  it("[VK5] gives the terminal back as it was", () => {
    const { terminal, stdin, heard, screen } = openFake(() => ["x"]);
    expect(stdin.raw).toBe(true);
    stdin.emit("data", Buffer.from("q"));
    expect(heard).toEqual(["q"]);
    screen.close();
    screen.close();
    expect(stdin.raw).toBe(false);
    expect(stdin.listenerCount("data") + terminal.listenerCount("resize")).toBe(0);
    expect(terminal.text.split("\u001b[?1049h")).toHaveLength(2);
    expect(terminal.text.split("\u001b[?1049l")).toHaveLength(2);
    expect(terminal.text.endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
  });
});
