import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  changedKeys,
  driversOff,
  hooksOff,
  isOn,
  programsOf,
  type Setting,
  unspeakable,
} from "../../src/adapters/vcs/git/call/settings.ts";

function setting(key: string, value?: string, more: Partial<Setting> = {}): Setting {
  return { owner: "repository", origin: "/p/.git/config", key, value, isText: true, ...more };
}

const person = { owner: "person" } as const;

describe("[V3] what a repository's configuration would have our calls start", () => {
  it("is its filters and merge drivers, and what it reads besides, by where that lies", () => {
    const settings = [
      setting("filter.lfs.clean", "git-lfs clean"),
      setting("filter.lfs.required", "true"),
      setting("filter.clean", "no driver"),
      setting("merge.m.driver", "d"),
      setting("core.pager", "p"),
      setting("include.path", "../x", { leads: "/p/x" }),
      setting("includeif.gitdir:/a.b/.path", "y", { leads: "/p/.git/y" }),
      setting("include.x.path", "none"),
      setting("filter..process", "p"),
      setting("filter.lfs.clean", "git-lfs clean", { origin: "/p/.git/config.worktree" }),
      setting("filter.mine.clean", "mine", person),
    ];
    expect(programsOf(settings)).toEqual([
      "filter.lfs.clean=git-lfs clean",
      "merge.m.driver=d",
      "include.path=/p/x",
      "includeif.gitdir:/a.b/.path=/p/.git/y",
      "filter..process=p",
    ]);
  });

  it("reads differently for different pairs", () => {
    const [one] = programsOf([setting("filter.x.clean", "y.clean=z")]);
    expect(programsOf([setting("filter.x.clean=y.clean", "z")])).not.toEqual([one]);
    const pairs = fc.tuple(fc.stringMatching(/^[a.=x"]{0,6}$/), fc.stringMatching(/^[a.=x"]{0,6}$/));
    fc.assert(
      fc.property(pairs, pairs, ([name, value], [other, its]) => {
        const [one] = programsOf([setting(`filter.${name}.clean`, value)]);
        const [two] = programsOf([setting(`filter.${other}.clean`, its)]);
        expect(one === two).toBe(name === other && value === its);
      }),
    );
  });

  it("is switched off by name, every way of it, and hooks whoever named them", () => {
    const settings = [
      setting("filter.a=b.smudge", "x"),
      setting("merge..driver", "y"),
      setting("filter.mine.clean", "z", person),
      setting("hook.lint.command", "h", person),
      setting("hook.lint.event", "pre-commit", person),
      setting("hook.jobs", "2"),
    ];
    expect(driversOff(settings)).toEqual([
      ["filter.a=b.clean", ""],
      ["filter.a=b.smudge", ""],
      ["filter.a=b.process", ""],
      ["filter.a=b.required", "false"],
      ["merge..driver", "false"],
    ]);
    expect(hooksOff(settings)).toEqual([["hook.lint.enabled", "false"]]);
  });

  it("[V4] cannot be approved under a name that is no text", () => {
    expect(unspeakable([setting("filter.\u00ff.clean", "x", { isText: false })])).toBe("filter.\u00ff.clean");
    expect(unspeakable([setting("user.name", "\u00ff", { isText: false })])).toBeUndefined();
  });
});

describe("[V6] a change of the configuration", () => {
  const changed = (...after: Setting[]) => changedKeys([setting("core.bare", "false")], after);
  const bare = setting("core.bare", "false");

  it("counts by what came and what is gone, wherever it stands", () => {
    expect(changed(bare, { ...bare, origin: "/p/.git/worktrees/w/config.worktree" })).toEqual([]);
    expect(changed(bare, setting("core.fsmonitor", "x"), setting("alias.a", "!b"))).toEqual([
      "alias.a",
      "core.fsmonitor",
    ]);
    expect(changed()).toEqual(["core.bare"]);
    expect(changed({ ...bare, value: "true" })).toEqual(["core.bare"]);
    expect(changed({ ...bare, ...person })).toEqual(["core.bare"]);
  });

  it("is none where tools write all the time, nor in a person's settings that our calls do not use", () => {
    expect(
      changed(bare, setting("branch.x.remote", "o"), setting("user.name", "n"), setting("gui.x", "y")),
    ).toEqual([]);
    expect(changed(bare, setting("safe.directory", "*", person), setting("alias.a", "!b", person))).toEqual(
      [],
    );
    expect(changed(bare, setting("filter.x.clean", "c", person))).toEqual(["filter.x.clean"]);
  });

  it("[V158] is none where a submodule is initialised, as long as that starts nothing and changes nothing", () => {
    const [url, active] = [setting("submodule.lib.url", "/lib"), setting("submodule.lib.active", "true")];
    const update = (value: string) => setting("submodule.lib.update", value);
    expect(changed(bare, url, active, update("rebase"))).toEqual([]);
    expect(changed(bare, url, update("checkout"), update("!touch x"))).toEqual(["submodule.lib.update"]);
    expect(changedKeys([bare, url], [bare, setting("submodule.lib.url", "/other")])).toEqual([
      "submodule.lib.url",
    ]);
    expect(changed(bare, setting("submodule.recurse", "true"))).toEqual(["submodule.recurse"]);
  });
});

it("reads a switch as git does", () => {
  const on = [undefined, "true", "YES", "on", "1"].map(value => isOn([setting("core.x", value)], "core.x"));
  const off = ["false", "no", "0", ""].map(value => isOn([setting("core.x", value)], "core.x"));
  expect([...on, ...off, isOn([], "core.x")]).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
