import { createLocalFleet } from "../../adapters/fleet/index.ts";
import { randomName } from "../../adapters/local/random.ts";
import { agentEnv, instanceAt, startWarden } from "../../adapters/process/index.ts";
import { type Execution, execute, maskedFleet } from "../../engine/index.ts";
import {
  type Diagnostic,
  draftedFacts,
  draftedFile,
  draftedText,
  type Plan,
  pathProblem,
  readPlan,
  renderDiagnostic,
} from "../../plan/index.ts";
import {
  type AgentFacts,
  EspalierError,
  EXIT,
  type Fleet,
  fail,
  ok,
  type Result,
  type TurnEnd,
} from "../../ports/index.ts";
import { type DraftWords, visible } from "../../text/index.ts";
import type { Approvals } from "../approval/approval.ts";
import type { Invocation } from "../project/invocation.ts";
import { documentProblems } from "../project/plan-documents.ts";
import type { Project } from "../project/project.ts";
import { redactorOf } from "../project/secrets.ts";
import { configuredNodes } from "../project/settings.ts";
import { projectAgents } from "./agents.ts";
import { projectJail } from "./jail.ts";
import { chooseAgent } from "./require-agents.ts";

/** Times an agent may correct its plan. */
const CORRECTIONS = 3;
/** Findings it is shown at once. */
const SHOWN = 40;

/** A plan that passed, as its agent wrote it. */
export interface Draft {
  readonly plan: Plan;
  readonly text: string;
  readonly isMarkdown: boolean;
  readonly agent: string;
  /** How often it was corrected. */
  readonly corrections: number;
  /** What its agent found out, by node. */
  readonly facts: ReadonlyMap<string, string>;
  /** What of the answer is not in the plan, or names nothing of the repository, after all corrections; as a compiler prints it. */
  readonly losses: readonly string[];
}

/** Findings after which something of an answer is not in its plan. */
const LOST: ReadonlySet<string> = new Set(["NO_ID", "NO_TITLE", "UNKNOWN_KEY", "UNREAD_DEP"]);

export interface DraftRequest {
  readonly project: Project;
  readonly invocation: Invocation;
  readonly approvals: Approvals;
  readonly env: NodeJS.ProcessEnv;
  readonly words: DraftWords;
  readonly goal: string;
  readonly documents: readonly string[];
  /** Hears of each round: how many findings the answer had. */
  readonly tell: (findings: number) => void;
}

/** Has an agent plan a goal, and correct its plan until it can be used. Throws EspalierError. */
export async function draftWith(name: string, request: DraftRequest): Promise<Draft> {
  const { project, invocation, approvals, env, words } = request;
  const { config, root } = project;
  const jail = await projectJail(config, env["PATH"]);
  const warden = startWarden(instanceAt(project.stateDir, randomName(16)));
  try {
    const agents = projectAgents({
      config,
      invocation,
      approvals,
      warden,
      jail,
      env,
      root,
      stateDir: project.stateDir,
    });
    const agent = agents.get(name === "auto" ? await chooseAgent(agents) : name);
    if (agent === undefined || agent.reports === "exit") {
      throw new EspalierError("UNKNOWN_AGENT", words.cannotPlan(visible(name, 80)), {
        hint: words.cannotPlanHint,
        exitCode: EXIT.usage,
      });
    }
    // What it says becomes a task file and is shown: no engine stands before it.
    const redact = redactorOf(env, root);
    const fleet = createLocalFleet({ agents, mask: () => redact.stream() });
    return await converse(agent, maskedFleet(fleet, redact), request);
  } finally {
    await warden.close();
  }
}

async function converse(agent: AgentFacts, fleet: Fleet, request: DraftRequest): Promise<Draft> {
  const { project, env, words, goal, documents, tell } = request;
  const { limits } = project.config;
  const first = words.ask(goal, documents);
  const token = randomName(20);
  const order = {
    version: 1,
    id: `${token}/1`,
    agent: agent.name,
    message: first,
    task: "draft",
    attempt: 1,
    token,
    cwd: project.root,
    env: agentEnv(env, project.config.env),
    limits: { wallMs: limits.wall, idleMs: limits.idle, graceMs: limits.grace, logBytes: limits.log },
    asks: false,
  } as const;
  const session = execute(fleet, order, { log: () => {} });
  try {
    const opened = await session.opened();
    if (!opened.ok) throw noDraft(words, agent.name, opened.failure.message);
    let message = first;
    let usable: Draft | undefined;
    for (let corrections = 0; ; corrections++) {
      const answer = await answerOf(session, message);
      if (!answer.ok) {
        if (usable === undefined) throw noDraft(words, agent.name, answer.failure);
        tell(0);
        return usable;
      }
      const { draft, errors } = judge(answer.value, { agent: agent.name, corrections }, project, words);
      // A correction may break what was whole.
      if (errors.length === 0 && draft.losses.length <= (usable ?? draft).losses.length) usable = draft;
      const isLast = corrections === CORRECTIONS;
      if (usable !== undefined && (isLast || usable.losses.length === 0)) {
        tell(0);
        return usable;
      }
      const findings = [...errors, ...draft.losses].slice(0, SHOWN);
      tell(findings.length);
      if (isLast) throw noDraft(words, agent.name, `${words.stillWrong}\n${errors.join("\n")}`);
      const told = words.correct(findings);
      // An agent that begins every turn afresh is given everything again.
      const remembers = agent.abilities?.followUp === true;
      message = remembers ? told : `${first}\n---\n${answer.value}\n---\n\n${told}`;
    }
  } finally {
    await session.close();
  }
}

/** What an agent answers in a turn, or why it does not. */
async function answerOf(session: Execution, message: string): Promise<Result<string, string>> {
  let end: TurnEnd | undefined;
  for await (const event of session.turn(message)) if (event.type === "ended") end = event.end;
  if (end?.kind === "completed" && end.exitCode === 0) return ok(end.finalMessage);
  return fail(end?.kind === "failed" ? end.failure.message : `it ended with code ${end?.exitCode ?? "?"}`);
}

/** An answer as a draft with what of it is not in the plan, and what keeps that from being used; as a compiler prints them. */
function judge(
  answer: string,
  by: Pick<Draft, "agent" | "corrections">,
  project: Project,
  words: DraftWords,
): { readonly draft: Draft; readonly errors: readonly string[] } {
  const drafted = draftedText(answer);
  const { text, path } = drafted;
  const contextNodes = configuredNodes(project.config);
  const { plan, diagnostics } = readPlan(Buffer.from(text), { path, contextNodes });
  const found = [...diagnostics, ...documentProblems(plan, project.root)];
  const shown = (those: readonly Diagnostic[]) =>
    those.slice(0, SHOWN).map(one => renderDiagnostic(one, path, text, line => visible(line)));
  const errors = shown(found.filter(isError));
  const isUnwritable = errors.length === 0 && path === "plan.json" && draftedFile(plan, "") === undefined;
  const outside = plan.tasks.flatMap(({ id, files }) =>
    files
      .filter(file => pathProblem(file) !== undefined)
      .map(file => words.outside(visible(id, 40), visible(file, 120))),
  );
  const losses = [...shown(found.filter(({ code }) => LOST.has(code))), ...outside].slice(0, SHOWN);
  const facts = draftedFacts(drafted);
  return {
    draft: { ...by, plan, text, isMarkdown: path === "TASKS.md", facts, losses },
    errors: isUnwritable ? [words.unwritable] : errors,
  };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function noDraft(words: DraftWords, agent: string, why: string): EspalierError {
  return new EspalierError("NO_DRAFT", words.noPlan(agent, why), {
    hint: words.noPlanHint,
    exitCode: EXIT.failedTasks,
  });
}
