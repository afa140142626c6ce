import { repositoryFiles } from "../adapters/agent/index.ts";
import type { Approvable } from "./approval.ts";

/** Configuration that agent programs would take from the repository, as something to approve. */
export function agentFiles(root: string): Approvable[] {
  return repositoryFiles(root).map(({ path, text }) => ({
    where: `agent configuration ${path}`,
    text: text ?? `${path}\ncannot be approved: it is a link, too large, or one of too many`,
  }));
}
