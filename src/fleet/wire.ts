import { z } from "zod";
import type { AgentAbilities, AgentFacts, Machine, Report } from "../ports/index.ts";
import {
  labelShape,
  MOST_LABELS,
  objectId,
  orderMessageShape,
  orderShape,
  reportShape,
  repositoriesShape,
  resourcesShape,
  usesShape,
} from "./shapes.ts";

/** The version of what hub, workers and coordinators say to each other; another one is refused. */
export const WIRE = 10;

/** The code by which a hub refuses what its disk has no room for. */
export const HUB_FULL = "hub-full";

/** Bytes that one request may have: an order is a prompt and little besides. */
export const MOST_REQUEST = 8 * 1024 ** 2;
/** Bytes of reports that one request carries, before base64 makes them longer. */
export const MOST_REPORTS = 512 * 1024;
/** Attempts that a coordinator takes up from the one before. */
export const MOST_TAKEN_UP = 10_000;
/** Calls of one order that wait for their replies at once. */
export const MOST_CALLS = 32;
/** Characters of one reply, and of replies that go to a machine together beside the first. */
export const MOST_REPLY = 4 * 1024 ** 2;
/** Orders that one machine holds at once. */
export const MOST_SLOTS = 256;

const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/);
const id = z.string().min(1).max(256);
const count = z.int().min(0);
const reports = z.array(reportShape).max(5000) as unknown as z.ZodType<readonly Report[]>;
const how = z.enum(["soft", "hard"]);

const abilities: z.ZodType<AgentAbilities> = z.strictObject({
  followUp: z.boolean(),
  resume: z.boolean(),
  resumesThere: z.exactOptional(z.boolean()),
  usage: z.boolean(),
  cost: z.boolean(),
  budget: z.boolean(),
  sandbox: z.boolean(),
  asks: z.boolean(),
  mcp: z.boolean(),
  hook: z.exactOptional(z.boolean()),
});

const agent: z.ZodType<AgentFacts> = z.strictObject({
  name: z.string().min(1).max(100),
  reports: z.enum(["signal", "exit"]),
  abilities: z.exactOptional(abilities),
});

/** A worker says that it is there: a new `boot` ends everything of the one before. */
export const helloShape = z.strictObject({
  wire: z.int(),
  boot: id,
  slots: z.int().min(1).max(MOST_SLOTS),
  agents: z.array(agent).max(200),
  labels: z.array(labelShape).max(MOST_LABELS),
  resources: z.exactOptional(resourcesShape),
  /** The only repositories that are worked in there, by their first commits. */
  repositories: z.exactOptional(repositoriesShape),
});
export type Hello = z.output<typeof helloShape>;

/** How often a machine is to be heard, and for how long it may be silent, in milliseconds. */
export const welcomeShape = z.strictObject({ machine: name, beatMs: count, leaseMs: count });

/** A worker ends by itself. */
export const leaveShape = z.strictObject({ boot: id });

/** A worker's beat: what it holds, how much it has heard of each, which calls wait, and how many more orders it takes. */
export const syncShape = z.strictObject({
  boot: id,
  free: count.max(MOST_SLOTS),
  /** Its disk is full: it takes nothing until it has room. */
  full: z.exactOptional(z.literal(true)),
  holds: z
    .array(z.strictObject({ id, heard: count, calls: z.array(z.int().min(1)).max(MOST_CALLS) }))
    .max(MOST_SLOTS),
  /** Milliseconds it waits for something to do. */
  wait: count,
});
export type Sync = z.output<typeof syncShape>;

/** What a worker is to do now. */
export const tasksShape = z.strictObject({
  orders: z.array(orderShape),
  /** The messages from number `from` on, counted from 0. */
  told: z.array(z.strictObject({ id, from: count, messages: z.array(orderMessageShape) })),
  /** What the run says to calls. */
  replies: z.array(z.strictObject({ id, call: z.int().min(1), text: z.string() })),
  cancels: z.array(z.strictObject({ id, how, number: z.int().min(1) })),
  /** Reports that have arrived, up to this number. */
  arrived: z.array(z.strictObject({ id, seq: count })),
  /** No business of this machine any more: ended at once, and what it made is kept there. */
  dropped: z.array(id),
});
export type Tasks = z.output<typeof tasksShape>;

/** Reports of one order, one after the other. */
export const reportsShape = z.strictObject({ boot: id, id, reports });

/** What became of reports that were sent: the number that is wanted next, and how many have arrived. */
export const receivedShape = z.strictObject({
  next: z.int().min(1),
  arrived: count,
  /** The order is none of this machine's any more. */
  dropped: z.boolean(),
});

export type Received = z.output<typeof receivedShape>;

/** What a worker says to what it has started for one order. */
export const insideShape = z.discriminatedUnion("is", [
  z.strictObject({ is: z.literal("order"), wire: z.int(), order: orderShape }),
  z.strictObject({ is: z.literal("tell"), message: orderMessageShape }),
  z.strictObject({ is: z.literal("cancel"), how }),
  /** Its reports up to this number. */
  z.strictObject({ is: z.literal("arrived"), seq: count }),
]);
export type ToInside = z.output<typeof insideShape>;

/** What such a process says beside its reports: that it has its order and is getting ready, again and again until it has begun. */
export const readyingShape = z.strictObject({ is: z.literal("readying") });

/** A coordinator takes a run, with the attempts under way that it goes on with; the one before may hand over nothing any more. */
export const claimShape = z.strictObject({
  wire: z.int(),
  run: id,
  /** The machine it runs on, as that calls itself. */
  host: z.string().min(1).max(255),
  keep: z.exactOptional(z.array(id).max(MOST_TAKEN_UP)),
});
export const claimedShape = z.strictObject({ epoch: z.int().min(1) });

/** Whose coordinator asks: one that is not the newest of its run is refused with `taken`. */
const coordinator = { run: id, epoch: z.int().min(1) };

/** A coordinator asks whether it still is the one. */
export const conductShape = z.strictObject(coordinator);
/** Orders of one run that wait in their pool, and that no machine which is there takes now. */
const stuck = z.strictObject({
  ids: z.array(id),
  /** Machines that could take them, all of which are drained. */
  drained: z.exactOptional(z.array(name)),
  /** Those of them whose disks are full, where the others are drained. */
  full: z.exactOptional(z.array(name)),
  /** As for an order that is refused. */
  lacks: z.exactOptional(usesShape),
  repository: z.exactOptional(objectId),
});
export type Stuck = z.output<typeof stuck>;
/** How many of each resource all machines together offer now, and what of the run waits for a machine that takes it. */
export const conductedShape = z.strictObject({
  offers: z.record(z.string(), count),
  stuck: z.array(stuck),
});

/** A coordinator hands an order over. */
export const submitShape = z.strictObject({
  ...coordinator,
  order: orderShape,
  /** Of what it uses, what the run counts itself: that needs no machine that offers it. */
  counted: z.exactOptional(usesShape),
});
export const submittedShape = z.discriminatedUnion("is", [
  z.strictObject({
    is: z.literal("taken"),
    /** It waits, because each machine that could take it has its last one of this in use. */
    waits: z.exactOptional(z.strictObject({ resource: z.string(), machines: z.array(name) })),
  }),
  /** `lacks`: what it uses and nobody offers; `repository`: its own, which is all that machines do not take. */
  z.strictObject({
    is: z.literal("no-machine"),
    lacks: z.exactOptional(usesShape),
    repository: z.exactOptional(objectId),
  }),
  z.strictObject({ is: z.literal("fenced") }),
]);
export type Submitted = z.output<typeof submittedShape>;

export const followShape = z.strictObject({
  ...coordinator,
  id,
  from: z.int().min(1),
  wait: count,
  /** Reports up to this number need not be kept for anybody; those before `from`, where it is not told. */
  done: z.exactOptional(count),
});
export const followedShape = z.strictObject({
  reports,
  /** Nothing comes after these. */
  over: z.boolean(),
});

export const tellShape = z.strictObject({ ...coordinator, id, message: orderMessageShape });
export const cancelShape = z.strictObject({ ...coordinator, id, how });

/** A machine as the hub knows it. */
export const machineShape = z.strictObject({
  name,
  agents: z.array(agent),
  labels: z.array(labelShape),
  resources: z.record(z.string(), z.strictObject({ offers: count, taken: count })),
  /** The only repositories that are worked in there. */
  repositories: z.exactOptional(repositoriesShape),
  slots: count,
  /** Orders it works on. */
  holds: z.array(id),
  /** Milliseconds since it was heard last. */
  silent: count,
  /** It takes nothing more. */
  draining: z.boolean(),
  /** It takes nothing until its disk has room. */
  full: z.exactOptional(z.literal(true)),
});
export type KnownMachine = Machine & z.output<typeof machineShape>;
export const machinesShape = z.strictObject({ machines: z.array(machineShape), waiting: z.array(id) });

/** Who conducts a run: the name of a token, and the machine that it was used on. */
export const takerShape = z.strictObject({ name: z.string().max(64), host: z.string().max(255) });
export type Taker = z.output<typeof takerShape>;

/** Why a request was refused: a code, and one line for people; `taken` says by whom. */
export const refusedShape = z.strictObject({
  code: z.string().max(64),
  message: z.string().max(2000),
  by: z.exactOptional(takerShape),
});
