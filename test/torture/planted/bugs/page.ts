import type { NamedBug } from "../bug.ts";

/** What the page shows, and whom its server lets in. */
export const PAGE_BUGS: readonly NamedBug[] = [
  {
    name: "a page of another site may ask",
    file: "src/server/guard.ts",
    symbol: "judge",
    swap: ["origin !== undefined && !origins", 'origin === "null" && !origins'],
    by: { test: "test/server/guard.test.ts" },
  },
  {
    name: "a link that only shows may act",
    file: "src/server/guard.ts",
    symbol: "judge",
    swap: ['visitor?.role === "viewer"', 'visitor?.role === undefined && asked.path === ""'],
    by: { test: "test/server/away.test.ts" },
  },
  {
    name: "who begins a document puts it in the place of one that is there",
    file: "src/server/publish.ts",
    symbol: "publish",
    swap: ["base === undefined && isThere", 'label === "" && isThere'],
    by: { test: "test/server/publish.test.ts", rule: "W132" },
  },
  {
    name: "whoever publishes on the page overwrites what others published since",
    file: "src/server/publish.ts",
    symbol: "publish",
    swap: ["base === undefined ? {} : { base }", "{}"],
    by: { test: "test/server/publish.test.ts", rule: "W129" },
  },
  {
    name: "the page is told of the shared context once",
    file: "src/server/context-look.ts",
    symbol: "createContextLook",
    swap: ["last === before ? {}", "last >= before ? {}"],
    by: { test: "test/server/hub.test.ts", rule: "W133" },
  },
  {
    name: "a code lets devices in for ever",
    file: "src/server/access.ts",
    symbol: "createAccess",
    swap: ["now < open.endsAt", "now >= 0"],
    by: { test: "test/server/away.test.ts" },
  },
  {
    name: "a file that is new has an empty half beside it",
    file: "web/src/review/rows.ts",
    symbol: "fileRows",
    swap: ['file.status === "added" || ', ""],
    by: { test: "test/web/review-rows.test.ts", rule: "W92" },
  },
  {
    name: "whoever is asked is told that the work takes long",
    file: "web/src/overview/left.ts",
    symbol: "leftWords",
    swap: ["asks ? overview.leftAsks : overview.leftLate", "overview.leftLate"],
    by: { test: "test/web/overview.test.ts", rule: "W94" },
  },
  {
    name: "the page counts a run that has ended to the last decision about it",
    file: "src/server/hub.ts",
    symbol: "createHub",
    swap: ["ended = found.ok ? found.value?.to : undefined;", "ended = row.updatedAt;"],
    by: { test: "test/server/api.test.ts", rule: "W154" },
  },
  {
    name: "a diff says of its first line that lines are left out above it",
    file: "web/src/review/rows.ts",
    symbol: "hunkRows",
    swap: ['if (heading !== "" || Math.max(old, next) > 1) yield', "yield"],
    by: { test: "test/web/review-rows.test.ts" },
  },
];
