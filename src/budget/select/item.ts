import type { Level } from "../levels.ts";

/** One form in which an item can be had. */
export interface Offer {
  readonly level: Level;
  readonly tokens: number;
  /** The share of the item's worth that this form keeps, 0 to 1. */
  readonly retention: number;
}

/** Something that wants into a package: an agent's output, a document, a result. */
export interface BudgetItem {
  readonly id: string;
  /** One to four forms, in any order. */
  readonly offers: readonly Offer[];
  /** Its worth in full, more than 0. */
  readonly priority: number;
  /** It goes in before all others, at the most detailed level that fits. */
  readonly pinned?: boolean;
  /** It goes in after the pinned ones and before the rest. */
  readonly critical?: boolean;
  /** How far it is from the reader: what is nearer has its choice before what is farther. Default 0. */
  readonly distance?: number;
  /** Its cheapest form is set aside before anything has a better one; lower numbers first. */
  readonly floor?: number;
  /** The most detailed level it may have: what compression mode and a stage's compression set. */
  readonly finest?: Level;
  /** The least detailed level that is still of use; worse ones are not offered. */
  readonly coarsest?: Level;
  /** Items with the same content count once; a hash of it. */
  readonly content?: string;
  /** What it tells. What a worthier item tells already adds nothing. */
  readonly facts?: readonly string[];
}

/** Why an item is in at its level, or left out. */
export type ChoiceReason =
  | "pinned"
  | "critical"
  /** In full. */
  | "fits"
  /** At a lower level, because the budget is worth more elsewhere. */
  | "compressed"
  /** Its finest level is restricted, and it has that. */
  | "restricted"
  /** Another item has the same content. */
  | "duplicate"
  /** Nothing it offers has a place any more. */
  | "no-room"
  /** It offers nothing that may be used. */
  | "no-offer";

export interface Choice {
  readonly id: string;
  /** Undefined when it is left out. */
  readonly level: Level | undefined;
  readonly tokens: number;
  readonly reason: ChoiceReason;
  /** For a duplicate: the item that stands for it. */
  readonly standsIn?: string;
}

/** What goes into a budget, in the order the items were given in. */
export interface Selection {
  readonly choices: readonly Choice[];
  /** Never more than the budget. */
  readonly tokens: number;
  readonly value: number;
  /** No selection of the same items in the same order of rights can be worth more. */
  readonly bound: number;
}
