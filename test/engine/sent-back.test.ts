import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/ports/index.ts";
import { itWhole } from "../sample.ts";
import { SHELL_OK } from "./bench.ts";
import { approve, object, openCourt, rowOf } from "./court.ts";
import { isOf, openSite } from "./site.ts";

type Court = Awaited<ReturnType<typeof openCourt>>;

/** A second task keeps the run under way. */
const TWO = "### [ ] T1.1: Say hello\n- greet whoever comes\n### [ ] T1.2: b\n";

const act = (
  { bench }: Pick<Court, "bench">,
  action: "send-back" | "approve" | "pause" | "resume",
  note = "",
) =>
  bench.engine.send({
    type: "act",
    action,
    task: "T1.1",
    note,
    textHash: "",
    by: "ray",
    awaitsReview: bench.engine.awaitsReview("T1.1"),
  });

/** Whether the first task is completed once more. */
function completedAgain() {
  let count = 0;
  const isCompleted = isOf("completed", "T1.1");
  return (event: RunEvent) => isCompleted(event) && ++count === 2;
}

/** The first task has landed, the second is at work. */
async function landed(options: Parameters<typeof openSite>[0] = {}) {
  const site = await openSite({ tasks: TWO, puppets: { followUp: true }, ...options });
  const end = site.bench.start();
  const second = await site.bench.puppets.next("T1.2");
  const first = await site.bench.puppets.next("T1.1");
  site.edit(first, "hello\n");
  first.tell({ type: "session", id: "s-1" });
  site.done(first);
  await site.bench.event(isOf("completed", "T1.1"));
  return Object.assign(site, { second, end });
}

describe("work that a person sends back", () => {
  it("[E150] is changed in the session that made it, on the tree as it is, and the note is durable with the act", async () => {
    using site = await landed();
    await act(site, "send-back", "say it in Korean, too\nand nothing else");
    const kept = site.bench.changes.find(({ events = [] }) =>
      events.some(({ event }) => event.type === "person"),
    );
    expect(kept?.attempts?.find(({ number }) => number === 1)).toMatchObject({
      outcome: "done",
      reason: { code: "sent-back", args: { by: "ray", note: "say it in Korean, too\nand nothing else" } },
    });
    const again = await site.bench.puppets.next("T1.1");
    expect(again.request).toMatchObject({ resume: "s-1", attempt: 2 });
    expect(again.prompt).toContain("  | say it in Korean, too\n  | and nothing else\n");
    expect(again.prompt).toContain("What the attempt before changed is still there");
    expect(site.read(again)).toBe("hello\n");
    site.edit(again, "hello\n안녕\n");
    site.done(again);
    await site.bench.event(completedAgain());
    expect(site.landed()).toBe("hello\n안녕");
    expect(site.home()).toEqual(["T1.1", "T1.1"]);
    site.done(site.second);
    expect(await site.end).toMatchObject({ outcome: "completed" });
  });

  itWhole("[E150] is told to whoever tries it next, until one is done", async () => {
    using site = await landed();
    await act(site, "send-back", "in Korean");
    const second = await site.bench.puppets.next("T1.1");
    second.say(`FAIL:${second.id}:no dictionary`);
    const third = await site.bench.puppets.next("T1.1");
    expect(third.prompt).toContain("  | in Korean\n");
    site.edit(third, "안녕\n");
    site.done(third);
    await site.bench.event(completedAgain());
    await act(site, "send-back", "longer");
    const fourth = await site.bench.puppets.next("T1.1");
    expect(fourth.prompt).toContain("  | longer\n");
    expect(fourth.prompt).not.toContain("in Korean");
  });

  it("[E150] is begun in another process by the agent that made it, in its session", async () => {
    using site = await landed();
    site.done(site.second);
    expect(await site.end).toMatchObject({ outcome: "completed" });
    const { lab } = site;
    const { place } = site.bench;
    // Tokens of another process are others.
    let count = 0;
    const world = { random: (length: number) => `${++count}`.padStart(length, "z") };
    const puppets = { followUp: true };
    using next = await openSite({ tasks: TWO, puppets, lab, place, resume: true, world });
    const end = next.bench.start();
    await act(next, "send-back", "in Korean");
    const again = await next.bench.puppets.next("T1.1");
    expect(again.request).toMatchObject({ resume: "s-1", attempt: 2 });
    expect(next.read(again)).toBe("hello\n");
    next.edit(again, "안녕\n");
    next.done(again);
    await next.bench.event(isOf("completed", "T1.1"));
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(next.landed()).toBe("안녕");
  });

  itWhole("[E150] is kept where its agent is still being ended", async () => {
    using site = await openSite({ tasks: TWO, puppets: { followUp: true, stubborn: true } });
    void site.bench.start();
    const first = await site.bench.puppets.next("T1.1");
    first.tell({ type: "session", id: "s-1" });
    site.edit(first, "half\n");
    await act(site, "pause");
    await act(site, "send-back", "in Korean");
    const failure = { kind: "cancelled", message: "", retryable: true } as const;
    first.end({ kind: "failed", failure, finalMessage: "" });
    const again = await site.bench.puppets.next("T1.1");
    const rows = site.bench.changes.flatMap(({ attempts = [] }) => attempts);
    expect(rows.findLast(({ task, number }) => task === "T1.1" && number === 1)).toMatchObject({
      outcome: "cancelled",
      reason: { code: "sent-back" },
    });
    expect(again.prompt).toContain("  | in Korean\n");
    expect(site.read(again)).toBe("half\n");
  });

  itWhole(
    "[E150] does not land by itself where it only had to be reviewed: its agent goes on with it",
    async () => {
      using site = await openCourt({ review: { required: true } });
      void site.bench.start();
      await site.work("hello\n");
      (await site.judges.next()).say("");
      await site.bench.event(isOf("paused", "T1.1"));
      await act(site, "send-back", "in Korean");
      const again = await site.bench.puppets.next();
      expect(again.request).toMatchObject({ resume: "s-1", attempt: 2 });
      expect(again.prompt).toContain("  | in Korean\n");
      expect(site.read(again)).toBe("hello\n");
      expect(site.judges.turns).toBe(1);
    },
  );

  it("[E203] is reviewed by what the person asked for, too, each time", async () => {
    using site = await openCourt({ review: { required: true } });
    const end = site.bench.start();
    await site.work("hello\n안녕\n");
    const first = await site.judges.next();
    expect(first.prompt).not.toContain("sent it back");
    first.say("");
    await site.bench.event(isOf("paused", "T1.1"));
    await act(site, "send-back", "ciao instead\nand no Korean");
    const again = await site.bench.puppets.next();
    site.edit(again, "ciao\n");
    site.done(again);
    const second = await site.judges.next();
    expect(second.prompt).toContain("sent it back");
    expect(second.prompt).toContain("  | ciao instead\n  | and no Korean\n");
    object(second, "a.txt: smaller");
    site.done(await site.bench.puppets.next());
    const third = await site.judges.next();
    expect(third.prompt).toContain("  | ciao instead\n");
    approve(third);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.landed()).toBe("ciao");
  });

  it("[E203] is reviewed by a command that has what the person asked for", async () => {
    const heard: (string | undefined)[] = [];
    using site = await openCourt({
      review: { agent: undefined, command: "./judge.sh" },
      shell: async ({ command, env }) => {
        if (command === "check") return SHELL_OK;
        heard.push(env["ESPALIER_SENT_BACK"]);
        return { ...SHELL_OK, exitCode: heard.length === 1 ? 127 : 0 };
      },
    });
    const end = site.bench.start();
    await site.work("hello\n");
    await site.bench.event(isOf("paused", "T1.1"));
    await act(site, "send-back", "ciao instead");
    site.done(await site.bench.puppets.next());
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(heard).toEqual(["", "ciao instead"]);
  });
});

describe("work that a person approves", () => {
  it("[E151] keeps who did in the evidence of its last attempt", async () => {
    using site = await landed();
    await act(site, "approve", "read every line");
    expect(rowOf(site)).toMatchObject({ outcome: "done", reason: undefined });
    expect(rowOf(site)?.evidence).toMatch(/^APPROVED by ray: read every line$/m);
    expect(site.bench.engine.run.byId.get("T1.1")).toMatchObject({ status: "completed", verified: true });
  });

  it("[E151] lands where it waits for its review, and nobody is asked", async () => {
    using site = await openCourt({ review: { required: true } });
    const end = site.bench.start();
    await site.work("hello\n");
    (await site.judges.next()).say("");
    await site.bench.event(isOf("paused", "T1.1"));
    await act(site, "approve", "fine");
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.landed()).toBe("hello");
    expect(site.bench.puppets.turns + site.judges.turns).toBe(2);
    expect(rowOf(site, 2)).toMatchObject({ outcome: "done" });
    expect(rowOf(site, 2)?.evidence).toContain("APPROVED by ray: fine");
  });

  it.each(["resume", "approve"] as const)(
    "[E204] counts as verified, also where it waited for its review and no command proves it: %s",
    async decided => {
      using site = await openCourt({ engine: { verify: undefined }, review: { required: true } });
      const end = site.bench.start();
      await site.work("hello\n");
      (await site.judges.next()).say("");
      await site.bench.event(isOf("paused", "T1.1"));
      await act(site, decided);
      if (decided === "resume") approve(await site.judges.next());
      expect(await end).toMatchObject({ outcome: "completed" });
      expect(site.bench.engine.run.byId.get("T1.1")?.verified).toBe(decided === "approve");
    },
  );
});
