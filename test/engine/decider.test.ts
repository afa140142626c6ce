import { describe, expect, it } from "vitest";
import { type Ancestor, type Circumstances, judge } from "../../src/engine/control/decider.ts";

const USER = 1000;
const ROOT = 0;

const one = (pid: number, startTime: number, more: Partial<Ancestor> = {}): Ancestor => ({
  pid,
  startTime,
  user: USER,
  ...more,
});

const INIT = one(1, 0, { user: ROOT });
/** The service manager of the person's session, which takes in orphans. */
const MANAGER = one(50, 10);
const TERMINAL = one(60, 20);
const SHELL = one(70, 30);
const RUN = one(100, 500);
/** A run goes on since 500; nobody worked before. */
const GOING: Circumstances = { holder: RUN, since: 500, adopters: [50], user: USER };

const kindOf = (line: readonly Ancestor[], around: Circumstances = GOING) => judge(line, around).kind;

describe("who asks", () => {
  it("[E44] is a person in a terminal that is older than the run, or in a new window of such a one", () => {
    expect(kindOf([one(200, 600), SHELL, TERMINAL, MANAGER, INIT])).toBe("person");
    expect(kindOf([one(200, 600), one(201, 590), TERMINAL, MANAGER, INIT])).toBe("person");
  });

  it("[E44] is a person who comes over the network, by cron, or from outside", () => {
    const ssh = one(80, 580, { user: ROOT });
    expect(kindOf([one(200, 600), one(201, 590), ssh, INIT])).toBe("person");
    expect(kindOf([one(200, 600), one(201, 590, { isOutermost: true })])).toBe("person");
    // Where all are root a user tells nothing.
    const all = [one(200, 600), one(201, 590), one(80, 580), one(1, 0)].map(each => ({
      ...each,
      user: ROOT,
    }));
    expect(kindOf(all, { ...GOING, user: ROOT, adopters: [1] })).toBe("unproven");
  });

  it("[E44] is an attempt where the run is in the line, whatever its environment says", () => {
    expect(judge([one(200, 600), one(150, 550), RUN, SHELL, MANAGER, INIT], GOING)).toEqual({
      kind: "attempt",
    });
    const marked = one(150, 550, { attempt: "token", task: "T1" });
    expect(judge([one(200, 600), marked, RUN], GOING)).toEqual({ kind: "attempt", task: "T1" });
    // Another process with the number of the run is not the run.
    expect(kindOf([one(200, 600), one(100, 400), MANAGER, INIT])).toBe("person");
  });

  it("[E44] is an attempt of another run as well, but for the project that it began itself", () => {
    const line = [one(200, 600), one(150, 550, { attempt: "token" }), one(90, 40), MANAGER, INIT];
    expect(kindOf(line)).toBe("attempt");
    expect(kindOf(line, { ...GOING, within: "token" })).toBe("person");
    expect(kindOf(line, { ...GOING, within: "other" })).toBe("attempt");
  });

  it("[E44] is unproven where the line ends with who takes in orphans", () => {
    expect(kindOf([one(200, 600), MANAGER, INIT])).toBe("unproven");
    expect(kindOf([one(200, 600), one(190, 580), INIT], { ...GOING, adopters: [1] })).toBe("unproven");
    // The first process takes in whatever nobody else did.
    expect(kindOf([one(200, 600), one(190, 580), INIT])).toBe("unproven");
    // A terminal of its own does not help while a run goes on: benches are told of none.
    expect(kindOf([], GOING)).toBe("unproven");
  });

  it("[E51] is unproven where it began after the first attempt of the project, also between two runs", () => {
    const later = { ...GOING, holder: one(100, 5000) };
    expect(kindOf([one(200, 6000), one(150, 3000), one(140, 600), MANAGER, INIT], later)).toBe("unproven");
    expect(kindOf([one(200, 6000), one(150, 490), MANAGER, INIT], later)).toBe("person");
  });

  it("[E51] is unproven below whoever took in the orphans of an earlier run", () => {
    const elsewhere = { ...GOING, adopters: [50, 1] };
    expect(kindOf([one(200, 6000), one(150, 3000), MANAGER, INIT], elsewhere)).toBe("unproven");
  });

  it("[E51] is unproven where its line does not lead to an end", () => {
    expect(kindOf([one(200, 600), one(201, 590)])).toBe("unproven");
  });

  it("[E44] is a person on a terminal while nothing runs", () => {
    const over: Circumstances = { since: 500, adopters: [50], user: USER };
    const line = [one(200, 900), one(190, 800), MANAGER, INIT];
    expect(kindOf(line, over)).toBe("unproven");
    expect(kindOf(line, { ...over, terminal: true })).toBe("person");
    expect(kindOf(line, { ...over, since: undefined })).toBe("person");
    const marked = [one(200, 900, { attempt: "token" }), MANAGER, INIT];
    expect(kindOf(marked, { ...over, terminal: true })).toBe("attempt");
  });

  it("[E44] is the lead where whoever started its server is in the line", () => {
    const client = one(90, 450);
    const around = { ...GOING, lead: client };
    expect(kindOf([one(200, 600), one(190, 590), client, SHELL, MANAGER, INIT], around)).toBe("lead");
    expect(kindOf([one(200, 600), SHELL, TERMINAL], around)).toBe("person");
    expect(kindOf([RUN, client, SHELL], around)).toBe("person");
  });

  it("[E44] is an agent in the shell of an agent program, and a person in what is older than the work", () => {
    const shell = one(190, 590, { sign: "CLAUDECODE" });
    expect(judge([one(200, 600), shell, one(90, 40), SHELL, MANAGER], GOING)).toEqual({
      kind: "agent",
      sign: "CLAUDECODE",
    });
    expect(kindOf([one(200, 600), one(90, 40, { sign: "CLAUDECODE" }), MANAGER, INIT])).toBe("person");
  });
});
