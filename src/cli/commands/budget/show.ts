import { setTimeout as wait } from "node:timers/promises";
import { type Budget, settleBudget } from "../../../budget/index.ts";
import { type BudgetFacts, budgetFacts, budgetMemory } from "../../../host/monitor/facts.ts";
import type { Project } from "../../../host/project/project.ts";
import { type RunReading, requireRun } from "../../../host/project/reader.ts";
import { EXIT } from "../../../ports/index.ts";
import { type Io, say, sayJson } from "../../io.ts";
import { projectOf } from "../../project.ts";
import { budgetView } from "../../views/budget-view.ts";
import { lookOf } from "../../views/look.ts";
import { budgetWords } from "../../views/words/budget-words.ts";

/** The budget of a project; its configuration has been checked when it was read. */
export function projectBudget(project: Project): Budget {
  const settled = settleBudget(project.config.budget);
  if (!settled.ok) throw new Error(settled.failure.map(({ message }) => message).join("; "));
  return settled.value;
}

/** Milliseconds between two looks. */
const EVERY = 1000;
const CLEAR = "\u001b[H\u001b[2J";

function json({ next, share, ...facts }: BudgetFacts) {
  return {
    ...facts,
    remaining: Math.max(0, facts.total - facts.used),
    percent: Math.round(share * 1000) / 10,
    compression: facts.finest === 2 ? "active" : "normal",
    next:
      next === undefined
        ? null
        : { task: next.task, agent: next.role.label, vsLevel: next.role.vsLevel, tokens: next.tokens },
  };
}

function isOver({ stored }: RunReading): boolean {
  return stored.run.state !== "running";
}

/** `espalier budget [--watch] [--json]`. */
export async function showBudget(io: Io, options: { json?: boolean; watch?: boolean }): Promise<number> {
  const project = projectOf(io);
  const budget = projectBudget(project);
  const words = budgetWords(project.locale);
  const memory = budgetMemory();
  let shown = "";
  for (;;) {
    const reading = requireRun(project);
    const facts = budgetFacts(budget, reading, memory);
    if (options.json === true) {
      const text = JSON.stringify(json(facts));
      if (options.watch !== true) sayJson(io, json(facts));
      else if (text !== shown) say(io, text);
      shown = text;
    } else {
      const text = budgetView(facts, words, lookOf(io.stdout, io.env, project.locale)).join("\n");
      if (text !== shown) say(io, options.watch === true && io.stdout.isTTY ? CLEAR + text : text);
      shown = text;
    }
    if (options.watch !== true || isOver(reading)) return EXIT.done;
    await wait(EVERY);
  }
}
