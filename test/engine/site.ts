import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkspaces, type WorkspaceRules } from "../../src/engine/workspaces/index.ts";
import type { Reason, RunEvent, Vcs } from "../../src/ports/index.ts";
import { type GitLab, must, openGitLab } from "../vcs/lab.ts";
import { type BenchOptions, openBench } from "./bench.ts";
import type { Part } from "./puppets.ts";

const THREE = [
  "### [ ] T1.1: Say hello\n- greet whoever comes\n",
  "### [ ] T1.2: b\n",
  "### [ ] T1.3: c\n",
].join("\n");

/** An engine whose tasks work in a real repository. */
export async function openSite(
  options: Partial<BenchOptions> & {
    readonly lists?: readonly string[];
    readonly generated?: WorkspaceRules["generated"];
    readonly run?: NonNullable<WorkspaceRules["run"]>;
    readonly lab?: GitLab;
    /** Awaited when a landing has come to something, before anybody hears of it. */
    readonly after?: (task: string) => unknown;
  } = {},
) {
  const lab = options.lab ?? openGitLab({ "a.txt": "one\n", "log.md": "# Log\n" });
  const vcs = await lab.vcs();
  const land: Vcs["land"] = async request => {
    const landed = await vcs.land(request);
    await options.after?.(request.by.task);
    return landed;
  };
  const told: { readonly code: string; readonly reason: Reason }[] = [];
  const workspaces = must(
    await createWorkspaces(
      { ...vcs, land },
      {
        names: { top: lab.root, branch: "phase/{phase}-{feature}", folder: "../p{phase}-{feature}" },
        prefix: "",
        target: "main",
        landing: "rebase",
        lists: options.lists ?? [],
        ...(options.generated === undefined ? {} : { generated: options.generated }),
        ...(options.run === undefined ? {} : { run: options.run }),
        merge: "never",
        branches: "keep",
        boxes: undefined,
        prepare: undefined,
        tell: (code, reason) => void told.push({ code, reason }),
      },
    ),
  );
  const bench = openBench({ tasks: THREE, ...options, world: { ...options.world, workspaces } });
  const edit = (part: Part, text: string) => writeFileSync(join(part.request.cwd, "a.txt"), text);
  const read = (part: Part, name = "a.txt") => readFileSync(join(part.request.cwd, name), "utf8");
  const done = (part: Part) => part.say(`DONE:${part.id}`);
  return {
    lab,
    bench,
    told,
    edit,
    read,
    done,
    landed: (name = "a.txt") => lab.git("show", `phase/1-p:${name}`),
    [Symbol.dispose]() {
      bench[Symbol.dispose]();
      lab[Symbol.dispose]();
    },
  };
}

export type Site = Awaited<ReturnType<typeof openSite>>;

/** Whether an event is of this kind and about this task. */
export const isOf = (type: RunEvent["type"], task: string) => (event: RunEvent) =>
  event.type === type && "task" in event && event.task === task;
