import { describe, expect, it } from "vitest";
import { isPath, pathsIn, spans } from "../../src/plan/syntax/paths.ts";
import { read, withLines } from "./reading.ts";

describe("lists of files", () => {
  it.each([
    ["src/a.ts, src/b.ts", ["src/a.ts", "src/b.ts"]],
    ["[src/a.ts, src/b.ts]", ["src/a.ts", "src/b.ts"]],
    ["`src/a.ts`, `src/b.ts` (new)", ["src/a.ts", "src/b.ts"]],
    ["`src/a.ts` → `src/b.ts`", ["src/a.ts", "src/b.ts"]],
    ["src/a.ts -> src/b.ts", ["src/a.ts", "src/b.ts"]],
    ["./src/a.ts, docs/", ["src/a.ts", "docs"]],
    ["Makefile, Dockerfile", ["Makefile", "Dockerfile"]],
    ["app/(auth)/page.tsx", ["app/(auth)/page.tsx"]],
    ["New: src/a.ts", ["src/a.ts"]],
    ["src/a.ts - the model", ["src/a.ts"]],
    ["the files below src/models and their tests", ["src/models"]],
    ["파일 I/O 규약", []],
    ["I/O 규약, src/io.ts", ["src/io.ts"]],
    ["`I/O/names.ts`", ["I/O/names.ts"]],
    ["none", []],
    ["-", []],
    ["", []],
  ])("[L28] %s lists %j", (value, expected) => {
    expect(withLines(`- files: ${value}`).files).toEqual(expected);
  });
});

describe("paths", () => {
  it.each([
    "src/a.ts",
    "a.ts",
    "./a.ts",
    "../a/b",
    "docs/",
    "src/**/*.ts",
    "apps/web/page.tsx",
    "app/[id]/page.tsx",
    "Makefile.am",
    "a-b/c_d.test.js",
    "package.json",
  ])("[L28] %s is one", word => {
    expect(isPath(word)).toBe(true);
  });

  it.each([
    "a",
    "src",
    "1.2",
    "1.2.3",
    "10/20",
    "I/O",
    "CI/CD",
    "HTTP/2",
    "and/or",
    "Read/Write",
    "/api/users",
    "https://x.y/z",
    "a b/c.ts",
    "f(x).ts",
    "-x/y.ts",
    "@scope/pkg.ts",
    "#a/b.ts",
    "a|b.ts",
    "x".repeat(301),
    "",
  ])("[L28] %j is none", word => {
    expect(isPath(word)).toBe(false);
  });

  it("[L28] code spans come before loose words", () => {
    expect(pathsIn("move a/b.ts to `c/d.ts`", true)).toEqual(["c/d.ts"]);
    expect(pathsIn("move a/b.ts, then (c/d.ts).", true)).toEqual(["a/b.ts", "c/d.ts"]);
    expect(pathsIn("move a/b.ts", false)).toEqual([]);
    expect(pathsIn("nothing here", true)).toEqual([]);
    expect(spans("a `b` c `d`")).toEqual(["b", "d"]);
  });

  it.each([
    ["Queue + lock/renew/release", []],
    ["Sender/Receiver 구현", []],
    ["목록 카드 (Grid/List)", []],
    ["검수 API (stats/summary, stats/detail)", []],
    ["주문 API (PUT/PATCH/DELETE /orders/{id})", []],
    ["편집 화면 (/orders/[id]/edit)", []],
    ["이동 메뉴 (/orders/[id]/* 단계)", []],
    ["만들기 `core/queue`", ["core/queue"]],
    ["Create core/queue/ and web/list.tsx", ["core/queue", "web/list.tsx"]],
    ["Create server/src and apps/mobile", ["server/src", "apps/mobile"]],
    ["Read every fixtures/*", ["fixtures"]],
  ])("[L407] the title %j names %j", (title, expected) => {
    expect(read(`- [ ] T1: ${title}\n`).plan.tasks[0]!.files).toEqual(expected);
  });

  it("[L407] a field that lists a folder says what it is, a sentence does not", () => {
    expect(withLines("- files: core/queue, web/list").files).toEqual(["core/queue", "web/list"]);
    expect(withLines("- files: the Sender/Receiver pair and core/queue.ts").files).toEqual(["core/queue.ts"]);
  });
});
