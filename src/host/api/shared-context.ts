import { EspalierError, EXIT } from "../../ports/index.ts";
import { visible } from "../../text/index.ts";
import type { Caller } from "../caller.ts";
import type { Project } from "../project/project.ts";
import { askContext } from "../session/ask-context.ts";
import { readContext } from "../session/context.ts";
import { publishedOf } from "../session/published.ts";
import { requirePublish, requireRead } from "./checked.ts";
import type { SharedContext } from "./types.ts";

function refusal(code: string, message: string): EspalierError {
  return new EspalierError(code, visible(message, 300), {
    hint: "espalier help context says what can be published",
    exitCode: EXIT.usage,
  });
}

/** What the agents of a project share, for a program. */
export function sharedContextOf(project: Project, { env, tell }: Caller): SharedContext {
  return {
    read(label, version) {
      requireRead(label, version);
      const found = readContext(project, ({ shared }) => shared.text(label, version));
      if (found?.ok === false) throw refusal("STATE_UNREADABLE", "the shared context cannot be read");
      if (found?.value === undefined) return undefined;
      const { version: number, text } = found.value;
      return { version: number, text };
    },
    async publish(label, text, options = {}) {
      requirePublish(label, text, options);
      const { by = "program", base, affected, actions, everyone } = options;
      const command = {
        op: "publish" as const,
        label,
        text,
        by,
        ...(base === undefined ? { follows: true } : { base }),
        ...(affected === undefined ? {} : { affected: [...affected] }),
        ...(actions === undefined ? {} : { actions: [...actions] }),
        ...(everyone === undefined ? {} : { everyone }),
      };
      const reply = await askContext(project, command, { env, note: tell });
      const said = reply.ok ? reply.context : undefined;
      if (said?.kind === "bad-label") throw refusal("BAD_LABEL", said.message);
      if (said?.kind !== "done") throw refusal("NO_ANSWER", reply.message);
      const published = publishedOf(said);
      if (published.kind !== "refused") return published;
      throw refusal(published.reason === "unknown-base" ? "UNKNOWN_BASE" : "BAD_INPUT", published.message);
    },
  };
}
