export { type KeptTexts, openKeptTexts } from "./kept-texts.ts";
export { type KeptEntry, openTierFiles, type TierFiles } from "./tier-files.ts";
