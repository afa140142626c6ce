export { type KeptEntry, openTierFiles, type TierFiles } from "./tier-files.ts";
