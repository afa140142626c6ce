import { pageRefused } from "../../host/approval/decider.ts";
import { outsideMonitor } from "../../host/monitor/outside.ts";
import { readingMonitor } from "../../host/monitor/reading.ts";
import { EXIT } from "../../ports/index.ts";
import type { Dashboard } from "../../server/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, isInteractive, say, sayJsonLine, warn } from "../io.ts";
import { type AwayWish, openDashboard, pairs } from "../page.ts";
import { projectOf } from "../project.ts";
import { type DashboardWords, dashboardWords } from "../views/words/dashboard-words.ts";

const ENDING: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Resolves when somebody asks this process to end. */
function asked(): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      for (const signal of ENDING) process.off(signal, end);
      resolve();
    };
    for (const signal of ENDING) process.on(signal, end);
  });
}

interface DashboardFlags extends AwayWish {
  readonly port?: number;
  readonly json?: boolean;
}

/** Says the code by which one device is let in. */
function sayCode(io: Io, page: Dashboard, words: DashboardWords): void {
  say(io, `${words.pair(page, page.openCode().code)} ${words.inTerminal}`);
}

/** `espalier dashboard`: serves the page of a project until it is ended; runs nothing itself. */
export async function dashboard(io: Io, options: DashboardFlags): Promise<number> {
  const project = projectOf(io);
  const words = dashboardWords(project.locale);
  const isPairing = pairs(options);
  const caller = callerOf(io);
  const monitor = outsideMonitor(readingMonitor(project, io.env), project, caller);
  const served = await openDashboard(monitor, options.port, {
    publicOrigin: options.public,
    told: news => warn(io, words.news[news]),
  });
  const another = () => sayCode(io, served, words);
  if (options.json === true) {
    const { origin, link, address } = served;
    sayJsonLine(io, { origin, link, ...(isPairing ? { address, ...served.openCode() } : {}) });
  } else {
    say(io, `${project.root}`);
    say(io, `  ${served.link}`);
    say(io, words.open);
    if (isPairing) sayCode(io, served, words);
    if (isPairing && isInteractive(io)) io.stdin.on("data", another);
  }
  const ended = asked();
  const refused = await pageRefused(caller, project);
  if (refused !== undefined) warn(io, refused);
  await ended;
  io.stdin.off("data", another);
  io.stdin.pause();
  await served.close();
  return EXIT.done;
}
