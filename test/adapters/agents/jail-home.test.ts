import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { jailLab, opened } from "./jail-fixtures.ts";

const lab = jailLab();
const put = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const KEEPS = { keeps: [".claude", ".claude.json", ".cache"] };

describe.skipIf(!opened.ok)("where the folder that is worked in", () => {
  it.each([
    ["is the home", ""],
    ["holds the home", "people/me"],
  ])("[AC33] %s, keys are hidden and settings guarded all the same", async (_, below) => {
    execFileSync("git", ["init", "-q", lab.cwd]);
    lab.home = join(lab.cwd, below);
    put(join(lab.home, ".ssh", "id"), "SECRET");
    put(join(lab.home, ".netrc"), "SECRET");
    put(join(lab.home, ".local", "state", "espalier", "key"), "SECRET");
    put(join(lab.home, ".claude", "settings.json"), "{}\n");
    put(join(lab.home, ".cache", "tool"), "theirs");
    const state = join(lab.cwd, ".espalier");
    put(join(state, "espalier.db"), "SECRET");
    const { said } = await lab.inside(
      "cd; cat .ssh/id .netrc .local/state/espalier/key .espalier/espalier.db; echo evil > .claude/settings.json; echo evil > .cache/tool; echo ok > .claude/session; echo ok > own",
      { ...KEEPS, state },
    );
    expect(said).not.toContain("SECRET");
    const read = (name: string) => readFileSync(join(lab.home, name), "utf8");
    expect([read(".claude/settings.json"), read(".cache/tool")]).toEqual(["{}\n", "theirs"]);
    expect([read(".claude/session"), read("own")]).toEqual(["ok\n", "ok\n"]);
  });

  it.each([".xdg", ".git/xdg", ".espalier"])(
    "[AC33] holds our own state in %s, that is hidden",
    async folder => {
      execFileSync("git", ["init", "-q", lab.cwd]);
      const state = join(lab.cwd, ".espalier");
      put(join(state, "attempts", "t1"), "prompt");
      const own = join(lab.cwd, folder);
      put(join(own, "espalier", "key"), "SECRET");
      const { said } = await lab.inside(`cat ${folder}/espalier/key; cat .espalier/attempts/t1`, {
        state,
        env: { XDG_STATE_HOME: own },
      });
      expect(said).toContain("prompt");
      expect(said).not.toContain("SECRET");
    },
  );

  it("[AC33] is in a folder that is hidden, it is open", async () => {
    lab.cwd = join(lab.home, ".aws", "work");
    put(join(lab.home, ".aws", "credentials"), "SECRET");
    mkdirSync(lab.cwd);
    const { said, code } = await lab.inside("cat ../credentials; echo ok > own");
    expect([said.includes("SECRET"), code]).toEqual([false, 0]);
    expect(readFileSync(join(lab.cwd, "own"), "utf8")).toBe("ok\n");
  });

  it("[AC33] keeps a folder of settings, keys in that are hidden", async () => {
    put(join(lab.home, ".config", "gh", "hosts.yml"), "SECRET");
    const { said } = await lab.inside("cat ~/.config/gh/hosts.yml; echo ok > ~/.config/own", {
      keeps: [".config"],
    });
    expect(said).not.toContain("SECRET");
    expect(readFileSync(join(lab.home, ".config", "own"), "utf8")).toBe("ok\n");
  });
});

describe.skipIf(!opened.ok)("of a home with links in it", () => {
  let elsewhere: string;
  beforeEach(() => {
    elsewhere = join(lab.folder, "elsewhere");
    mkdirSync(elsewhere);
  });
  const move = (name: string) => {
    const end = join(elsewhere, name.replaceAll("/", "-"));
    renameSync(join(lab.home, name), end);
    symlinkSync(end, join(lab.home, name));
  };

  it("[AC34] what is behind a link is kept, guarded and hidden as what is not", async () => {
    const state = join(lab.cwd, ".espalier");
    mkdirSync(state);
    put(join(lab.home, ".ssh", "id"), "SECRET");
    put(join(lab.home, ".claude", "settings.json"), "{}\n");
    put(join(lab.home, ".cache", "ms-playwright", "chrome"), "browser");
    put(join(lab.home, ".cache", "tools", "bin", "tool"), "tool");
    const real = lab.home;
    for (const name of [".claude", ".cache/ms-playwright", ".cache/tools", ".cache"]) move(name);
    lab.home = join(lab.folder, "people");
    symlinkSync(real, lab.home);
    const { said } = await lab.inside(
      "cat ~/.ssh/id; echo evil > ~/.claude/settings.json; echo ok > ~/.claude/session; echo mine > ~/.cache/own; cat ~/.cache/own ~/.cache/ms-playwright/chrome ~/.cache/tools/bin/tool",
      { ...KEEPS, state, programs: [join(lab.home, ".cache/tools/bin/tool")] },
    );
    expect(said).not.toContain("SECRET");
    expect(said).toContain("mine\nbrowsertool");
    expect(readFileSync(join(elsewhere, ".claude", "settings.json"), "utf8")).toBe("{}\n");
    expect(readFileSync(join(elsewhere, ".claude", "session"), "utf8")).toBe("ok\n");
    expect(readFileSync(join(state, "jail-cache", "own"), "utf8")).toBe("mine\n");
  });

  it.each([
    ["a setting", ".claude/settings.json", KEEPS.keeps],
    ["a setting that is gone", ".claude/settings.json", KEEPS.keeps],
    ["a folder of settings", ".config/opencode", [".config"]],
  ])("[AC34] %s that is a link stays that one", async (name, path, keeps) => {
    const way = join(lab.home, path);
    const kept = dirname(way);
    mkdirSync(join(kept, "projects"), { recursive: true });
    put(join(kept, "login"), "old\n");
    put(join(elsewhere, "outside", "file"), "untouched");
    symlinkSync(join(elsewhere, "outside"), join(kept, "other"));
    const to = name.endsWith("gone") ? "../gone" : "../theirs";
    if (path.endsWith(".json")) put(join(lab.home, "theirs"), "{}\n");
    else mkdirSync(join(lab.home, "theirs"));
    symlinkSync(to, way);
    const { said } = await lab.inside(
      `cd ${kept}; cat settings.json; rm -rf ${way}; mkdir ${way}; echo evil > ${way}; echo ok > projects/session; echo new > login; cat login; echo evil > other/file`,
      { keeps },
    );
    expect(said).toContain("new\n");
    expect(lstatSync(way).isSymbolicLink()).toBe(true);
    const read = (file: string) => readFileSync(file, "utf8");
    expect(read(join(kept, "projects", "session"))).toBe("ok\n");
    expect(read(join(kept, "login"))).toBe("new\n");
    expect(read(join(elsewhere, "outside", "file"))).toBe("untouched");
    expect(said.includes("{}")).toBe(name === "a setting");
  });
});

describe.skipIf(!opened.ok)("npm in a jail", () => {
  it("[AC35] has its cache among the project's own, where it can write", async () => {
    const state = join(lab.cwd, ".espalier");
    mkdirSync(state);
    put(join(lab.cwd, "package.json"), '{"name":"a","version":"1.0.0"}');
    const { said } = await lab.inside("npm config get cache; npm cache verify", { ...KEEPS, state });
    expect(said).toContain(`${join(lab.home, ".cache", "npm")}\n`);
    expect(said).toContain("Cache verified");
    expect(lstatSync(join(state, "jail-cache", "npm", "_cacache")).isDirectory()).toBe(true);
  });
});
