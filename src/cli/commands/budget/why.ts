import type { PackageReceipt } from "../../../assembly/index.ts";
import { UNUSED, usesIn } from "../../../context/library/index.ts";
import { requireRun } from "../../../host/project/reader.ts";
import { archiveFiles, keptOutputs, projectTiers } from "../../../host/run/keep-outputs.ts";
import { readContext } from "../../../host/session/context.ts";
import { EspalierError, EXIT } from "../../../ports/index.ts";
import { visible } from "../../../text/index.ts";
import { type Io, say, sayJson } from "../../io.ts";
import { projectOf } from "../../project.ts";
import { budgetWords } from "../../views/words/budget-words.ts";
import { attemptOf } from "../context/receipt.ts";
import { projectBudget } from "./show.ts";
import { type Fate, type Records, type Sighting, sightingsOf, sourceOf } from "./sightings.ts";

/** Whoever has it need not be told where it is. */
const HAD: ReadonlySet<Fate> = new Set(["told", "asked", "own"]);

/** A sighting, and what attempts of the run made of its source. */
type Told = Sighting & {
  /** How often they asked for it by its name, and how many of their accepted answers name it. */
  readonly asked: number;
  readonly cited: number;
  /** Which of them say that it is wrong, in their words; foreign. */
  readonly contradicted: readonly { readonly attempt: string; readonly said: string }[];
};

/** `espalier budget why TASK[#N] TEXT`: who said it, and what became of it on the way to this attempt. */
export function whyBudget(io: Io, name: string, asked: string, options: { json?: boolean }): number {
  const project = projectOf(io);
  const { locale } = project;
  const words = budgetWords(locale);
  const reading = requireRun(project);
  const { task, number } = attemptOf(name);
  const rows = readContext(project, context => context.rows.receipts(reading.stored.run.id, task));
  const receipts = rows?.ok === true ? rows.value : [];
  const row = number === undefined ? receipts.at(-1) : receipts.find(({ attempt }) => attempt === number);
  if (row === undefined || asked.trim() === "") {
    throw new EspalierError("NO_RECEIPT", words.noReceipt(visible(name, 100)), { exitCode: EXIT.usage });
  }
  const budget = projectBudget(project);
  const kept = keptOutputs(projectTiers(project, budget));
  const archive = archiveFiles(project, budget);
  const { run } = reading.stored;
  const made = readContext(project, context => usesIn(context.rows, run.id, reading.plan.tasks));
  const records: Records = {
    budget,
    reading,
    task,
    attempt: row.attempt,
    receipt: JSON.parse(row.receipt) as PackageReceipt,
    asked,
    kept: key => kept(key, Date.now()),
    told: given => archive.told.get(given),
  };
  const sightings = sightingsOf(project, records).map((one): Told => {
    const named = sourceOf(one);
    const { asked: times, cited } = made?.uses.get(named) ?? UNUSED;
    const against = made?.contradictions.filter(({ source }) => source === named) ?? [];
    return {
      ...one,
      asked: times,
      cited,
      contradicted: against.map(({ attempt: by, said }) => ({ attempt: by, said })),
    };
  });
  const attempt = `${task}#${row.attempt}`;
  if (options.json === true) sayJson(io, { attempt, asked, sightings });
  else if (sightings.length === 0) say(io, words.nobodySaid(visible(asked, 80)));
  else
    for (const { source, fate, level, given = "", where, asked: times, cited, contradicted } of sightings) {
      const shown = typeof level === "number" ? `${level} (${words.levels[level]})` : "";
      say(
        io,
        `${visible(source, 100)}: ${words.fates[fate](visible(attempt, 100), shown, visible(given, 100))}  ${HAD.has(fate) ? "" : visible(where, 120)}`.trimEnd(),
      );
      const { learn } = project.config.context;
      if (times > 0) say(io, `  ${words.askedFor(times, learn)}`);
      if (cited > contradicted.length) say(io, `  ${words.citedBy(cited - contradicted.length, learn)}`);
      for (const { attempt: by, said } of contradicted)
        say(io, `  ${words.contradictedBy(visible(by, 100), visible(said, 200), learn)}`);
    }
  return EXIT.done;
}
