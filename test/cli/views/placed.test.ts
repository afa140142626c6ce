import { describe, expect, it } from "vitest";
import { liveFrame } from "../../../src/cli/views/live/live-frame.ts";
import { createLiveModel } from "../../../src/cli/views/live/live-model.ts";
import { placeWorkers } from "../../../src/cli/watch/reading.ts";
import { because } from "../../../src/ports/index.ts";
import type { Locale } from "../../../src/text/index.ts";
import { attempt, look, plan, scene, task } from "./scene.ts";

const DRAINED = because("machines-drained", {
  agent: "claude",
  machines: ["box-3"],
  url: "http://127.0.0.1:1",
});

describe("attempts on other machines", () => {
  it.each<Locale>(["en", "ko"])(
    "[VK16] are shown with their machine, or with why none has begun them: %s",
    locale => {
      const s = scene(plan([task({ id: "T1.1" }), task({ id: "T1.2" }), task({ id: "T1.3" })]));
      const shown = look(100, locale);
      const model = createLiveModel(shown.words, text => text);
      for (const id of ["T1.1", "T1.2", "T1.3"])
        model.hear(
          { seq: 0, at: 0, event: { type: "attempt-started", task: id, attempt: 1, agent: "claude" } },
          0,
        );
      const rows = [
        attempt({ task: "T1.1", agent: "claude", machine: "box-2", outcome: "running", endedAt: 0 }),
        attempt({ task: "T1.2", agent: "claude", machine: "local", outcome: "running", endedAt: 0 }),
        attempt({ task: "T1.3", agent: "claude", outcome: "running", endedAt: 0, reason: DRAINED }),
      ];
      const draw = () => {
        placeWorkers(model, { openAttempts: rows }, shown.words);
        return liveFrame(s.run, model, { now: 0, monotonic: 1000, began: 0, rows: 40 }, shown);
      };
      const before = draw();
      const line = (frame: readonly string[], id: string) =>
        frame.find(text => text.includes(` ${id} `)) ?? "";
      expect(line(before, "T1.1")).toContain(shown.words.agentOn("claude", "box-2"));
      expect(line(before, "T1.2")).toMatch(/ claude {2}/);
      expect(before.join("\n")).toContain(`└ ${shown.words.reason(DRAINED).slice(0, 40)}`);
      // A machine has taken it.
      rows[2] = { ...rows[2]!, machine: "box-3", reason: undefined };
      const after = draw().join("\n");
      expect(after).toContain(shown.words.agentOn("claude", "box-3"));
      expect(after).not.toContain(shown.words.reason(DRAINED).slice(0, 40));
    },
  );
});
