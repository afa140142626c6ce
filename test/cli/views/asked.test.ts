import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SYSTEM_CLOCK } from "../../../src/adapters/local/clock.ts";
import { askedLines } from "../../../src/cli/views/asked-lines.ts";
import { createLiveModel } from "../../../src/cli/views/live/live-model.ts";
import { textWidth } from "../../../src/cli/views/terminal/width.ts";
import { createSteering } from "../../../src/cli/watch/steering.ts";
import type { ControlRequest } from "../../../src/engine/control/protocol.ts";
import type { Asked } from "../../../src/engine/index.ts";
import { type Locale, visible } from "../../../src/text/index.ts";
import { look, plan, scene, task } from "./scene.ts";

const asks = (title: string, id = 1, of = "T1.1"): Asked => ({
  type: "asked",
  task: of,
  attempt: 1,
  id,
  kind: "execute",
  title,
});

describe("what an agent asks for, on a screen", () => {
  it("[VK15] is offered to be answered only where all of it stands there", () => {
    let answerable = 0;
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 140 }),
        fc.integer({ min: 1, max: 12 }),
        fc.string({ unit: "grapheme", maxLength: 1000, size: "max" }),
        fc.constantFrom<Locale>("en", "ko"),
        (width, rows, title, locale) => {
          const shown = look(width, locale);
          const { lines, isWhole } = askedLines(asks(title), rows, shown);
          expect(lines.length).toBeLessThanOrEqual(rows);
          for (const text of lines)
            expect(textWidth(stripVTControlCharacters(text))).toBeLessThanOrEqual(width);
          if (!isWhole) return;
          answerable++;
          const read = lines.slice(0, -1).map(text => text.slice(3));
          expect(read.join("")).toContain(visible(title).trimEnd());
        },
      ),
    );
    expect(answerable).toBeGreaterThan(5);
  });

  /** A run that is looked at, with what its keys asked of it. */
  function looked(open: readonly Asked[], rows = 30) {
    const asked: ControlRequest[] = [];
    const { run } = scene(plan([task({ id: "T1.1" }), task({ id: "T1.2" })]));
    const view = look(80, "en");
    const steering = createSteering({
      monitor: {
        link: () => ({ live: true, held: false, asked: open }),
        act: request => {
          asked.push(request);
          return Promise.resolve({ ok: true, message: "" });
        },
      },
      words: view.words,
      by: "me",
      keys: () => ["", "", ""],
      detail: () => ["detail"],
      besides: () => ({ budget: undefined, copies: [] }),
      changed: () => {},
      quit: () => "",
    });
    const model = createLiveModel(view.words, text => text);
    const draw = (ago: number) => {
      const monotonic = SYSTEM_CLOCK.monotonic() - ago;
      return steering.frame(run, model, { now: 0, monotonic, began: 0, rows }, view).join("\n");
    };
    return { steering, draw, asked };
  }

  it("[VK15] is answered by a key once it has stood there for a moment", () => {
    const { steering, draw, asked } = looked([asks("npm test", 7)]);
    expect(draw(0)).toContain("T1.1 wants to execute: npm test");
    steering.input("y");
    expect(asked).toEqual([]);
    draw(0);
    // It came up under the finger; another one has stood there for a while.
    const other = looked([asks("npm test", 7)]);
    other.draw(1000);
    other.steering.input("y");
    expect(other.asked).toEqual([{ method: "permit", id: 7, allowed: true, by: "me" }]);
    // And once: what comes after it is looked at first.
    other.steering.input("y");
    expect(other.asked).toHaveLength(1);
  });

  it("[VK15] is that of the chosen task, else the oldest, and not what nobody sees", () => {
    const open = [asks("one", 1, "T1.2"), asks("two", 2, "T1.1")];
    const { steering, draw, asked } = looked(open);
    expect(draw(1000)).toContain("T1.1 wants to execute: two");
    steering.input("n");
    expect(asked).toEqual([{ method: "permit", id: 2, allowed: false, by: "me" }]);
    draw(1000);
    steering.input("\r");
    expect(draw(1000)).toContain("detail");
    steering.input("y");
    expect(asked).toHaveLength(1);
  });

  it("[VK15] is answered by no key where it is longer than there is room for", () => {
    const { steering, draw, asked } = looked([asks("x ".repeat(400))], 14);
    expect(draw(1000)).toContain("espalier permit shows it");
    steering.input("y");
    expect(asked).toEqual([]);
  });
});
