export { type Chronicle, type ChronicleOptions, type ChronicleWorld, createChronicle } from "./chronicle.ts";
export type { CheckpointKeeper, CheckpointMoment, KeepRequest } from "./keeper.ts";
