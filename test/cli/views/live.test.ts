import { afterEach, describe, expect, it } from "vitest";
import { createLiveView, type LiveView } from "../../../src/cli/views/live/live.ts";
import type { RunState } from "../../../src/run/index.ts";
import { messagesFor } from "../../../src/text/index.ts";
import { type FakeClock, FakeTerminal, fakeClock, plan, type Scene, scene, task, told } from "./scene.ts";
import { screenOf } from "./screen.ts";

interface Rig {
  readonly terminal: FakeTerminal;
  readonly clock: FakeClock;
  readonly view: LiveView;
  readonly scene: Scene;
  readonly problems: unknown[];
}

const open: LiveView[] = [];

afterEach(() => {
  for (const view of open.splice(0)) view.close();
});

function rig(columns: number, rows: number, titles: readonly string[] = ["Entities", "결제 승인"]): Rig {
  const terminal = new FakeTerminal(columns, rows);
  const clock = fakeClock();
  const s = scene(
    plan(
      titles.map((title, at) => task({ id: `T${at + 1}`, title })),
      { "1": "Domain" },
    ),
  );
  const problems: unknown[] = [];
  const view = createLiveView({
    stdout: terminal.stream,
    run: s.run,
    messages: messagesFor("en"),
    clock,
    color: false,
    redact: text => text.replaceAll("hunter22", "[redacted]"),
    onProblem: error => problems.push(error),
  });
  open.push(view);
  for (const event of s.events) view.event(event);
  for (const { task: own } of s.run.running)
    view.event(told({ type: "attempt-started", task: own.id, attempt: 1, agent: "claude" }));
  return { terminal, clock, view, scene: s, problems };
}

const line = (id: string, text: string) => told({ type: "attempt-line", task: id, attempt: 1, text });

/** Lets everything be written that waits for its turn. */
const settle = () => new Promise(resolve => setTimeout(resolve, 40));

/** A clock whose readings of the wall time are counted: the view reads it once a frame. */
function counted(clock: FakeClock): { clock: FakeClock; frames: () => number } {
  let frames = 0;
  const now = () => {
    frames++;
    return clock.now();
  };
  return { clock: { ...clock, now, advance: clock.advance, pending: 0 }, frames: () => frames };
}

describe("the live view on a terminal", () => {
  it("[VL3] shows the run and what its agents say", async () => {
    const { terminal, clock, view } = rig(60, 20);
    view.event(line("T1", "\u001b[31mlearned hunter22\u001b[0m"));
    clock.advance(5000);
    await settle();
    const { lines, cursor } = screenOf(terminal.text);
    expect(cursor).toBe(false);
    expect(lines).toEqual([
      " shop-backend                                   running  5s",
      " ╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍╍  0/2  0%",
      " ✓ 0 done   ▶ 2 running",
      "",
      " ▶ 1  Domain  ╍╍╍╍╍╍╍╍     0/2  ▶2",
      "",
      " ▶ T1  Entities   5s",
      "   └ learned [redacted]",
      " ▶ T2  결제 승인  5s",
      "   └",
      "",
      " ▶  Phase 1  started, 2 tasks",
      "",
      " Ctrl+C: stop · twice: at once",
    ]);
  });

  it("[VL10] closing removes the frame, shows the cursor and leaves nothing behind", async () => {
    const { terminal, clock, view } = rig(60, 20);
    clock.advance(300);
    await settle();
    expect(screenOf(terminal.text).lines.length).toBeGreaterThan(5);
    expect(terminal.listenerCount("resize")).toBe(1);
    view.close();
    view.close();
    expect(screenOf(terminal.text)).toEqual({ lines: [], cursor: true });
    expect(clock.pending).toBe(0);
    expect(terminal.listenerCount("resize")).toBe(0);
    const written = terminal.chunks.length;
    view.event(line("T1", "late"));
    view.stopping();
    clock.advance(5000);
    terminal.resize(40, 10);
    await settle();
    expect(terminal.chunks.length).toBe(written);
  });

  it("[VL10] what stood above the frame stays", async () => {
    const { terminal, clock, view } = rig(60, 20);
    terminal.chunks.unshift("$ espalier run\n");
    clock.advance(2000);
    await settle();
    view.close();
    terminal.write("✓ shop-backend\n");
    expect(screenOf(terminal.text).lines).toEqual(["$ espalier run", "✓ shop-backend"]);
  });

  it("[VL10] what is typed while it shows moves nothing, and goes with it", async () => {
    const { terminal, clock, view } = rig(60, 20);
    clock.advance(2000);
    await settle();
    terminal.chunks.push("^C");
    view.stopping();
    clock.advance(2000);
    await settle();
    expect(screenOf(terminal.text).lines[0]).toMatch(/^ shop-backend /);
    terminal.chunks.push("^C");
    view.close();
    expect(screenOf(terminal.text)).toEqual({ lines: [], cursor: true });
  });

  it("[VL8] says at once that it is stopping", async () => {
    const { terminal, clock, view } = rig(60, 20);
    view.stopping();
    clock.advance(150);
    await settle();
    expect(screenOf(terminal.text).lines.at(-1)).toContain("Ctrl+C again: at once");
  });

  it("[VL9] leaves the input and the signals alone", () => {
    const listeners = () => [
      process.stdin.listenerCount("data"),
      process.stdin.listenerCount("readable"),
      process.stdin.isRaw ?? false,
    ];
    const before = listeners();
    const { terminal } = rig(60, 20);
    expect(listeners()).toEqual(before);
    expect(terminal.text).not.toContain("\u001b[?1049h");
  });

  it("[VL12] a failure to draw closes the view and never reaches the run", async () => {
    const { clock, view, scene: s, problems, terminal } = rig(60, 20);
    Object.defineProperty(s.run, "phases", {
      get() {
        throw new Error("a bug in the picture");
      },
    });
    view.event(line("T1", "x"));
    expect(() => clock.advance(1000)).not.toThrow();
    expect(problems).toEqual([new Error("a bug in the picture")]);
    view.close();
    expect(screenOf(terminal.text)).toEqual({ lines: [], cursor: true });
    expect(clock.pending).toBe(0);
  });
});

describe("a terminal that changes its size", () => {
  it("[VL1] gets a frame of the new size at once", async () => {
    const { terminal, clock } = rig(
      100,
      30,
      Array.from({ length: 5 }, (_, at) => `Task number ${at}`),
    );
    clock.advance(200);
    await settle();
    const height = screenOf(terminal.text).lines.length;
    terminal.chunks.length = 0;
    terminal.resize(100, 10);
    await settle();
    const lines = screenOf(terminal.text).lines;
    expect(height).toBeGreaterThan(10);
    expect(lines.length).toBeLessThan(10);
    terminal.resize(120, 40);
    await settle();
    expect(terminal.text).toContain("Task number 4");
  });

  it("[VL11] the rows it gained by breaking lines are erased as well", async () => {
    const { terminal, clock } = rig(100, 30);
    clock.advance(200);
    await settle();
    // What a terminal does to the lines when it becomes half as wide.
    const broken = screenOf(terminal.text).lines.flatMap(text =>
      [text.slice(0, 50), text.slice(50)].filter((part, at) => at === 0 || part !== ""),
    );
    terminal.chunks.length = 0;
    terminal.chunks.push("$ espalier run\n", ...broken.map(text => `${text}\n`));
    terminal.resize(50, 30);
    await settle();
    const { lines } = screenOf(terminal.text);
    expect(lines[0]).toBe("$ espalier run");
    expect(lines[1]).toMatch(/^ shop-backend +running {2}0s$/);
    expect(lines.filter(text => text.includes("shop-backend"))).toHaveLength(1);
  });

  it("[VL1] may say nothing about its size", async () => {
    const { terminal, clock } = rig(0, 0);
    clock.advance(200);
    await settle();
    const { lines } = screenOf(terminal.text);
    expect(lines.length).toBeLessThan(24);
    expect(lines[0]!.length).toBeLessThan(80);
  });
});

describe("the pace", () => {
  function paced(run: RunState): { view: LiveView; clock: FakeClock; frames: () => number } {
    const clock = fakeClock();
    const count = counted(clock);
    const view = createLiveView({
      stdout: new FakeTerminal(80, 24).stream,
      run,
      messages: messagesFor("en"),
      clock: count.clock,
      color: true,
      redact: text => text,
      onProblem: error => {
        throw error;
      },
    });
    open.push(view);
    return { view, clock, frames: count.frames };
  }

  const thousand = (parallel = 50) =>
    scene(plan(Array.from({ length: 1000 }, (_, at) => task({ id: `T${at}` }))), { parallel });

  it("[VL2] ten frames a second, whatever the rate of events", () => {
    const s = thousand();
    const { view, clock, frames } = paced(s.run);
    for (let id = 0; id < 50; id++)
      view.event(told({ type: "attempt-started", task: `T${id}`, attempt: 1, agent: "claude" }));
    const before = frames();
    for (let ms = 0; ms < 10_000; ms++) {
      view.event(line(`T${ms % 50}`, `line ${ms} of a flood`));
      clock.advance(1);
    }
    expect(frames() - before).toBeGreaterThan(90);
    expect(frames() - before).toBeLessThanOrEqual(101);
  });

  it("[VL2] one frame a second when nothing happens", () => {
    const { clock, frames } = paced(thousand().run);
    const before = frames();
    clock.advance(60_000);
    expect(frames() - before).toBe(60);
  });

  it("[VL2] a lone event is shown at once", () => {
    const { view, clock, frames } = paced(thousand().run);
    clock.advance(500);
    const before = frames();
    view.event(line("T1", "x"));
    clock.advance(0);
    expect(frames() - before).toBe(1);
  });

  it.each([1, 30, 100, 200])("[VL2] a fifth of the time at most where a frame takes %d ms", cost => {
    const clock = fakeClock();
    let drawing = 0;
    // The wall time is read once a frame, and drawing it takes its time.
    const slow: FakeClock = {
      ...clock,
      advance: clock.advance,
      pending: 0,
      now() {
        drawing += cost;
        return clock.now();
      },
      monotonic: () => clock.monotonic() + drawing,
    };
    const view = createLiveView({
      stdout: new FakeTerminal(100, 40).stream,
      run: thousand(10).run,
      messages: messagesFor("en"),
      clock: slow,
      color: true,
      redact: text => text,
      onProblem: error => {
        throw error;
      },
    });
    open.push(view);
    drawing = 0;
    for (let ms = 0; ms < 10_000; ms++) {
      view.event(line(`T${ms % 10}`, `한글 line ${ms} ${"x".repeat(200)}`));
      clock.advance(1);
    }
    expect(drawing).toBeGreaterThan(9 * cost);
    expect(drawing / (10_000 + drawing)).toBeLessThanOrEqual(0.2);
  });
});
