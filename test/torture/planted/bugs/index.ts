import type { NamedBug } from "../bug.ts";
import { AGENT_BUGS } from "./agents.ts";
import { BUDGET_BUGS } from "./budget.ts";
import { CONTEXT_BUGS } from "./context.ts";
import { FACE_BUGS } from "./faces.ts";
import { MACHINE_BUGS } from "./machines.ts";
import { PAGE_BUGS } from "./page.ts";
import { REF_BUGS } from "./refs.ts";
import { REPOSITORY_BUGS } from "./repository.ts";
import { SCHEDULING_BUGS } from "./scheduling.ts";
import { SECRET_BUGS } from "./secrets.ts";
import { STATE_BUGS } from "./state.ts";
import { WORKER_BUGS } from "./workers.ts";

/** Every bug with a name; whoever adds a promise adds bugs that break it. */
export const NAMED: readonly NamedBug[] = [
  ...STATE_BUGS,
  ...REPOSITORY_BUGS,
  ...REF_BUGS,
  ...CONTEXT_BUGS,
  ...SCHEDULING_BUGS,
  ...BUDGET_BUGS,
  ...FACE_BUGS,
  ...PAGE_BUGS,
  ...SECRET_BUGS,
  ...AGENT_BUGS,
  ...MACHINE_BUGS,
  ...WORKER_BUGS,
];
