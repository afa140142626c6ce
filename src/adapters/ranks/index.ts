export { loadRanks } from "./load-ranks.ts";
