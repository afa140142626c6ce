export { loadRanks, ranksInFile } from "./load-ranks.ts";
