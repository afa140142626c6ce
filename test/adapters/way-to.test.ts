import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBelow, isWithin, wayTo } from "../../src/adapters/file/index.ts";

const parts = fc.array(fc.constantFrom("a", "b", "..", "..a", "...", ".", "a.."), { maxLength: 5 });

describe("[OF12] the way from a folder to a path", () => {
  it.each([
    ["/p", "/p", ""],
    ["/p", "/p/..notes/a", "..notes/a"],
    ["/p", "/p/...", "..."],
    ["/p", "/", undefined],
    ["/p", "/..p", undefined],
    ["/p", "/pp", undefined],
    ["/p/..q", "/p", undefined],
    ["/", "/a", "a"],
  ])("from %s to %s is %s", (folder, path, way) => {
    expect(wayTo(folder, path)).toBe(way);
    expect([isWithin(folder, path), isBelow(folder, path)]).toEqual([way !== undefined, (way ?? "") !== ""]);
  });

  it("leads there, exactly where the folder is what the path begins with, part by part", () => {
    fc.assert(
      fc.property(parts, parts, (one, other) => {
        const [folder, path] = [resolve("/", ...one), resolve("/", ...other)];
        const way = wayTo(folder, path);
        const [outer, inner] = [folder, path].map(place => place.split("/").filter(part => part !== ""));
        expect(way !== undefined).toBe(outer!.every((part, at) => inner![at] === part));
        expect(resolve(folder, way ?? path)).toBe(path);
      }),
    );
  });
});
