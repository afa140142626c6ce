import { userInfo } from "node:os";
import { SYSTEM_CLOCK } from "../adapters/local/clock.ts";
import { insideMonitor } from "../host/monitor/inside.ts";
import { readingMonitor } from "../host/monitor/reading.ts";
import type { Running } from "../host/run/conduct.ts";
import { because, EXIT } from "../ports/index.ts";
import type { Dashboard, Monitor, ServeOptions } from "../server/index.ts";
import { errorFor } from "../text/index.ts";
import { type Io, warn } from "./io.ts";
import { pageServed } from "./leave.ts";

/** Who acts from the page, as events name them: the person who started it. */
function who(): string {
  try {
    return `dashboard (${userInfo().username.slice(0, 60)})`;
  } catch {
    return "dashboard";
  }
}

/** Serves the page of a monitor, which closes with it; throws EspalierError when there is no port. */
export async function openDashboard(
  monitor: Monitor,
  port: number | undefined,
  away: Pick<ServeOptions, "publicOrigin" | "told"> = {},
): Promise<Dashboard> {
  // Few runs have a page, and the server takes as long to load as half of a short command.
  const { serveDashboard } = await import("../server/index.ts");
  const served = await serveDashboard({ monitor, clock: SYSTEM_CLOCK, who: who(), port, ...away });
  if (!served.ok) {
    monitor.close();
    throw errorFor("NO_PORT", because("no-port", { said: served.failure }), {
      advice: because("other-port", {}),
      exitCode: EXIT.environment,
    });
  }
  pageServed();
  const { close, ...rest } = served.value;
  return {
    ...rest,
    async close() {
      await close();
      monitor.close();
    },
  };
}

/** Who else may open a page, as it is asked for on a command line. */
export interface AwayWish {
  readonly public?: URL | undefined;
  readonly pair?: boolean | undefined;
}

/** Whether a code is shown by which a device is let in. */
export function pairs(wish: AwayWish): boolean {
  return wish.pair === true || wish.public !== undefined;
}

/** What the person who starts a run wants to see of it. */
export interface PageWish extends AwayWish {
  readonly dashboard?: boolean | undefined;
  readonly port?: number | undefined;
}

/** Whether a page is wanted: who lets devices in wants one for them. */
export function wantsPage(wish: PageWish): boolean {
  return wish.dashboard === true || pairs(wish);
}

/** Serves the page beside a run where it is wanted, and says where. */
export async function pageBeside(
  io: Io,
  { session, engine, around }: Running,
  wish: PageWish,
): Promise<Dashboard | undefined> {
  if (!wantsPage(wish)) return undefined;
  const { dashboardWords } = await import("./views/words/dashboard-words.ts");
  const words = dashboardWords(session.project.locale);
  const monitor = insideMonitor(readingMonitor(session.project, io.env), session.project, engine, around);
  const page = await openDashboard(monitor, wish.port, {
    publicOrigin: wish.public,
    told: news => warn(io, words.news[news]),
  });
  warn(io, words.beside(page.link));
  if (pairs(wish)) warn(io, `${words.pair(page, page.openCode().code)}\n${words.onPage}`);
  return page;
}
