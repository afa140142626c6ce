import type { Piece } from "../markdown/document.ts";
import type { Phase } from "../types.ts";
import type { Where } from "./resolve.ts";

/** What a field of a group says for all tasks in it. One object for all of them. */
export interface GroupValue {
  readonly pieces: readonly Piece[];
  readonly where: Where;
}

/** A task whose words about order are to be looked up. Tasks are known by their number in the list. */
export interface Linkable {
  readonly id: string;
  readonly phase: Phase;
  readonly title: string;
  readonly done: boolean;
  readonly line: number;
  readonly column: number;
  readonly depends: readonly Piece[] | undefined;
  /** Dependencies of the groups it stands in. */
  readonly inherited: readonly GroupValue[];
  /** Words that only sound as if they named what comes first. */
  readonly mentions: readonly Piece[];
  readonly blocks: readonly Piece[];
  readonly inheritedBlocks: readonly GroupValue[];
  readonly parallel: readonly Piece[];
  /** Number of the container it stands in. */
  readonly parent: number | undefined;
}

/** Where an edge comes from: a field outweighs a diagram. */
export type Origin = "field" | "diagram";

/** The edges of a plan, by task number. */
export interface Links {
  readonly dependsOn: readonly Map<number, Origin>[];
  /** True where the partner was named by its own id, false where a group was. */
  readonly parallelWith: readonly Map<number, boolean>[];
}
