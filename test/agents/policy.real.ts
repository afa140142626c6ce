import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { POLICIES } from "../../src/adapters/agent/permissions.ts";
import { HELD_BY_KIND, type PermissionQuestion } from "../../src/ports/index.ts";
import {
  CLIENTS,
  clientOf,
  fileIn,
  hear,
  ofType,
  oneTurn,
  openPlace,
  openSession,
  type Place,
} from "./clients.ts";

let place: Place;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.dispose());

const full = ({ folder }: Place) => `SCENARIO:full FILE:${join(folder, "made.txt")}`;

/** These confine their own commands: with the usual policy they may run them. */
const SANDBOXED = ["codex", "codex-acp"];
const ASKING = CLIENTS.filter(name => name === "claude" || (name.endsWith("-acp") && name !== "codex-acp"));

describe.each(CLIENTS)("what %s may do", name => {
  it("edits, but runs no command, with the usual policy", async () => {
    const told = await oneTurn(name, place, full(place), {
      permissions: POLICIES["allow-edits"],
    });
    expect(told.end.kind).toBe("completed");
    expect(fileIn(place, "made.txt")).toBe("made by the agent");
    expect(fileIn(place, "ran.txt")).toBe(SANDBOXED.includes(name) ? "ran\n" : undefined);
  });

  it("writes nothing outside of its folder with the usual policy", async () => {
    const outside = join(dirname(place.folder), "outside.txt");
    await oneTurn(name, place, `SCENARIO:escape OUTSIDE:${outside}`, {
      permissions: POLICIES["allow-edits"],
    });
    expect([existsSync(outside), existsSync(`${outside}.shell`)]).toEqual([false, false]);
  });

  it("changes nothing where it may not", async () => {
    const told = await oneTurn(name, place, full(place), { permissions: POLICIES.deny });
    expect(["completed", "failed"]).toContain(told.end.kind);
    expect([fileIn(place, "made.txt"), fileIn(place, "ran.txt")]).toEqual([undefined, undefined]);
  });
});

describe.each(CLIENTS.filter(name => !HELD_BY_KIND.has(name)))("what %s may run", name => {
  it("[AC11] are the commands that patterns allow, each of a line for itself", async () => {
    const execute = { allow: ["git init allowed*"], else: "ask" } as const;
    const told = await oneTurn(name, place, "SCENARIO:shells", {
      permissions: { ...POLICIES["allow-edits"], execute },
    });
    expect(told.end.kind).toBe("completed");
    const made = ["allowed", "allowed-too", "intruder", "refused"].filter(folder =>
      existsSync(join(place.folder, folder, ".git")),
    );
    expect(made).toEqual(["allowed"]);
  });
});

describe.each(ASKING)("%s asks", name => {
  it("a person, who allows it, and it is told who did", async () => {
    const questions: PermissionQuestion[] = [];
    const session = await openSession(clientOf(name, place, POLICIES.ask), place, {
      async ask(question) {
        questions.push(question);
        return { answer: "allowed", by: "person" };
      },
    });
    const told = await hear(session.turn(full(place)));
    await session.close();
    expect(fileIn(place, "ran.txt")).toBe("ran\n");
    expect(questions.map(({ kind }) => kind)).toEqual(["edit", "execute"]);
    expect(ofType(told, "permission").map(({ answer, by }) => `${answer} by ${by}`)).toEqual([
      "allowed by person",
      "allowed by person",
    ]);
  });

  it("nobody, and is not let, and is told so", async () => {
    const told = await oneTurn(name, place, full(place), { permissions: POLICIES.ask });
    expect(fileIn(place, "made.txt")).toBe(undefined);
    expect(ofType(told, "permission")[0]).toMatchObject({ answer: "rejected", by: "nobody" });
  });
});
