import { localDocuments } from "../../adapters/local/documents.ts";
import type { ContextWork, SharedContext } from "../../context/shared/index.ts";
import { maskedDocuments, type Remains, recover } from "../../engine/index.ts";
import { ok, type RunEvent } from "../../ports/index.ts";
import { redactorOf } from "../project/secrets.ts";
import type { Session } from "../session/open.ts";
import { sessionLibrary } from "./session-library.ts";

/** What attempts that landed before a crash hand to the context tree; what is noticed on the way is told. */
export function recoverLanded(
  session: Session,
  shared: SharedContext,
  { documentLeft }: { readonly documentLeft?: Remains["left"] },
  tell: (event: RunEvent) => void,
): ContextWork[] {
  const { project, run } = session;
  const redact = redactorOf(session.env, project.root);
  return recover(
    session.runId,
    session.crashed,
    id => run.byId.get(id)?.task,
    sessionLibrary(session, shared, (code, message, task) =>
      tell({ type: "warning", code, message, ...(task === undefined ? {} : { task }) }),
    ),
    {
      left: documentLeft ?? (() => ok(undefined)),
      files: folder => maskedDocuments(localDocuments(folder ?? project.root), redact),
    },
  );
}
