import { fileURLToPath } from "node:url";
import { createAcpAgent } from "../../src/adapters/agent/index.ts";
import type { DocumentFiles } from "../../src/context/library/index.ts";
import { type Agent, fail, ok } from "../../src/ports/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { openBench } from "../../test/engine/bench.ts";
import { CONTEXT } from "../delta/context.ts";
import { openShelf } from "./programs.ts";

const PUPPET = fileURLToPath(new URL("../../test/adapters/agents/acp-puppet.ts", import.meta.url));
const TEAM = 5;
const LABEL = "docs-context.md";
const EDIT = ["- Phase 3: IN_PROGRESS", "- Phase 3: COMPLETE (Gate 3 APPROVED)"] as const;

/** What an update of a document costs that five agents work by. */
export interface UpdateCost {
  readonly confirmed: number;
  readonly team: number;
  /** Tokens of all messages between turns, and of the document for each once more. */
  readonly sent: number;
  readonly full: number;
}

/** Counts what an agent is told after its first message. */
function overheard(agent: Agent, follow: (message: string) => void): Agent {
  return {
    ...agent,
    async open(request) {
      const opened = await agent.open(request);
      if (!opened.ok) return opened;
      let turns = 0;
      const { value } = opened;
      return ok({
        turn(message) {
          turns += 1;
          if (turns > 1) follow(message);
          return value.turn(message);
        },
        cancel: how => value.cancel(how),
        close: () => value.close(),
      });
    },
  };
}

/** Publishes one change while five agents of the protocol work, in a whole engine. */
export async function measureUpdate(): Promise<UpdateCost> {
  using shelf = openShelf();
  const file = shelf.put(
    "agent",
    `#!/bin/sh\nexec '${process.execPath}' --no-warnings '${PUPPET}' works '${shelf.folder}/notes'\n`,
  );
  let sent = 0;
  const agent = overheard(createAcpAgent({ name: "puppet", command: [file] }), message => {
    sent += countTokens(message);
  });
  const missing = (path: string) => fail({ kind: "missing" as const, path, message: "not there" });
  const documents: DocumentFiles = {
    list: pattern => (pattern === "docs/context.md" ? ok([pattern]) : missing(pattern)),
    read: path => (path === "docs/context.md" ? ok(CONTEXT) : missing(path)),
  };
  const ids = Array.from({ length: TEAM }, (_, index) => `T1.${index + 1}`);
  const tasks = ids.map(id => `### [ ] ${id}: work\n- context: ctx-root\n`).join("\n");
  using bench = openBench({
    tasks: `${tasks}\n## Context\n\n- ctx-root: docs/context.md (shared)\n`,
    agents: { puppet: agent },
    world: { documents, env: { PATH: process.env["PATH"] ?? "", WORK_MS: "3000" } },
    engine: { limits: { wallMs: 60_000, idleMs: 60_000, graceMs: 2_000, logBytes: 1 << 20 } },
  });
  const end = bench.start();
  const teammates = () => {
    const lead = bench.engine.shared.lead(LABEL);
    return lead.ok ? [...(lead.value?.teammates.values() ?? [])] : [];
  };
  for (let tries = 0; tries < 500 && teammates().length < TEAM; tries++)
    await new Promise(resolve => setTimeout(resolve, 10));
  await bench.engine.shared.act(LABEL, { type: "publish", text: CONTEXT.replace(...EDIT), by: "bench" });
  await end;
  const confirmed = teammates().filter(mate => mate.confirmed?.version === 2).length;
  return { confirmed, team: TEAM, sent, full: TEAM * countTokens(CONTEXT) };
}
