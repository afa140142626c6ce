/** Where tasks of others come from. Apart from their readers: each start of the program names these, few read any. */
export const FOREIGN_KINDS = ["github", "beads", "spec-kit", "kiro", "task-master"] as const;

export type ForeignKind = (typeof FOREIGN_KINDS)[number];
