import type { NamedBug } from "../bug.ts";

/** Bugs of the hub and of the workers that carry attempts out elsewhere. */
export const MACHINE_BUGS: readonly NamedBug[] = [
  {
    name: "a token is good for ever",
    file: "src/hub/tokens.ts",
    symbol: "createTokenBook",
    swap: ["one.expires > now && ", ""],
    by: { test: "test/hub/serve.test.ts", rule: "HB9" },
  },
  {
    name: "a token that was taken back is still let in",
    file: "src/hub/tokens.ts",
    symbol: "createTokenBook",
    swap: ["fresh !== stamp", 'stamp === ""'],
    by: { test: "test/hub/serve.test.ts", rule: "HB9" },
  },
  {
    name: "a worker whose owner says nothing of a jail has none",
    file: "src/worker/rules.ts",
    symbol: "readRules",
    swap: ['saysJail ? jail.use : "on"', 'saysJail ? jail.use : "off"'],
    by: { test: "test/hub/rules.test.ts", rule: "WK7" },
  },
  {
    name: "who takes a run up loses what its agents elsewhere are at",
    file: "src/hub/objects.ts",
    symbol: "run",
    swap: ['goesOn(key) ? "kept" : "lost"', '"lost"'],
    by: { test: "test/hub/failures.test.ts", rule: "HB5" },
  },
  {
    name: "the end of a turn is forgotten with the process that has heard it",
    file: "src/adapters/fleet/away-book.ts",
    symbol: "isKept",
    swap: ["!PASSING.has(event.type)", '!PASSING.has(event.type) && event.type !== "ended"'],
    by: { test: "test/hub/failures.test.ts", rule: "HB5" },
  },
  {
    name: "the folder of an attempt that is taken up is cleared",
    file: "src/engine/attempt/place.ts",
    symbol: "openPlace",
    swap: [" || isMended || isTakenUp", " || isMended"],
    by: { test: "test/hub/taken-up.test.ts", rule: "E152" },
  },
  {
    name: "a hub that was started anew believes that nothing stands before the first report it sees",
    file: "src/hub/relay.ts",
    symbol: "createRelay",
    swap: ["first === undefined || seq < first", "first === undefined"],
    by: { test: "test/hub/relay.test.ts", rule: "HB6" },
  },
  {
    name: "what was written into an empty submodule is lost without a word",
    file: "src/worker/late-work.ts",
    symbol: "seal",
    swap: ["await filledLinks(git, work, seen)", "[] as string[]"],
    by: { test: "test/hub/travel.test.ts", rule: "TR4" },
  },
  {
    name: "git is told how long a push is, and waits for the rest of one that was cut off",
    file: "src/hub/git.ts",
    symbol: "createGitService",
    swap: ["REMOTE_USER: name,", 'REMOTE_USER: name, CONTENT_LENGTH: headers["content-length"],'],
    by: { test: "test/hub/cut-push.test.ts", rule: "HB14" },
  },
  {
    name: "the folder of a worker that lives is cleared by another one",
    file: "src/worker/late-work.ts",
    symbol: "sweep",
    swap: [' || livenessOf(slip.process) !== "gone"', ""],
    by: { test: "test/hub/travel.test.ts", rule: "WK8" },
  },
  {
    name: "what agents of a killed worker had changed is thrown away",
    file: "src/worker/late-work.ts",
    symbol: "sweep",
    swap: [
      "existsSync(place.index) ? await keepLate(git, folder, place) : undefined",
      "undefined as string | undefined",
    ],
    by: { test: "test/hub/travel.test.ts", rule: "WK8" },
  },
  {
    name: "the hub throws work away that is under way",
    file: "src/hub/stored-work.ts",
    symbol: "createStoredWork",
    swap: ['if (!(await hub.isOver(pool, Buffer.from(read.value).toString("utf8")))) continue;', ""],
    by: { test: "test/hub/travel.test.ts", rule: "HB13" },
  },
  {
    name: "a task that no machine takes is not told",
    file: "src/host/run/fitting.ts",
    symbol: "unserved",
    swap: ["lacking(machine, one).length === 0", "lacking(machine, one).length < 2"],
    by: { test: "test/host/fitting.test.ts", rule: "HO38" },
  },
];
