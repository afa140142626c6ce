import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createLocalFleet } from "../../src/adapters/fleet/index.ts";
import { startWarden } from "../../src/adapters/process/index.ts";
import { WIRE } from "../../src/fleet/index.ts";
import { type Agent, type Order, ok, type Report } from "../../src/ports/index.ts";
import { fleetConformance } from "../../src/testing/index.ts";
import { serveInside } from "../../src/worker/inside.ts";
import { startCommand } from "../../src/worker/spawn-command.ts";
import { createSpawnedFleet, type Inside } from "../../src/worker/spawned.ts";
import { isAlive } from "../cli/lab.ts";
import { order } from "../order.ts";
import { scratchFolder } from "../scratch.ts";
import { until, whyLost } from "./follow.ts";

const PROGRAM = fileURLToPath(new URL("./coordinator.ts", import.meta.url));
const LONG = 60_000;

/** A folder of a test's own, gone with it. */
function scratch(prefix: string) {
  const path = scratchFolder(prefix);
  return {
    path,
    read: (name: string) => readFileSync(join(path, name), "utf8"),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Lines that are written by one and read by another. */
function pipe() {
  const lines: string[] = [];
  let isOver = false;
  let more = Promise.withResolvers<void>();
  const wake = () => {
    more.resolve();
    more = Promise.withResolvers();
  };
  return {
    write(line: string) {
      lines.push(line);
      wake();
    },
    end() {
      isOver = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const line = lines.shift();
        if (line !== undefined) yield line;
        else if (isOver) return;
        else await more.promise;
      }
    },
  };
}

/** What carries an order out in this process, as what is started for it does in one of its own. */
function insideOf(agents: readonly Agent[], hear: (line: string) => void): Inside {
  const lines = pipe();
  const gone = Promise.withResolvers<string>();
  const fleet = createLocalFleet({ agents: new Map(agents.map(one => [one.name, one])) });
  let isGone = false;
  void serveInside({
    lines,
    write: line => isGone || hear(line),
    open: async given => ok({ fleet, order: given }),
  }).then(
    () => gone.resolve("it ended with 0"),
    (error: Error) => gone.resolve(error.message),
  );
  return {
    send: line => lines.write(line),
    leave: () => lines.end(),
    kill() {
      isGone = true;
      lines.end();
      gone.resolve("killed");
    },
    ended: gone.promise,
  };
}

const cases = fleetConformance({
  fleet(agents) {
    const all: Inside[] = [];
    return {
      fleet: createSpawnedFleet({
        agents,
        startsInMs: LONG,
        async start(_, hear) {
          const one = insideOf(agents, hear);
          all.push(one);
          return one;
        },
      }),
      lose() {
        for (const one of all) one.kill();
      },
    };
  },
});

describe("the fleet that starts an environment for each order", () => {
  it.for(cases)("$name", async (rule, { skip }) => {
    skip(rule.skip !== undefined, rule.skip);
    await expect(rule.run()).resolves.toBeUndefined();
  });
});

/** A fleet that starts this command for each order. */
function spawning(folder: string, command: string, startsInMs = LONG, agents: readonly string[] = ["shell"]) {
  const warden = startWarden(`spawned${process.pid}`);
  const heard: (string | undefined)[] = [];
  const fleet = createSpawnedFleet({
    agents: agents.map(name => ({ name, reports: "exit" })),
    startsInMs,
    start: (given, hear) =>
      startCommand(
        {
          command,
          env: {
            ...process.env,
            ESPALIER_HUB_TOKEN: "secret",
            NODE: process.execPath,
            PROGRAM,
            HOME: folder,
          },
          folder,
          warden,
          placed: () => ({ work: join(folder, "work"), mirror: join(folder, "mirror") }),
        },
        given,
        hear,
      ),
    began: (_, why) => heard.push(why),
  });
  return { fleet, heard, [Symbol.asyncDispose]: () => warden.close() };
}

const shell = (folder: string, script: string): Order => ({
  ...order({ agent: "shell", message: "" }),
  cwd: folder,
  script,
  env: {},
});

/** An order that is carried out by words of a test, and whether what was started for it was killed. */
async function spoken(startsInMs: number) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const gone = Promise.withResolvers<string>();
  let say = (_line: string): void => {};
  let isKilled = false;
  const fleet = createSpawnedFleet({
    agents: [{ name: "shell", reports: "exit" }],
    startsInMs,
    async start(_, hear) {
      say = hear;
      const kill = () => {
        isKilled = true;
        gone.resolve("killed");
      };
      return { send: () => {}, leave: () => {}, kill, ended: gone.promise };
    },
  });
  await fleet.submit(order({ agent: "shell" }));
  const report = (seq: number, event: object) => say(JSON.stringify({ version: 1, seq, event }));
  return { fleet, readies: () => say('{"is":"readying"}'), report, isKilled: () => isKilled };
}

describe("the time that what is started for an order has", () => {
  it("[WK14] to be there does not count what it takes to get ready, as long as it is heard", async () => {
    const { fleet, readies, isKilled } = await spoken(3000);
    await vi.advanceTimersByTimeAsync(2000);
    for (let minutes = 0; minutes < 30; minutes++) {
      readies();
      await vi.advanceTimersByTimeAsync(59_000);
    }
    expect(isKilled()).toBe(false);
    await vi.advanceTimersByTimeAsync(2000);
    expect(isKilled()).toBe(true);
    expect(whyLost(await until(fleet, "lost"))).toContain("it was not heard any more while it got ready");
  });

  it("[WK14] to end when it was told to is given by nothing else that it says", async () => {
    const { fleet, readies, report, isKilled } = await spoken(3000);
    readies();
    await fleet.cancel("tokenx/1", "hard");
    readies();
    report(1, { type: "opened", machine: "x" });
    await vi.advanceTimersByTimeAsync(order().limits.graceMs + 10_000);
    expect(isKilled()).toBe(true);
    expect(whyLost(await until(fleet, "lost"))).toContain("it did not end when it was told to");
  });

  it("[WK14] what carries an order out says from the first on, and again, that it gets ready", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const [lines, said] = [pipe(), [] as string[]];
    const set = Promise.withResolvers<void>();
    const fleet = createLocalFleet({ agents: new Map() });
    const served = serveInside({
      lines,
      write: line => void said.push(line),
      async open(given) {
        await set.promise;
        return ok({ fleet, order: given });
      },
    });
    lines.write(JSON.stringify({ is: "order", wire: WIRE, order: order() }));
    await vi.advanceTimersByTimeAsync(0);
    expect(said).toEqual(['{"is":"readying"}']);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(said).toEqual(Array(3).fill('{"is":"readying"}'));
    set.resolve();
    await served;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(said.slice(3).map(line => JSON.parse(line).event.type)).toEqual(["refused", "closed"]);
  });
});

const linesOf = (reports: readonly Report[]) =>
  reports.flatMap(({ event }) => (event.type === "line" ? [event.text] : []));

const RUN = 'exec "$NODE" "$PROGRAM" worker attempt --no-jail --folder inside';

describe("a command that is started for each order", () => {
  it("[WK11] carries it out with what it is told, and ends with it", async () => {
    using place = scratch("espalier-spawned-");
    const folder = place.path;
    const told = 'env | grep -a "^ESPALIER_" | sort > told; echo a banner; env > all';
    await using there = spawning(folder, `${told}; ${RUN}`);
    const { fleet, heard } = there;
    await fleet.submit(shell(folder, 'echo "made in $ESPALIER_TASK"; echo x > made.txt'));
    await fleet.tell("tokenx/1", { type: "end" });
    const reports = await until(fleet, "closed");
    expect(linesOf(reports)).toContain("made in T1.1");
    expect(heard).toEqual([undefined]);
    const env = place.read("told");
    expect(env).toContain(`ESPALIER_WORK=${join(folder, "work")}\n`);
    expect(env).toContain(`ESPALIER_GIT=${join(folder, "mirror")}\n`);
    expect(env).toContain("ESPALIER_AGENT=shell\n");
    expect(place.read("all")).not.toContain("secret");
  });

  it.each([
    ["fails", "echo no room >&2; exit 7", "it ended with 7: no room"],
    ["says nothing", "true", "it ended with 0"],
    ["does not exist", "nonsense-that-is-not-there", "not found"],
  ])("[WK11] that %s has lost its order, and says why", async (_, command, said) => {
    using place = scratch("espalier-spawned-");
    await using there = spawning(place.path, command);
    await there.fleet.submit(shell(place.path, "true"));
    expect(whyLost(await until(there.fleet, "lost"))).toContain(said);
    expect(there.heard).toEqual([expect.stringContaining(said)]);
  });

  it.each([
    ["whose setup does not pass", 'setup: ["echo one; echo no compiler; false"]', "shell", "no compiler"],
    ["without the agent", "only: [shell]", "nobody", "nobody"],
  ])(
    "[WK13] %s refuses its order for what another machine need not lack, and was there",
    async (_, rules, agent, said) => {
      using place = scratch("espalier-spawned-");
      const folder = place.path;
      writeFileSync(join(folder, "worker.yaml"), `${rules}\n`);
      await using there = spawning(folder, `${RUN} --rules worker.yaml`, LONG, ["shell", "nobody"]);
      await there.fleet.submit({ ...shell(folder, "true"), agent });
      await there.fleet.tell("tokenx/1", { type: "end" });
      const reports = await until(there.fleet, "closed");
      expect(reports.map(({ event }) => event.type)).toEqual(["refused", "closed"]);
      expect(reports[0]?.event).toMatchObject({ failure: { message: expect.stringContaining(said) } });
      expect(there.heard).toEqual([undefined]);
    },
  );

  it("[WK13] that is not told what to do ends by itself, however long its input stays open", async () => {
    using place = scratch("espalier-spawned-");
    const args = [PROGRAM, "worker", "attempt", "--no-jail", "--folder", "inside"];
    const child = spawn(process.execPath, args, { cwd: place.path, stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.write("nonsense\n");
    const [code] = await once(child, "exit");
    expect(code).not.toBe(0);
    child.stdin.destroy();
  });

  it("[WK11] that hangs is killed with all that it started, and has lost its order", async () => {
    using place = scratch("espalier-spawned-");
    await using there = spawning(place.path, 'sleep 600 & echo "$! $$" > pids; wait', 3000);
    await there.fleet.submit(shell(place.path, "true"));
    expect(whyLost(await until(there.fleet, "lost"))).toContain("not there within 3 s");
    const pids = place.read("pids").trim().split(" ").map(Number);
    expect(pids).toHaveLength(2);
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  it("[WK11] that dies in the middle has lost its order; its agent dies with it", async () => {
    using place = scratch("espalier-spawned-");
    await using there = spawning(place.path, `echo $$ > pid; ${RUN}`);
    const { fleet } = there;
    await fleet.submit(shell(place.path, "echo $$ > agent; echo at work; sleep 600"));
    const begun = await until(fleet, "line");
    process.kill(Number(place.read("pid")), "SIGKILL");
    expect(whyLost(await until(fleet, "lost", begun.length + 1))).toContain("it ended with SIGKILL");
    const agent = Number(place.read("agent"));
    await expect.poll(() => isAlive(agent), { timeout: 20_000 }).toBe(false);
  });

  it("[WK11] ends with its attempt: a cancel ends the agent inside", async () => {
    using place = scratch("espalier-spawned-");
    await using there = spawning(place.path, RUN);
    const { fleet } = there;
    await fleet.submit(shell(place.path, "echo $$ > agent; echo at work; sleep 600"));
    await until(fleet, "line");
    await fleet.cancel("tokenx/1", "hard");
    await fleet.tell("tokenx/1", { type: "end" });
    await expect.poll(() => isAlive(Number(place.read("agent"))), { timeout: 20_000 }).toBe(false);
  });
});
