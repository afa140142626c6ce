import type { AgentFailure, Order, Result } from "../ports/index.ts";

/** What a worker does with orders beyond running their agents. */
export interface Bench {
  /** Makes an order ready for this machine, or says why its owner does not let it. Never throws. */
  open(order: Order): Promise<Result<Order, AgentFailure>>;
  /** Its agent names the session it works in, with which a later order may go on. Never throws. */
  named?(order: Order, session: string): void;
  /**
   * Hands over what a turn made, before its end is told; why that was not possible. Never throws.
   * Where the hub is away it is tried until nobody wants it any more.
   */
  handIn(order: Order, isWanted: () => boolean): Promise<string | undefined>;
  /** Nothing of it runs any more, and its work was handed in: a later order may have its folder. Never throws. */
  closed?(order: Order): void;
  /** Keeps what nobody takes any more. Never throws. */
  keep(order: Order): Promise<void>;
  /** Clears up after an order. Never throws. */
  leave(order: Order): Promise<void>;
}
