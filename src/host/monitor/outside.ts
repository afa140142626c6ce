import { attendControl, followControl } from "../../engine/control/follow.ts";
import { EspalierError, type RunEvent } from "../../ports/index.ts";
import type { Caller } from "../caller.ts";
import { goOn } from "../control/go-on.ts";
import { askRunning, controlPath } from "../control/running.ts";
import { decide } from "../lead/offline.ts";
import type { Project } from "../project/project.ts";
import { mergeUnasked } from "../run/merge-phases.ts";
import { askContext } from "../session/ask-context.ts";
import type { ReadingMonitor } from "./reading.ts";
import { createStateTrace, LOOK } from "./state-trace.ts";
import type { LinkFacts, Monitor, News } from "./types.ts";

const GONE: LinkFacts = { live: false, held: false, asked: [] };

/** How an event changes what is known of the process that runs. */
function linkAfter(link: LinkFacts, event: RunEvent): LinkFacts {
  const { type } = event;
  if (type === "run-held" || type === "run-released") return { ...link, held: type === "run-held" };
  if (type !== "asked" && type !== "answered") return link;
  const others = link.asked.filter(({ id }) => id !== event.id);
  return { ...link, asked: type === "asked" ? [...others, event] : others };
}

/**
 * The monitor of a process that runs nothing itself: it hears the one that does through the control socket, finds the next one
 * when that has gone, and notices what commands write that listen nowhere. What `caller` decides while nobody runs the project
 * is written down as its commands do.
 */
export function outsideMonitor(reading: ReadingMonitor, project: Project, caller: Caller): Monitor {
  const listeners = new Set<(news: News) => void>();
  let link: LinkFacts = GONE;
  let following: { close(): void } | undefined;
  const hasMoved = createStateTrace(project.stateDir);
  let presence: { close(): void } | undefined;
  let attending = 0;
  let closed = false;
  const tell = (news: News) => {
    for (const listener of listeners) listener(news);
  };
  const setLink = (next: typeof link) => {
    link = next;
    tell("changed");
  };

  /** Keeps a connection open for as long as somebody is there to answer agents. */
  const beThere = () => {
    presence?.close();
    const path = attending > 0 && link.live ? controlPath(project) : undefined;
    presence = path === undefined ? undefined : attendControl(path);
  };

  const tryFollow = () => {
    const path = following === undefined ? controlPath(project) : undefined;
    if (path === undefined) return;
    const one = followControl(
      path,
      held => {
        setLink({ live: true, held, asked: [] });
        beThere();
      },
      stamped => {
        link = linkAfter(link, stamped.event);
        tell(stamped);
      },
    );
    following = one;
    void one.ended.then(() => {
      following = undefined;
      if (link.live && !closed) setLink(GONE);
    });
  };

  const look = () => {
    tryFollow();
    if (hasMoved()) tell("changed");
  };
  tryFollow();
  const timer = setInterval(look, LOOK);

  return {
    ...reading,
    link: () => link,
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    attend() {
      if (++attending === 1) beThere();
      return () => {
        if (--attending === 0) beThere();
      };
    },
    async act(request) {
      try {
        if (request.method === "merge") {
          const { phase } = request;
          return (await askRunning(project, request)) ?? (await mergeUnasked({ caller, project, phase }));
        }
        if (request.method === "context")
          return await askContext(project, request.command, { env: caller.env, note: () => {} });
        const isDecision = request.method === "act" || request.method === "force-phase";
        return await (isDecision ? decide(caller, project, request) : askRunning(project, request));
      } catch (error) {
        if (!(error instanceof EspalierError)) throw error;
        const message = [error.message, error.hint].filter(part => part !== undefined).join("; ");
        // A page shows a line.
        return { ok: false, message: message.split("\n").join(" · ") };
      }
    },
    goOn: () => goOn(project, caller.env),
    close() {
      closed = true;
      clearInterval(timer);
      following?.close();
      presence?.close();
      reading.close();
    },
  };
}
