export { type AgentPlace, type AgentSetup, agentConformance } from "./agent.ts";
export { type FleetPlace, type FleetSetup, fleetConformance, overJson } from "./fleet.ts";
export { type ModelPlace, type ModelSetup, modelConformance } from "./model.ts";
export { type ConformanceCase, type StorePlace, type StoreSetup, storeConformance } from "./store.ts";
export { type VcsPlace, type VcsSetup, vcsConformance } from "./vcs.ts";
