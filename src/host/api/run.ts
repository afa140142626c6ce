import type { Draft } from "../../engine/index.ts";
import { because, EspalierError, EXIT, type Reason } from "../../ports/index.ts";
import type { StepResult } from "../../run/index.ts";
import { reasonText, textHash } from "../../text/index.ts";
import type { ApprovalDialog, Caller } from "../caller.ts";
import { heardOutside } from "../monitor/inside.ts";
import type { RunEnd, Running } from "../run/conduct.ts";
import { launch, type Origin, type RunWish } from "../run/launch.ts";
import { requireAct, requireHow } from "./checked.ts";
import { createEventFeed } from "./event-feed.ts";
import type { Run, RunResult } from "./types.ts";

/** Who decides, as events name it. */
const BY = "the program that runs it";

function resultOf({ engine, session }: Running, { outcome, reason }: RunEnd): RunResult {
  const message = reasonText(reason, session.project.config.locale);
  return { outcome, reason, message, counts: { ...engine.run.counts } };
}

function stoppedEarly(): EspalierError {
  return new EspalierError("STOPPED", "the run was stopped before it was approved; nothing was started", {
    exitCode: EXIT.interrupted,
  });
}

/** A dialog that a stop ends: whoever is asked may never answer. */
function interruptible({ show, ask }: ApprovalDialog, stopped: Promise<never>): ApprovalDialog {
  if (ask === undefined) return { show };
  return { show, ask: (wanted, locale) => Promise.race([ask(wanted, locale), stopped]) };
}

/** Starts a run, or goes on with one; `find` throws where nothing can be run. */
export function startRun(by: Caller, find: () => { readonly origin: Origin; readonly wish: RunWish }): Run {
  const feed = createEventFeed();
  const begun = Promise.withResolvers<Running | undefined>();
  let running: Running | undefined;
  const leaving = Promise.withResolvers<never>();
  // Mostly nobody is asked anything when a stop comes.
  leaving.promise.catch(() => {});
  const caller = { ...by, approval: interruptible(by.approval, leaving.promise) };
  let asked: "soft" | "hard" | undefined;

  const send = async (draft: Draft): Promise<StepResult | undefined> =>
    (await begun.promise)?.engine.send(draft);
  const work = async (): Promise<RunResult> => {
    const { origin, wish } = find();
    const end = await launch(caller, origin, wish, one => {
      running = one;
      heardOutside(one.engine, one.around)(feed.put);
      // Whoever decides before the run has begun decides about the run that begins.
      const stop = one.engine.listen(() => {
        stop();
        begun.resolve(one);
      });
      return { ended: async () => begun.resolve(undefined), report: async () => {}, close: async () => {} };
    });
    return resultOf(running!, end);
  };
  const ended = Promise.resolve().then(work);
  ended
    .then(
      () => feed.end(),
      (error: unknown) => feed.end({ error }),
    )
    .finally(() => begun.resolve(undefined));

  return {
    events: feed.events,
    ended,
    stop(how = "soft") {
      requireHow(how);
      if (asked === how) return;
      asked = how;
      leaving.reject(stoppedEarly());
      void send({ type: "stop", by: BY, how });
    },
    async hold(held) {
      return (await send({ type: "hold", held, by: BY })) !== undefined;
    },
    async decide(task, action, note = ""): Promise<Reason | undefined> {
      requireAct(action);
      const one = await begun.promise;
      const hash = textHash(one?.engine.run.byId.get(task)?.task.text ?? "");
      const out = await one?.engine.send({ type: "act", action, task, note, textHash: hash, by: BY });
      return out === undefined ? because("nothing-runs", {}) : out.refused;
    },
  };
}
