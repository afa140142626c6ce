import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { candidatesOf, createWorkspaces, type Workspaces } from "../../src/engine/index.ts";
import type { WorkspaceRules } from "../../src/engine/workspaces/index.ts";
import { DEFAULT_POLICY } from "../../src/run/index.ts";
import { type GitLab, must, openGitLab } from "../vcs/lab.ts";
import { type BenchOptions, openBench } from "./bench.ts";
import { type Part, type PuppetOptions, Puppets } from "./puppets.ts";
import { keptIn } from "./site.ts";

const NO_LIMITS = { parallel: 5, caps: new Map<string, number>() };

/** An engine whose tasks are tried by `one`, `two` and `three`, in a real repository. */
export async function openRace(
  options: Partial<BenchOptions> & {
    readonly lab?: GitLab;
    readonly others?: PuppetOptions;
    /** Awaited before the task's own place is opened for the n-th time. */
    readonly opening?: (times: number) => unknown;
    /** Awaited before the place of a further agent is opened. */
    readonly joining?: () => unknown;
    /** Called when that place is open. */
    readonly joined?: () => unknown;
    readonly prepare?: WorkspaceRules["prepare"];
  } = {},
) {
  const lab = options.lab ?? openGitLab({ "a.txt": "one\n" });
  const told: string[] = [];
  const workspaces = must(
    await createWorkspaces(await lab.vcs(), {
      names: {
        top: lab.root,
        prefix: "",
        branch: "phase/{phase}-{feature}",
        folder: "../p{phase}-{feature}",
      },
      prefix: "",
      target: "main",
      landing: "rebase",
      lists: [],
      merge: "never",
      branches: "keep",
      boxes: undefined,
      prepare: options.prepare,
      tell: (code, { args }) => told.push(`${code} ${JSON.stringify(args)}`),
    }),
  );
  let opened = 0;
  const open: Workspaces["open"] = async request => {
    await (request.candidate === undefined ? options.opening?.(++opened) : options.joining?.());
    const place = await workspaces.open(request);
    if (request.candidate !== undefined) options.joined?.();
    return place;
  };
  const two = new Puppets({ name: "two", ...options.others });
  const three = new Puppets({ name: "three" });
  const known = { agents: new Set(["two", "three", "puppet"]), roles: new Map(), defaultAgent: "puppet" };
  const bench = openBench({
    tasks: "### [ ] T1.1: a\n- agent: [puppet, two]\n- verify: `true`\n",
    ...options,
    policy: {
      ...DEFAULT_POLICY,
      backoffMs: 0,
      resources: { caps: new Map(), agentsOf: task => candidatesOf(task, known, NO_LIMITS) },
      ...options.policy,
    },
    agents: { two: two.agent, three: three.agent, ...options.agents },
    engine: { ...known, ...options.engine },
    world: { workspaces: { ...workspaces, open }, ...options.world },
  });
  return {
    lab,
    bench,
    two,
    told,
    edit: (part: Part, text: string) => writeFileSync(join(part.request.cwd, "a.txt"), text),
    read: (part: Part) => readFileSync(join(part.request.cwd, "a.txt"), "utf8"),
    done: (part: Part) => part.say(`DONE:${part.id}`),
    landed: () => lab.git("show", "phase/1-p:a.txt"),
    /** What is kept of work that did not land. */
    kept: () => keptIn(lab),
    /** Those that stand when nothing is being cleared away any more, as at the end of a run. */
    async branches() {
      await workspaces.idle();
      return lab.git("for-each-ref", "--format=%(refname:short)", "refs/heads/");
    },
    [Symbol.dispose]() {
      bench[Symbol.dispose]();
      lab[Symbol.dispose]();
    },
  };
}

type Race = Awaited<ReturnType<typeof openRace>>;

/** Both are at work. */
export async function both({ bench, two }: Race): Promise<[Part, Part]> {
  return [await bench.puppets.next("T1.1"), await two.next("T1.1")];
}

export const rowsOf = ({ bench }: Race, task = "T1.1") =>
  [...(bench.place.runs.get("run-1")?.attempts.get(task)?.values() ?? [])].map(({ row }) => row);
