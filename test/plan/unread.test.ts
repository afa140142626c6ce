import { describe, expect, it } from "vitest";
import { ids, read } from "./reading.ts";

const BASE = "# Tasks\n\n## Phase 1\n\n### [ ] T1.1: a\n- specialist: dev\n\n";
const found = (text: string) =>
  read(text).diagnostics.map(({ severity, code, line }) => `${severity} ${code} ${line}`);

describe("boxes with an id that nothing reads", () => {
  it.each([
    '### <a id="x"></a>[ ] T1.31: b',
    "### ![x](y) [ ] T1.32: b",
    "### - [ ] T1.34: b",
    "### &#91; ] T1.36: b",
    "### \\[ ] T1.37: b",
    "### :rocket: [ ] T1.38: b",
    "### Task [ ] T1.40: b",
    "### [ ](#x) T1.41: b",
    "## Setup [ ] things",
    "**[ ] T1.21: b**",
    "%%%% [ ] T1.19: b",
    "words \uff3b \uff3d T1.8: b",
    "- \\[ \\] T1.4: b",
    "- \u2610 T1.4: b",
    "> **[ ] T1.7: b**",
    "<div>[ ] T1.4</div>",
  ])("[L66] %s is told", line => {
    const text = `${BASE}${line}\n`;
    expect(ids(read(text))).toEqual(["T1.1"]);
    expect(found(text)).toEqual(["warning ITEM_IGNORED 8"]);
  });

  it.each(["[ref]: [ ] T1.5: b", "[^1]: [ ] T1.5: b"])("[L66] %s is told as hidden", line => {
    expect(found(`${BASE}${line}\n`)).toEqual(["warning TASK_HIDDEN 8"]);
  });

  it("[L66] front matter that holds a task is told as hidden", () => {
    const text = `---\ntitle: x\n### [ ] T1.9: b\n- run: \`x\`\n---\n${BASE}`;
    expect(ids(read(text))).toEqual(["T1.1"]);
    expect(found(text)).toEqual(["warning TASK_HIDDEN 3"]);
  });

  it.each([
    "words [x] T1.1 is done",
    "- [ ] P0 in words",
    "see `- [ ] T1.9` there",
    "## [ ] Phase 2",
    "<!-- **[ ] T1.9** -->",
    "```text\n**[ ] T1.9**\n```",
  ])("[L66] %s is nothing to tell of", line => {
    expect(found(`${BASE}${line}\n`).filter(finding => !finding.includes("BOX_IGNORED"))).toEqual([]);
  });

  it("[L33] an id like none of the file is told", () => {
    expect(found(`${BASE}- depends: R9\n`)).toEqual(["info DEP_PROSE 8"]);
  });
});
