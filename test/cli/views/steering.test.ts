import { describe, expect, it } from "vitest";
import { SYSTEM_CLOCK } from "../../../src/adapters/local/clock.ts";
import { createLiveModel } from "../../../src/cli/views/live/live-model.ts";
import { createSteering } from "../../../src/cli/watch/steering.ts";
import { replyWith } from "../../../src/engine/control/protocol.ts";
import { because } from "../../../src/ports/index.ts";
import type { Locale } from "../../../src/text/index.ts";
import { look, plan, scene, task } from "./scene.ts";

/** A run that is looked at, whose process answers every key with one and the same. */
function looked(locale: Locale) {
  const { run } = scene(plan([task({ id: "T1.1" })]));
  const view = look(80, locale);
  const steering = createSteering({
    monitor: {
      link: () => ({ live: true, held: false, asked: [] }),
      act: () => Promise.resolve(replyWith(true, because("run-held", { asked: true }))),
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
  const draw = (later: number) => {
    const monotonic = SYSTEM_CLOCK.monotonic() + later;
    return steering.frame(run, model, { now: 0, monotonic, began: 0, rows: 30 }, view).join("\n");
  };
  return { steering, draw };
}

describe("what came of a key", () => {
  it.each([
    ["en", "nothing new starts; what runs goes on"],
    ["ko", "새로 시작하지 않습니다"],
  ] as const)("[VK17] is told in the person's language (%s)", async (locale, said) => {
    const { steering, draw } = looked(locale);
    draw(0);
    steering.input("h");
    await Promise.resolve();
    expect(draw(0)).toContain(said);
  });

  it("[VK17] stands there for half a minute, beside a run and beside a task", async () => {
    const { steering, draw } = looked("en");
    draw(0);
    steering.input("h");
    await Promise.resolve();
    expect(draw(20_000)).toContain("nothing new starts");
    expect(draw(31_000)).not.toContain("nothing new starts");
    steering.input("\r");
    steering.input("h");
    await Promise.resolve();
    expect(draw(20_000)).toContain("nothing new starts");
    expect(draw(31_000)).not.toContain("nothing new starts");
  });
});
