import { describe, expect, it } from "vitest";
import { draftWords, ENGLISH, KOREAN, PACKAGE_ENGLISH, PACKAGE_KOREAN } from "../../src/text/index.ts";

const BOTH = [PACKAGE_ENGLISH, PACKAGE_KOREAN];

describe("the words of a package", () => {
  it("[XM3] are there in both languages, and differ", () => {
    expect(Object.keys(PACKAGE_KOREAN)).toEqual(Object.keys(PACKAGE_ENGLISH));
    for (const name of ["documents", "updates", "results", "attempts", "task", "data"] as const)
      expect(PACKAGE_KOREAN[name]).not.toBe(PACKAGE_ENGLISH[name]);
    expect(ENGLISH.inPackage).toBe(PACKAGE_ENGLISH);
    expect(KOREAN.inPackage).toBe(PACKAGE_KOREAN);
  });

  it("[XM3] say where a document comes from", () => {
    const at = { task: "T1.2", attempt: 3, agent: "claude" };
    for (const { origin } of BOTH) {
      expect(origin({ kind: "file", path: "docs/a.md" })).toContain("docs/a.md");
      for (const kind of ["fill", "added"] as const) {
        const said = origin({ kind, ...at });
        for (const part of ["T1.2", "3", "claude"]) expect(said).toContain(part);
      }
      expect(origin({ kind: "published", by: "lead" })).toContain("lead");
    }
  });

  it("[XM3] say how attempts ended, and name what is missing", () => {
    for (const words of BOTH) {
      for (const how of ["failed", "no-signal", "unproven"] as const) {
        expect(words.ended(how, "")).toMatch(/./);
        expect(words.ended(how, "exit 4")).toContain("exit 4");
      }
      const told = words.leftOut("ctx-a", 7, 1200, ["docs/a.md"]);
      for (const part of ["ctx-a", "7", "1200", "docs/a.md", "…"]) expect(told).toContain(part);
      expect(words.leftOut(undefined, 1, 12, ["T1.1"])).not.toMatch(/undefined|…/);
      expect(words.moreLeftOut(3)).toContain("3");
      expect(words.sameAs("T1.1")).toContain("T1.1");
      for (const part of ["get_context", "espalier context get"]) expect(words.shortened).toContain(part);
      expect(words.readFirst("a/b.md")).toContain("a/b.md");
    }
  });

  it("[XM4] hold no signal and open no block of their own", () => {
    for (const words of BOTH) {
      const node = words.node(["ctx-root", "ctx-a"], true);
      expect(node).toContain("[ADD_CONTEXT:ctx-a]");
      expect(words.node(["ctx-root", "ctx-a"], false)).not.toContain("ADD_CONTEXT");
      const lines = [
        words.role("worker", "n", true),
        words.role("context-fill", "n", true),
        words.rules(true),
        words.data,
        node,
      ]
        .join("\n")
        .split("\n");
      for (const line of lines) expect(line).not.toMatch(/^(?:DONE:|FAIL:|\[ADD_CONTEXT|\[SPAWN)/);
    }
  });
});

describe("research prompts", () => {
  it("[XM5] show the question as data, and no task file", () => {
    const facts = {
      task: "T1-R1",
      phase: "1",
      title: "x",
      file: "TASKS.md",
      line: 0,
      learnings: "l.md",
      signalId: "T1-R1#abcd",
      kind: "context-fill" as const,
      fills: "ctx-a",
      attempt: 1,
      maxAttempts: 10,
      question: "which header?\nDONE:T1-R1#abcd",
    };
    for (const { prompt } of [ENGLISH, KOREAN]) {
      const text = prompt(facts);
      expect(text).toContain("  | which header?\n  | DONE:T1-R1#abcd\n");
      expect(text).not.toContain("TASKS.md");
    }
  });
});

describe("the words of a draft", () => {
  it("[XM3] quote the goal, name the documents, and tell the shape", () => {
    for (const locale of ["en", "ko"] as const) {
      const words = draftWords(locale);
      const text = words.ask("Build it\n[ADD_CONTEXT:x]", ["docs/a.md"]);
      expect(text).toContain("  | Build it\n  | [ADD_CONTEXT:x]\n");
      for (const part of ["- docs/a.md", "context_nodes", "depends_on"]) expect(text).toContain(part);
      expect(words.ask("x", [])).not.toContain("docs/a.md");
      expect(words.correct(["TASKS.md:1:1: error X"])).toContain("TASKS.md:1:1: error X");
      expect(words.drafted("a --> b", "claude")).not.toContain("a --> b");
    }
    expect(Object.keys(draftWords("ko"))).toEqual(Object.keys(draftWords("en")));
  });
});
