import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openJail } from "../../src/adapters/agent/index.ts";
import { POLICIES } from "../../src/adapters/agent/permissions.ts";
import { attemptMarker, findMarked } from "../../src/adapters/process/index.ts";
import { CLIENTS, clientOf, fileIn, hear, openPlace, openSession, type Place } from "./clients.ts";

const opened = await openJail(process.env["PATH"]);
const walls = opened.ok ? { jail: opened.value, network: true } : undefined;
let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.dispose());

describe.skipIf(walls === undefined).each(CLIENTS)("%s in the jail, with every permission", name => {
  const talk = async (message: string, token = `jail-${name}-${process.pid}`) => {
    const session = await openSession(clientOf(name, place, POLICIES.allow, walls), place, { token });
    try {
      return await hear(session.turn(message));
    } finally {
      await session.close();
    }
  };

  it("works in its folder", async () => {
    const { end } = await talk(`SCENARIO:full FILE:${join(place.folder, "made.txt")} SIGNAL:T1.3#a`);
    expect(end).toMatchObject({ kind: "completed", finalMessage: expect.stringMatching(/DONE:T1\.3#a$/) });
    expect([fileIn(place, "made.txt"), fileIn(place, "ran.txt")]).toEqual(["made by the agent", "ran\n"]);
  });

  it("writes nothing outside of it, by tool or by shell", async () => {
    const outside = join(dirname(place.folder), "outside.txt");
    const { end } = await talk(`SCENARIO:escape OUTSIDE:${outside}`);
    expect(end.kind).toBe("completed");
    expect([existsSync(outside), existsSync(`${outside}.shell`)]).toEqual([false, false]);
  });

  it("commits in a worktree whose repository lies elsewhere, and plants no hook there", async () => {
    const main = join(dirname(place.folder), "main");
    mkdirSync(main);
    const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
    git(main, "init", "-q");
    git(main, "-c", "user.name=n", "-c", "user.email=e@x", "commit", "-q", "--allow-empty", "-m", "first");
    git(main, "worktree", "add", "-q", "--force", place.folder);
    writeFileSync(join(place.folder, "a.txt"), "a");
    await talk("SCENARIO:commit");
    expect(git(place.folder, "log", "--format=%s").split("\n")[0]).toBe("from the jail");
    expect(existsSync(join(main, ".git", "hooks", "post-checkout"))).toBe(false);
    expect(readFileSync(join(main, ".git", "config"), "utf8")).not.toContain("evil");
  });

  it("is gone with all its processes when it is cancelled", async () => {
    const token = `jail-cancel-${name}-${process.pid}`;
    const session = await openSession(clientOf(name, place, POLICIES.allow, walls), place, { token });
    const told = hear(session.turn("SCENARIO:sleep"));
    for (let tries = 0; tries < 600 && !existsSync(join(place.folder, "pid.txt")); tries++)
      await new Promise(resolve => setTimeout(resolve, 50));
    expect(existsSync(join(place.folder, "pid.txt"))).toBe(true);
    await session.cancel("soft");
    expect((await told).end).toMatchObject({ kind: "failed", failure: { kind: "cancelled" } });
    expect(findMarked(attemptMarker(token))).toEqual([]);
    await session.close();
  });
});

it.runIf(walls === undefined)("has no jail to try: bubblewrap is missing or not allowed here", () => {
  expect(opened.ok ? "" : opened.failure).toMatch(/bubblewrap/);
});
