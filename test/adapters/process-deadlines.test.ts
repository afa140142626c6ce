import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { callAfter, callAfterSilence, within } from "../../src/adapters/process/deadlines.ts";

const DAY = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("callAfter", () => {
  it("calls back once, when the time is over and not before", () => {
    const fired = vi.fn<() => void>();
    callAfter(1_000, fired);
    vi.advanceTimersByTime(999);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(fired).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(10_000);
    expect(fired).toHaveBeenCalledOnce();
  });

  it("honours more than the 24.8 days a timer can", () => {
    const fired = vi.fn<() => void>();
    callAfter(60 * DAY, fired);
    vi.advanceTimersByTime(59 * DAY);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(DAY + 1);
    expect(fired).toHaveBeenCalledOnce();
  });

  it("never comes for infinity, at once for nothing and less", () => {
    const fired = vi.fn<(ms: number) => void>();
    for (const ms of [Number.POSITIVE_INFINITY, 0, -5]) callAfter(ms, () => fired(ms));
    vi.advanceTimersByTime(100 * DAY);
    expect(fired.mock.calls.flat()).toEqual([0, -5]);
  });

  it("can be cancelled, before, in the middle of a long wait, and too late", () => {
    const fired = vi.fn<() => void>();
    callAfter(10, fired)();
    const long = callAfter(60 * DAY, fired);
    vi.advanceTimersByTime(40 * DAY);
    long();
    vi.advanceTimersByTime(40 * DAY);
    expect(fired).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
    const past = callAfter(1, fired);
    vi.advanceTimersByTime(1);
    past();
    callAfter(Number.POSITIVE_INFINITY, fired)();
    expect(fired).toHaveBeenCalledOnce();
  });

  it("does not follow the wall clock", () => {
    const fired = vi.fn<() => void>();
    callAfter(1_000, fired);
    vi.setSystemTime(Date.now() + 10 * 365 * DAY);
    vi.advanceTimersByTime(500);
    vi.setSystemTime(0);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(500);
    expect(fired).toHaveBeenCalledOnce();
  });
});

describe("callAfterSilence", () => {
  it("waits anew from the last sign of life", () => {
    const fired = vi.fn<() => void>();
    let last = performance.now();
    callAfterSilence(1_000, () => last, fired);
    for (let round = 0; round < 5; round += 1) {
      vi.advanceTimersByTime(900);
      last = performance.now();
    }
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(999);
    expect(fired).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2);
    expect(fired).toHaveBeenCalledOnce();
  });

  it("can be cancelled at any time", () => {
    const fired = vi.fn<() => void>();
    let last = performance.now();
    const cancel = callAfterSilence(1_000, () => last, fired);
    vi.advanceTimersByTime(900);
    last = performance.now();
    vi.advanceTimersByTime(500);
    cancel();
    vi.advanceTimersByTime(5_000);
    expect(fired).not.toHaveBeenCalled();
  });
});

describe("within", () => {
  it("tells whether the promise came in time and leaves no timer", async () => {
    expect(await within(Promise.resolve(1), 1_000)).toBe(true);
    expect(await within(Promise.reject(new Error("no")), 1_000)).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
    const late = within(new Promise(() => {}), 1_000);
    vi.advanceTimersByTime(1_000);
    expect(await late).toBe(false);
  });
});
