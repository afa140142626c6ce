import type { Budget, StagePlan, Workflow } from "../../budget/index.ts";
import { visible } from "../../text/index.ts";
import { cell, type Look, line } from "./look.ts";
import { textWidth } from "./terminal/width.ts";
import type { BudgetWords } from "./words/budget-words.ts";

const number = (tokens: number): string => tokens.toLocaleString("en-US");

/** A workflow's budget: its stages, and in each who may hand on how much, at which level. */
export function planLines(
  budget: Budget,
  workflow: Workflow,
  plan: StagePlan,
  words: BudgetWords,
  look: Look,
): string[] {
  const rows = workflow.stages.flatMap(({ slots }) =>
    slots.map(slot => ({ ...slot, role: budget.role(slot.agent) })),
  );
  const label = (slot: (typeof rows)[number]): string =>
    visible(slot.id === slot.agent ? slot.role.label : `${slot.role.label} (${slot.id})`, 40);
  const widest = Math.max(1, ...rows.map(row => textWidth(label(row))));
  const lines = [
    line(
      look,
      { text: visible(workflow.name, 80), style: "title" },
      { text: `  ${number(plan.total)} ${words.tokens}`, style: "dim" },
    ),
  ];
  let at = 0;
  for (const [position, stage] of plan.stages.entries()) {
    const { slots, rationale } = workflow.stages[position]!;
    lines.push("");
    lines.push(
      line(
        look,
        { text: visible(stage.name, 80), style: "bold" },
        { text: `  ${number(stage.budget)} ${words.tokens}`, style: "dim" },
        { text: rationale === "" ? "" : `  ${visible(rationale, 120)}`, style: "dim" },
      ),
    );
    for (const slot of slots) {
      const row = rows[at++]!;
      const marks = slot.critical
        ? `  ${words.critical}${slot.why === "" ? "" : `: ${visible(slot.why, 80)}`}`
        : "";
      lines.push(
        line(
          look,
          { text: `  ${cell(look, label(row), widest)}  ` },
          { text: `${row.role.vsLevel.padEnd(11)}  `, style: "dim" },
          { text: number(stage.shares.get(slot.id) ?? 0).padStart(7) },
          { text: `  ${words.carried} ${slot.finest} (${words.levels[slot.finest]})`, style: "dim" },
          { text: marks, style: "cyan" },
        ),
      );
    }
  }
  if (plan.left > 0)
    lines.push("", line(look, { text: `${words.left}: ${number(plan.left)} ${words.tokens}`, style: "dim" }));
  return lines;
}
