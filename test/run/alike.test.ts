import { describe, expect, it } from "vitest";
import { because, type Reason } from "../../src/ports/index.ts";
import { alike } from "../../src/run/index.ts";
import { firstLine, said } from "../../src/text/index.ts";
import { Bench, plan, task } from "./build.ts";

const words = (text: string): Reason => said("agent", text);

describe("failures are the same", () => {
  it.each([
    ["Timeout after 123 ns at build/x.99", "Timeout after 4 ms at build/y.1"],
    ["took 2h5m.", "took 3 seconds."],
    ["segfault at 0x7ffd12ab", "segfault at 0x55aa"],
    ["commit 3f2a9c1 is gone", "commit aaf2b77dd is gone"],
    ["no row 123e4567-e89b-12d3-a456-426614174000", "no row 00000000-e89b-12d3-a456-4266141740ff"],
    ["2026-11-23T02:20:12.123Z: no answer", "2027-01-02 22:20:12: no answer"],
    ["connect ECONNREFUSED 127.0.0.1:8080", "connect ECONNREFUSED 10.0.0.2:91"],
    ["connect fe80::1ff:fe23 failed", "connect ::1 failed"],
    ["123초 후 실패", "4 초 후 실패"],
    ["x.ts:12:5 Unexpected token", "x.ts:9 Unexpected token"],
    ["cannot open C:\\a\\b.ts", "cannot open /tmp/x/y.js"],
    ["worker3 died of signal 9", "worker17 died of signal 11"],
  ])("[RR3] %s | %s", (one, other) => {
    expect(alike(words(one), words(other))).toBe(true);
  });

  it.each([
    ["error TS2322: not assignable", "error TS2345: not assignable"],
    ["Cannot find module foo", "Cannot find module bar"],
    ["expected a < b", "expected a > b"],
    ["panic: index out of range", "panic: nil map"],
    ["faded", "added"],
    ["테스트 실패", "빌드 실패"],
  ])("[RR3] but not %s | %s", (one, other) => {
    expect(alike(words(one), words(other))).toBe(false);
  });

  it("[RR3] by their code and facts first", () => {
    const crash = (exit: number, text: string) => because("agent-crashed", { exit, said: text });
    expect(alike(crash(3, "panic at 0x1"), crash(3, "panic at 0xff02"))).toBe(true);
    expect(alike(crash(3, "panic"), crash(99, "panic"))).toBe(false);
    expect(alike(crash(3, ""), because("agent-crashed", { killed: "SIGSEGV", said: "" }))).toBe(false);
    const missing = (paths: string) => because("paths-missing", { paths });
    expect(alike(missing("out/1.md"), missing("out/2.md"))).toBe(false);
    const beside = (why: Reason) => because("fails-with-landed", { why });
    expect(alike(beside(words("3 tests failed")), beside(words("4 tests failed")))).toBe(true);
    expect(alike(words("no signal"), because("no-signal", {}))).toBe(false);
    expect(alike(undefined, words("a"))).toBe(false);
  });

  it("[RR3] although they were cut at another place", () => {
    const text = (path: string, thing: string) =>
      `at ${path}: expected the ${thing} to be settled before the request was sent to the server, but it was not`;
    const cut = (path: string, thing: string) => words(firstLine(text(path, thing), 100));
    expect(alike(cut("/tmp/a-long-name/of/a/file", "widget"), cut("/t/b", "widget"))).toBe(true);
    expect(alike(cut("/tmp/a-long-name/of/a/file", "widget"), cut("/t/b", "gadget"))).toBe(false);
  });

  it("[RR3] and pause their task after three", () => {
    const bench = Bench.of(plan(task("T1.1")));
    for (const n of [1, 20, 300]) bench.fail("T1.1", `Timeout after ${n} ns at build/x.${n}`);
    expect(bench.state("T1.1")).toMatchObject({ status: "paused", retries: 3 });
  });
});
