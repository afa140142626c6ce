export { entitiesIn, scanEntities } from "./scan.ts";
export type { Entity, EntityKind } from "./types.ts";
