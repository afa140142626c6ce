import { repositoryFiles } from "../../adapters/agent/index.ts";
import { type Approvable, inWords } from "./approvable.ts";

/** Configuration that agent programs would take from the repository, as something to approve. */
export function agentFiles(root: string): Approvable[] {
  return repositoryFiles(root).map(({ path, text }) =>
    inWords("agent file", words => ({
      where: words.agentFile(path),
      text: text ?? `${path}\n${words.cannotBeApproved}`,
    })),
  );
}
