import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  blunt,
  type Decision,
  decisionOf,
  type PatternRules,
  type Permissions,
  POLICIES,
} from "../../../src/adapters/agent/permissions.ts";
import { simpleCommands } from "../../../src/adapters/agent/shell-parts.ts";
import { matchesPath } from "../../../src/text/index.ts";

const cwd = "/work/tree";
const commands: PatternRules = {
  allow: ["npm test*", "npm run lint", "git status"],
  ask: ["npm publish*"],
  deny: ["git push*"],
  else: "ask",
};
const rule = (more: Partial<Permissions>): Permissions => ({ ...POLICIES["allow-edits"], ...more });
const forCommand = (command: string, rules: PatternRules = commands): Decision =>
  decisionOf(rule({ execute: rules }), "execute", { command }, cwd);

describe("[AC11] what is decided by patterns", () => {
  it.each<readonly [string, Decision]>([
    ["npm test", "allow"],
    ["npm  test -- --run 'a && b'", "allow"],
    ["npm test 2>&1 | npm test-all >/dev/null", "allow"],
    ["cd src/app && npm test", "allow"],
    [`cd ${cwd}/src && npm test; git status`, "allow"],
    ["npm test $NAME", "allow"],
    ["npm test\ngit status", "allow"],
    ["npm run lint --fix", "ask"],
    ["cd src", "ask"],
    ["npm test && rm -rf /", "ask"],
    ["npm test & rm -rf /", "ask"],
    ["npm test\nrm -rf /", "ask"],
    ["npm test $(rm -rf /)", "ask"],
    ['npm test "$(rm -rf /)"', "ask"],
    ["npm test `rm -rf /`", "ask"],
    [`npm test $${"{A:-$(rm -rf /)}"}`, "ask"],
    ["npm test <(rm -rf /)", "ask"],
    ["npm test > ~/.bashrc", "ask"],
    ["npm test 2>&1 >> .git/hooks/pre-commit", "ask"],
    ["npm test $'\\'' ; rm -rf / #'", "ask"],
    ["npm test \\\nrm", "ask"],
    ["npm test 'open", "ask"],
    ["cd /elsewhere && npm test", "ask"],
    ["cd src/../.. && npm test", "ask"],
    ["cd - && npm test", "ask"],
    ["cd -- && npm test", "ask"],
    ["PATH=/evil npm test", "ask"],
    ["npm test; npm publish", "ask"],
    ["git push --force", "deny"],
    ["npm test && git push", "deny"],
    ["", "ask"],
  ])("a command: %j is %s", (command, decision) => {
    expect(forCommand(command)).toBe(decision);
  });

  it.each([
    "GIT_TERMINAL_PROMPT=0 git push",
    "A=1 B='x y' git push --force",
    "git -C sub push",
    "git --no-pager -c a.b=c push origin",
    "/usr/bin/git push",
    "env -u HOME GIT_DIR=x git push",
    "sudo -u me git push",
    "time nice -n 5 git push",
    "timeout 10s git push",
    "command git push",
    "'git' push",
    'g"i"t push',
    "\\git push",
    "if true; then git push; fi",
    "! git push",
    "{ git push; }",
  ])("what is denied is denied in any dress: %j", command => {
    expect(forCommand(command, { deny: ["git push*"], else: "allow" })).toBe("deny");
    expect(forCommand(command, { ask: ["git push*"], else: "allow" })).toBe("ask");
    expect(forCommand(command, { allow: ["git push*"], else: "ask" })).toBe("ask");
  });

  it("is looked through in linear time, however much stands before", () => {
    const line = `${"time ".repeat(50_000)}git push`;
    expect(forCommand(line, { deny: ["git push*"], else: "allow" })).toBe("ask");
    expect(forCommand(`${"A=1 ".repeat(50_000)}git push`, { deny: ["git push*"], else: "allow" })).toBe(
      "deny",
    );
  });

  it.each([
    "$CMD push",
    "sh -c 'git push'",
    "bash -ec 'git push'",
    "eval git push",
    "xargs git",
    "find . -exec git push ;",
  ])("what may be denied is asked for: %j", command => {
    expect(forCommand(command, { deny: ["git push*"], else: "allow" })).toBe("ask");
    expect(forCommand(command, { allow: ["npm test"], else: "allow" })).toBe("allow");
  });

  it.each([
    "git status",
    "git log --grep push",
    "npm run push",
    "echo git push",
    "sh build.sh",
    "env",
    "find . -name git",
  ])("what is not denied goes on: %j", command => {
    expect(forCommand(command, { deny: ["git push*"], else: "allow" })).toBe("allow");
  });

  it("what cannot be seen through is asked for where anything is denied, and as the rest where nothing is", () => {
    const hidden = "$(echo git) push";
    expect(forCommand(hidden, { deny: ["git push*"], else: "allow" })).toBe("ask");
    expect(forCommand(hidden, { deny: ["git push*"], else: "deny" })).toBe("deny");
    expect(forCommand(hidden, { allow: ["npm test"], else: "allow" })).toBe("allow");
    expect(decisionOf(rule({ execute: { deny: ["x"], else: "allow" } }), "execute", {}, cwd)).toBe("ask");
  });

  it("of paths all count, from the folder on, however they are written", () => {
    const edit: PatternRules = {
      allow: ["docs/**", "*.md"],
      deny: ["docs/api/**", "package-lock.json"],
      else: "ask",
    };
    const forPaths = (...paths: string[]) => decisionOf(rule({ edit }), "edit", { paths }, cwd);
    expect(forPaths("docs/a.md", `${cwd}/docs/b/c.txt`, "README.md")).toBe("allow");
    expect(forPaths("docs/a.md", "src/a.ts")).toBe("ask");
    expect(forPaths("docs/x/../../package-lock.json")).toBe("deny");
    expect(forPaths("docs/a.md", "docs/api/index.md")).toBe("deny");
    expect(forPaths("src/README.md")).toBe("ask");
    expect(forPaths()).toBe("ask");
  });

  it("of pages the host counts", () => {
    const fetch: PatternRules = { allow: ["docs.rs", "*.nodejs.org"], else: "deny" };
    const forHost = (host?: string) =>
      decisionOf(rule({ fetch }), "fetch", host === undefined ? {} : { host }, cwd);
    expect([
      forHost("docs.rs"),
      forHost("api.NodeJS.org"),
      forHost("nodejs.org.evil.example"),
      forHost(),
    ]).toEqual(["allow", "allow", "deny", "deny"]);
  });

  it("an agent that cannot be told patterns is told no more than they allow", () => {
    const strict: PatternRules = { allow: ["x"], deny: ["y"], else: "allow" };
    expect(blunt(rule({ execute: commands, edit: strict, fetch: { allow: ["a"], else: "deny" } }))).toEqual({
      edit: "ask",
      execute: "ask",
      fetch: "deny",
      other: "ask",
    });
  });

  it("no line runs a second program that no pattern allows, as sh and bash read it", () => {
    // Pieces that begin, end, quote and hide commands; `intruder` is one that no pattern allows.
    const marks = [
      "'",
      '"',
      "\\",
      "$",
      "$(",
      ")",
      "`",
      "$'",
      "\\'",
      '\\"',
      "{",
      "}",
      "[",
      "]",
      ":-",
      "=",
      "~",
      "*",
      "!",
      "#",
    ];
    const joins = [" ", ";", "|", "&", "&&", "||", "\n", "2>&1", ">/dev/null", "<"];
    const piece = fc.constantFrom("npm test", "intruder", "a", ...joins, ...marks);
    const lines = fc
      .array(piece, { minLength: 1, maxLength: 8 })
      .map(pieces => `npm test ${pieces.join("")}`)
      .filter(line => forCommand(line) === "allow" && line.includes("intruder"));
    const stubs = "npm() { :; }; intruder() { echo RAN; }; ";
    // One small process starts all of them: to start each from this large one takes ten times as long.
    const each = `while IFS= read -r -d "" line; do
      case "$("$1" -c "$2$line" </dev/null 2>/dev/null)" in *RAN*) printf "%s\\0" "$line";; esac
    done`;
    const drawn = fc.sample(lines, 150);
    const ranIn = (shell: string, given: readonly string[]) =>
      spawnSync("/bin/bash", ["-c", each, "each", shell, `${stubs}\n`], {
        encoding: "utf8",
        cwd: "/tmp",
        input: given.map(line => `${line}\0`).join(""),
      }).stdout;
    for (const shell of ["/bin/sh", "/bin/bash"]) {
      expect(ranIn(shell, drawn)).toBe("");
      expect(ranIn(shell, ["npm test; intruder"])).toBe("npm test; intruder\0");
    }
  });

  it("time is linear in the line", () => {
    const line = "npm test ".repeat(1_100);
    expect(simpleCommands(line)).toHaveLength(1);
    expect(simpleCommands(";".repeat(10_000))).toEqual([]);
    expect(simpleCommands("'".repeat(10_001))).toBe(undefined);
  });
});

describe("patterns of paths", () => {
  it.each<readonly [string, string, boolean]>([
    ["**", "a/b/c", true],
    ["**/c", "c", true],
    ["a/**/c", "a/c", true],
    ["a/**/c", "a/b/b/c", true],
    ["a/*/c", "a/b/b/c", false],
    ["a/**", "a", true],
    ["*.ts", "a/b.ts", false],
    ["a?/b*", "ab/bcd", true],
    ["", "a", false],
  ])("%j holds %j: %j", (pattern, path, expected) => {
    expect(matchesPath(pattern, path)).toBe(expected);
  });
});
