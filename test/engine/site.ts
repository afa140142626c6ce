import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkspaces, type WorkspaceRules, type Workspaces } from "../../src/engine/workspaces/index.ts";
import { ok, type Reason, type RunEvent, type Vcs } from "../../src/ports/index.ts";
import { type GitLab, must, openGitLab } from "../vcs/lab.ts";
import { type BenchOptions, openBench } from "./bench.ts";
import type { Part } from "./puppets.ts";

const THREE = [
  "### [ ] T1.1: Say hello\n- greet whoever comes\n",
  "### [ ] T1.2: b\n",
  "### [ ] T1.3: c\n",
].join("\n");

/** The file of each work that is kept without having come home. */
export const keptIn = (lab: GitLab): string[] =>
  lab
    .git("for-each-ref", "--format=%(refname)", "refs/espalier/left/")
    .split("\n")
    .filter(ref => ref !== "")
    .map(ref => lab.git("show", `${ref}:a.txt`));

/** An engine whose tasks work in a real repository. */
export async function openSite(
  options: Partial<BenchOptions> & {
    readonly lists?: readonly string[];
    readonly generated?: WorkspaceRules["generated"];
    readonly run?: NonNullable<WorkspaceRules["run"]>;
    readonly lab?: GitLab;
    readonly rules?: Partial<Pick<WorkspaceRules, "merge" | "prepare">>;
    /** Awaited when a landing has come to something, before anybody hears of it. */
    readonly after?: (task: string) => unknown;
    /** Called when proved work asks for its turn. */
    readonly landing?: (task: string) => unknown;
    /** Called when the end of a phase is worked off. */
    readonly ending?: () => unknown;
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
        names: {
          top: lab.root,
          prefix: "",
          branch: "phase/{phase}-{feature}",
          folder: "../p{phase}-{feature}",
        },
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
        ...options.rules,
        tell: (code, reason) => void told.push({ code, reason }),
      },
    ),
  );
  const watched: Workspaces = {
    ...workspaces,
    async open(request) {
      const opened = await workspaces.open(request);
      if (!opened.ok) return opened;
      const { land } = opened.value;
      return ok({
        ...opened.value,
        land(...work) {
          const landed = land(...work);
          options.landing?.(request.task);
          return landed;
        },
      });
    },
    endPhase(request) {
      options.ending?.();
      return workspaces.endPhase(request);
    },
  };
  const bench = openBench({ tasks: THREE, ...options, world: { ...options.world, workspaces: watched } });
  const write = (part: Part, name: string, text: string) => writeFileSync(join(part.request.cwd, name), text);
  const edit = (part: Part, text: string) => write(part, "a.txt", text);
  const read = (part: Part, name = "a.txt") => readFileSync(join(part.request.cwd, name), "utf8");
  const done = (part: Part) => part.say(`DONE:${part.id}`);
  return {
    lab,
    bench,
    told,
    write,
    edit,
    read,
    done,
    landed: (name = "a.txt") => lab.git("show", `phase/1-p:${name}`),
    /** Tasks whose work came home, oldest first. */
    home: (branch = "phase/1-p") =>
      lab
        .git("log", "--reverse", "--format=%(trailers:key=Espalier-Task,valueonly)", branch)
        .split("\n")
        .filter(line => line !== ""),
    /** What is kept of work that did not come home. */
    kept: () => keptIn(lab),
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
