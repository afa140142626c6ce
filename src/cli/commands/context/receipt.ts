import type { PackageReceipt } from "../../../assembly/index.ts";
import { requireRun } from "../../../host/project/reader.ts";
import { readContext } from "../../../host/session/context.ts";
import { EspalierError, EXIT } from "../../../ports/index.ts";
import { visible } from "../../../text/index.ts";
import { type Io, say, sayJson } from "../../io.ts";
import { projectOf } from "../../project.ts";
import { lookOf } from "../../views/look.ts";
import { receiptView } from "../../views/receipt-view.ts";
import { treeWords } from "../../views/words/context-tree-words.ts";

/** `T1.2#3`: a task and the number of an attempt; without one the newest is meant. */
export function attemptOf(text: string): { readonly task: string; readonly number: number | undefined } {
  const at = text.lastIndexOf("#");
  const number = at < 0 ? null : /^\d{1,6}$/.exec(text.slice(at + 1));
  return number === null
    ? { task: text, number: undefined }
    : { task: text.slice(0, at), number: Number(number[0]) };
}

/** `espalier context receipt TASK[#N]`: what an attempt was given to read, part by part, and what it was not. */
export function receipt(io: Io, name: string, options: { json?: boolean }): number {
  const project = projectOf(io);
  const words = treeWords(project.locale);
  const { stored } = requireRun(project);
  const { task, number } = attemptOf(name);
  const rows = readContext(project, reading => reading.rows.receipts(stored.run.id, task));
  const found = rows?.ok === true ? rows.value : [];
  const row = number === undefined ? found.at(-1) : found.find(({ attempt }) => attempt === number);
  if (row === undefined) {
    throw new EspalierError("NO_RECEIPT", words.noReceipt(visible(name, 100)), {
      hint: words.noReceiptHint,
      exitCode: EXIT.usage,
    });
  }
  const read = JSON.parse(row.receipt) as PackageReceipt;
  const attempt = `${visible(task, 100)}#${row.attempt}`;
  if (options.json === true) sayJson(io, { task, attempt: row.attempt, ...read });
  else
    for (const line of receiptView(attempt, read, words, lookOf(io.stdout, io.env, project.locale)))
      say(io, line);
  return EXIT.done;
}
