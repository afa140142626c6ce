import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { localDocuments } from "../../adapters/local/documents.ts";
import { createLibrary, type Library } from "../../context/library/index.ts";
import { immediateLedger, type SharedContext } from "../../context/shared/index.ts";
import { maskedDocuments } from "../../engine/index.ts";
import { createTokenCache } from "../../tokens/index.ts";
import { storeError } from "../project/errors.ts";
import { redactorOf } from "../project/secrets.ts";
import { treeOptions } from "../project/settings.ts";
import { outputSources } from "../run/keep-outputs.ts";
import type { Session } from "../session/open.ts";

/** The context tree of a run without an engine; what its ledger is given is durable at once. */
export function sessionLibrary(session: Session, shared: SharedContext, tell: Library["tell"]): Library {
  const { store, epoch, runId, project, run } = session;
  const options = treeOptions(project.config);
  const { budget } = options;
  return createLibrary({
    rows: store.context,
    shared,
    ledger: immediateLedger(context => {
      const written = store.commit({ epoch, runId, context });
      if (!written.ok) throw storeError(written.failure);
    }, SYSTEM_CLOCK.now),
    plan: () => run.plan,
    standing: id => run.byId.get(id),
    files: maskedDocuments(localDocuments(project.root), redactorOf(session.env, project.root)),
    options,
    ...(budget === undefined ? {} : outputSources(project, budget, session.env, tell)),
    count: createTokenCache().count,
    tell,
  });
}
