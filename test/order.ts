import type { AgentLimits, Order } from "../src/ports/index.ts";

/** Limits that no test comes to. */
export const LIMITS: AgentLimits = { wallMs: 60_000, idleMs: 60_000, graceMs: 1000, logBytes: 1 << 20 };

/** An order with what a test says of it. */
export function order(given: Partial<Order> = {}): Order {
  return {
    version: 1,
    id: "tokenx/1",
    agent: "puppet",
    message: "do it",
    task: "T1.1",
    attempt: 1,
    token: "tokenx",
    cwd: process.cwd(),
    env: { PATH: process.env["PATH"] ?? "" },
    limits: LIMITS,
    asks: false,
    ...given,
  };
}
