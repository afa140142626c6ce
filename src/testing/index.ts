export { agentConformance } from "./agent.ts";
export { storeConformance } from "./store.ts";
