import { outsideMonitor } from "../../host/monitor/outside.ts";
import { readingMonitor } from "../../host/monitor/reading.ts";
import { EXIT } from "../../ports/index.ts";
import { callerOf } from "../caller.ts";
import { type Io, say } from "../io.ts";
import { openDashboard } from "../page.ts";
import { projectOf } from "../project.ts";

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

/** `espalier dashboard`: serves the page of a project until it is ended; runs nothing itself. */
export async function dashboard(io: Io, options: { port?: number; json?: boolean }): Promise<number> {
  const project = projectOf(io);
  const monitor = outsideMonitor(readingMonitor(project, io.env), project, callerOf(io));
  const served = await openDashboard(monitor, options.port);
  if (options.json === true) say(io, JSON.stringify({ origin: served.origin, link: served.link }));
  else {
    say(io, `${project.root}`);
    say(io, `  ${served.link}`);
    say(io, "Open this link in a browser on this machine. Ctrl+C ends the dashboard; a run goes on.");
  }
  await asked();
  await served.close();
  return EXIT.done;
}
