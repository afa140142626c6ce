import { describe, expect, it } from "vitest";
import type { AgentFailure, RunEvent } from "../../src/ports/index.ts";
import { sampleOf } from "../sample.ts";
import { approve, isLanded, openCourt, rowOf, warningsOf } from "./court.ts";
import { type Part, Puppets } from "./puppets.ts";
import { isOf } from "./site.ts";

const REQUIRED = { required: true } as const;

const fails = (judge: Part, failure: AgentFailure) =>
  judge.end({ kind: "failed", failure, finalMessage: "" });

describe("a required reviewer that cannot be asked now", () => {
  it.each(
    sampleOf<[string, AgentFailure["kind"], RunEvent["type"], number]>(
      [
        ["out of quota", "quota", "waiting", 60_000],
        ["busy", "overloaded", "warning", 5_000],
      ],
      0,
    ),
  )("[E108] is waited for like a worker: %s", async (_, kind, type, ms) => {
    using site = await openCourt({ review: REQUIRED });
    const end = site.bench.start();
    await site.work("hello\n");
    fails(await site.judges.next(), { kind, message: "limit reached", retryable: true });
    const told = JSON.stringify(await site.bench.event(isOf(type, "T1.1")));
    expect(told).toContain('"agent":"judge"');
    expect(isLanded(site)).toBe(false);
    await site.bench.clock.advance(ms);
    approve(await site.judges.next());
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.landed()).toBe("hello");
    expect(site.bench.puppets.turns).toBe(1);
    expect(site.bench.run.byId.get("T1.1")).toMatchObject({ retries: 0 });
  });

  it("[E108] is stood in for by `fallback`, never by whoever has done the work", async () => {
    const deputy = new Puppets({ name: "deputy" });
    using site = await openCourt({
      review: REQUIRED,
      agents: { deputy: deputy.agent },
      engine: { fallback: ["puppet", "deputy"] },
    });
    const end = site.bench.start();
    await site.work("hello\n");
    fails(await site.judges.next(), { kind: "quota", message: "limit reached", retryable: true });
    approve(await deputy.next());
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(warningsOf(site)).toEqual(["AGENT_OUT_OF_QUOTA"]);
    expect(rowOf(site)?.evidence).toContain("REVIEW approved by deputy after 1 round");
    expect(site.bench.puppets.turns).toBe(1);
  });

  it("[E176] is stood in for where it is not let in, and is asked no more", async () => {
    const deputy = new Puppets({ name: "deputy" });
    using site = await openCourt({
      review: REQUIRED,
      agents: { deputy: deputy.agent },
      engine: { fallback: ["puppet", "deputy"] },
    });
    const end = site.bench.start();
    await site.work("hello\n");
    fails(await site.judges.next(), { kind: "auth", message: "not logged in", retryable: false });
    approve(await deputy.next());
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(warningsOf(site)).toEqual(["AGENT_REFUSED"]);
    expect(rowOf(site)?.evidence).toContain("REVIEW approved by deputy after 1 round");
    expect(site.judges.turns).toBe(1);
  });
});
