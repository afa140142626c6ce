import { expect, it } from "vitest";
import { createWaiting } from "../../src/host/run/waiting.ts";
import type { Reason } from "../../src/ports/index.ts";
import { reasonText } from "../../src/text/index.ts";

const URL_ = "http://hub";

/** Orders of one agent that wait, what each hears, and the warnings. */
function waiters(...ids: readonly string[]) {
  const warned: string[] = [];
  const heard: Record<string, (string | undefined)[]> = {};
  const waiting = createWaiting(URL_, (code, message) => warned.push(`${code} ${message.code}`));
  for (const id of ids) {
    const own: (string | undefined)[] = [];
    heard[id] = own;
    waiting.begins({ id, task: "T1", agent: "shell", labels: ["gpu"] }, why => own.push(why?.code));
  }
  return { waiting, warned, heard };
}

it("[HO72] why orders wait is a warning once for all that wait for the same, and again when it comes back", () => {
  const { waiting, warned, heard } = waiters("a/1", "b/1");
  const stuck = [{ ids: ["a/1", "b/1", "of another run/1"], drained: ["m1"] }];
  waiting.stuck(stuck);
  waiting.stuck(stuck);
  expect(warned).toEqual(["MACHINES_DRAINED machines-drained"]);
  expect(heard).toEqual({ "a/1": ["machines-drained"], "b/1": ["machines-drained"] });
  waiting.stuck([]);
  expect(heard["a/1"]).toEqual(["machines-drained", undefined]);
  waiting.stuck([{ ids: ["a/1"], drained: ["m1"] }]);
  waiting.over("a/1");
  waiting.over("a/1");
  waiting.stuck(stuck);
  expect(warned).toHaveLength(3);
  expect(heard).toEqual({
    "a/1": ["machines-drained", undefined, "machines-drained", undefined],
    "b/1": ["machines-drained", undefined, "machines-drained"],
  });
});

it("[HO72] what the hub refuses is told until it takes it, and a resource in use until a machine has it", () => {
  const { waiting, warned, heard } = waiters("a/1");
  waiting.refused("a/1", { lacks: [], repository: "a".repeat(40) });
  waiting.refused("a/1", { lacks: [], repository: "a".repeat(40) });
  waiting.refused("a/1", { lacks: ["gpu"] });
  waiting.refused("a/1", {});
  waiting.inUse("a/1", "gpu", ["m1"]);
  waiting.taken("a/1");
  waiting.stuck([]);
  expect(heard["a/1"]).toEqual(["repository-not-taken", "no-resource", "no-machine", "resource-in-use"]);
  waiting.over("a/1");
  expect(heard["a/1"]).toHaveLength(5);
  waiting.begins({ id: "c/1", task: "T2", agent: "shell" }, why => heard["a/1"]?.push(why?.code));
  waiting.refused("c/1", {});
  waiting.taken("c/1");
  expect(heard["a/1"]?.slice(5)).toEqual(["no-machine", undefined]);
  expect(warned.map(line => line.split(" ")[0])).toEqual([
    "NO_MACHINE",
    "NO_MACHINE",
    "NO_MACHINE",
    "RESOURCE_IN_USE",
    "NO_MACHINE",
  ]);
});

it("[HO72] machines with full disks are named, in both languages", () => {
  const { waiting, warned, heard } = waiters("a/1");
  waiting.stuck([{ ids: ["a/1"], full: ["m1", "m2"] }]);
  expect([warned, heard["a/1"]]).toEqual([["MACHINES_FULL machines-full"], ["machines-full"]]);
  const reason: Reason = { code: "machines-full", args: { machines: ["m1", "m2"], agent: "shell" } };
  expect(reasonText(reason, "en")).toContain("the disks of m1, m2 are full");
  expect(reasonText(reason, "ko")).toContain("m1, m2 디스크가 가득");
});

it("[HO72] drained machines are named with what to do, in both languages", () => {
  const reason: Reason = {
    code: "machines-drained",
    args: { machines: ["m1", "m2", "m3", "m4", "m5", "m6"], agent: "shell", labels: ["gpu"], url: URL_ },
  };
  const [english, korean] = (["en", "ko"] as const).map(locale => reasonText(reason, locale));
  expect(english).toContain("m1, m2, m3, m4 and 2 more are drained");
  expect(korean).toContain("m1, m2, m3, m4 외 2대");
  for (const text of [english, korean]) {
    expect(text).toContain("shell");
    expect(text).toContain(`espalier worker drain m1 --off --hub ${URL_}`);
  }
});
