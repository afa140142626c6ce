export type { Cell } from "./cell.ts";
export { type Jail, openJail } from "./open.ts";
