import { existsSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { openCheckpoints } from "../../adapters/checkpoints/index.ts";
import { readEnd } from "../../adapters/file/index.ts";
import { projectHome, readJoined } from "../../adapters/home/index.ts";
import { attemptName } from "../../adapters/local/state-files.ts";
import { openSqliteReader, STATE_NAMES } from "../../adapters/store/index.ts";
import { changedFiles, type FileChange, openReading, rangeOfCommit } from "../../adapters/vcs/git/index.ts";
import { settleBudget } from "../../budget/index.ts";
import { configuredLocale } from "../../config/index.ts";
import type { Plan } from "../../plan/index.ts";
import {
  because,
  fail,
  ok,
  type Reason,
  type Result,
  type Store,
  type StoreFailure,
} from "../../ports/index.ts";
import { shownRun } from "../../run/index.ts";
import { reasonText } from "../../text/index.ts";
import { VERSION } from "../package.ts";
import { storeError } from "../project/errors.ts";
import { type Invocation, isElsewhere } from "../project/invocation.ts";
import type { Project } from "../project/project.ts";
import { redactorOf } from "../project/secrets.ts";
import { readStoredPlan } from "../project/stored-plan.ts";
import { toldOf } from "../run/aftermath.ts";
import { proofOf } from "../run/report.ts";
import { showWork } from "../run/shown-work.ts";
import { whereaboutsHere } from "../run/whereabouts.ts";
import { budgetFacts, budgetMemory } from "./facts.ts";
import { machinesLook } from "./machines.ts";
import type { Monitor, Reading } from "./types.ts";

/** Agents on one attempt at once of which output is looked for. */
const MOST_AGENTS = 16;

/** What a dashboard can read of a project, whoever runs it. */
export type ReadingMonitor = Omit<Monitor, "link" | "follow" | "attend" | "act" | "goOn">;

/** The database, opened for reading once and again whenever another file has taken its place. */
function reopened(path: string): { store(): Result<Store | undefined, StoreFailure>; close(): void } {
  let open: { readonly store: Store; readonly inode: number } | undefined;
  const close = () => {
    open?.store.close();
    open = undefined;
  };
  return {
    close,
    store() {
      const inode = statSync(path, { throwIfNoEntry: false })?.ino;
      if (open !== undefined && open.inode === inode) return ok(open.store);
      close();
      const opened = openSqliteReader({ path });
      if (opened.ok && opened.value !== undefined && inode !== undefined)
        open = { store: opened.value, inode };
      return opened;
    },
  };
}

/** What a commit changed. */
async function changesOf(
  root: string,
  env: NodeJS.ProcessEnv,
  commit: string,
): Promise<Result<readonly FileChange[], Reason>> {
  const git = openReading(root, env);
  if (!git.ok) return git;
  const range = await rangeOfCommit(git.value, commit);
  return range.ok ? changedFiles(git.value, range.value) : range;
}

function sentence(failure: StoreFailure): string {
  const { message, hint } = storeError(failure);
  return hint === undefined ? message : `${message} (${hint})`;
}

/** Reads a project's state for the dashboard; secrets of the environment are masked in raw output. */
export function readingMonitor(project: Project, env: NodeJS.ProcessEnv): ReadingMonitor {
  const { config, root, stateDir } = project;
  const database = reopened(join(stateDir, STATE_NAMES.database));
  const redact = redactorOf(env, root);
  const budget = settleBudget(config.budget);
  const memory = budgetMemory();
  const askMachines = machinesLook(project, env);
  let known: { readonly json: string; readonly plan: Plan; readonly invocation: Invocation } | undefined;

  const logOf = (task: string, attempt: number, of = 1): string =>
    join(stateDir, "attempts", `${attemptName(task, of < 2 ? attempt : `${attempt}-${of}`)}.log`);

  const ask = <T>(question: (store: Store) => Result<T, StoreFailure>): Result<T | undefined, string> => {
    const opened = database.store();
    if (!opened.ok) return fail(sentence(opened.failure));
    if (opened.value === undefined) return ok(undefined);
    const answer = question(opened.value);
    if (answer.ok) return answer;
    database.close();
    return fail(sentence(answer.failure));
  };

  const attemptsOf = (run: string) => (task: string) => {
    const rows = ask(store => store.attempts(run, task));
    return rows.ok ? (rows.value ?? []) : [];
  };

  const read = (): Result<Reading | undefined, string> => {
    const loaded = ask(store => store.load());
    if (!loaded.ok || loaded.value === undefined) return loaded.ok ? ok(undefined) : loaded;
    const json = loaded.value.run.plan;
    if (known?.json !== json) {
      const begun = readStoredPlan(json);
      if (begun === undefined) return fail("the plan of this run cannot be read");
      known = { json, ...begun };
    }
    return ok({ stored: loaded.value, plan: known.plan });
  };

  return {
    version: VERSION,
    project: root,
    locale: project.locale,
    isLocaleSet: configuredLocale(project.configText) !== undefined,
    maxAttempts: config.maxAttempts,
    phaseGate: config.phaseGate,
    ask,
    read,
    others: (task, attempt) =>
      Array.from({ length: MOST_AGENTS - 1 }, (_, at) => at + 2).filter(of =>
        existsSync(logOf(task, attempt, of)),
      ),
    log(task, attempt, maxBytes, of) {
      const path = logOf(task, attempt, of);
      const end = readEnd(path, maxBytes);
      return end && { text: redact(end.text), bytes: end.size, path: relative(root, path) };
    },
    async whereabouts() {
      const reading = read();
      if (!reading.ok || reading.value === undefined) return undefined;
      const { stored, plan } = reading.value;
      const told = ask(store => ok(toldOf(store, stored.run.id)));
      const aside = told.ok && told.value !== undefined ? told.value.aside : [];
      return whereaboutsHere(env, project, shownRun(plan, stored), aside);
    },
    async machines() {
      const reading = read();
      const run = reading.ok ? reading.value?.stored.run.id : undefined;
      if (run === undefined || known === undefined || !isElsewhere(known.invocation)) return undefined;
      // Anybody may write into the state, and the hub is given a token: it is the one that this home knows of.
      const joined = readJoined(projectHome(env, stateDir));
      return joined?.run === run
        ? askMachines(joined.on)
        : fail(reasonText(because("hub-not-known", {}), project.locale));
    },
    async changes(commit) {
      const found = await changesOf(root, env, commit);
      return found.ok ? found : fail(reasonText(found.failure, project.locale));
    },
    async work(wish, part) {
      const reading = read();
      if (!reading.ok || reading.value === undefined) return reading.ok ? ok(undefined) : reading;
      const { stored, plan } = reading.value;
      const ground = { project, env, plan, file: stored.run.file, attempts: attemptsOf(stored.run.id) };
      const shown = await showWork(ground, wish, part);
      if (!shown.ok) return fail(redact(reasonText(shown.failure, project.locale)));
      const { patches } = shown.value;
      return ok({ ...shown.value, patches: patches.map(patch => patch && redact(patch)) });
    },
    proofOf: task => proofOf(task, config),
    checkpoints: () => openCheckpoints(join(stateDir, "checkpoints")).read(),
    prices: config.budget.prices,
    budget() {
      const reading = read();
      if (!reading.ok || reading.value === undefined || known === undefined || !budget.ok) return undefined;
      const { stored, plan } = reading.value;
      const attempts = attemptsOf(stored.run.id);
      const receipts = (task: string) => {
        const rows = ask(store => store.context.receipts(stored.run.id, task));
        return rows.ok ? (rows.value ?? []) : [];
      };
      const { invocation } = known;
      return budgetFacts(budget.value, { stored, plan, invocation, attempts, receipts }, memory);
    },
    close: database.close,
  };
}
