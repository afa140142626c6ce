/** Characters of an output that are read; of a longer one the beginning and the end. */
export const MOST_CHARACTERS = 1_000_000;
/** Files and ids an artifact index can hold. */
export const MOST_ARTIFACTS = 2000;
/** Changes with everything that changes what a summary of the same text says: older caches no longer fit. */
export const SUMMARY_FORMAT = 16;
