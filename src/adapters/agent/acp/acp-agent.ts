import {
  type Agent,
  type AgentAbilities,
  type AgentFailure,
  fail,
  ok,
  type ToolKind,
} from "../../../ports/index.ts";
import { findCommand, folderProblem } from "../../process/index.ts";
import type { Fields } from "../fields.ts";
import { absent, lookAt, probed, UNKNOWN_PROBE_MS } from "../look.ts";
import type { FileGuard } from "../repository-files.ts";
import { type AgentSettings, type AgentSurroundings, termsOf } from "../settings.ts";
import { type TallyOptions, tallied } from "../tally.ts";
import { loadProtocol } from "./link.ts";
import { createAcpSession } from "./session.ts";

export interface AcpAgentOptions extends AgentSurroundings {
  /** The program that speaks the protocol on its standard streams, and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** What a program given as `./agent` is relative to. */
  readonly cwd?: string | undefined;
  readonly settings?: AgentSettings | undefined;
  /** Milliseconds it may go on trying against what trying does not mend: a quota, a missing login. */
  readonly patienceMs?: number | undefined;
  /** What it takes with a new session beyond the protocol. */
  readonly meta?: Fields | undefined;
  readonly abilities?: Partial<AgentAbilities> | undefined;
  /** The mode a session is put into before its first message; its own choice without. */
  readonly mode?: string | undefined;
  /** Milliseconds it has for its hello and a session. */
  readonly handshakeMs?: number | undefined;
  /** It tells of errors as if it said them, and ends its turn in order. */
  readonly wordsErrors?: boolean | undefined;
  /** It tells a command in the title of its call alone. */
  readonly titlesCommands?: boolean | undefined;
  /** Nothing is known of it but its command: whether it asks shows in what it does. */
  readonly isUnknown?: boolean | undefined;
  /** It works in folders that hold other files than `cwd` does. */
  readonly isElsewhere?: boolean | undefined;
  /** Variables that hold it to its policy: they win over all. */
  readonly rules?: Readonly<Record<string, string>> | undefined;
  /** What its count at the end of a turn is about; see `tallied`. */
  readonly tells?: TallyOptions["tells"];
  /** Arguments of its program that print a session, whose id follows, with what each call of the model used. */
  readonly ledger?: readonly string[] | undefined;
  /** What of the repository the program heeds whatever it is told, and who approves that. */
  readonly guard?: FileGuard | undefined;
}

/** What an agent of the protocol is treated as able to do. */
const ABILITIES: AgentAbilities = {
  followUp: true,
  resume: true,
  usage: true,
  cost: false,
  budget: false,
  sandbox: false,
  asks: true,
  mcp: true,
};

/** What of these the protocol does not ask of every agent: one of which nothing is known may have it or not. */
const UNSEEN = ["resume", "usage", "cost", "sandbox", "asks"] as const satisfies (keyof AgentAbilities)[];

/** Any agent that speaks the Agent Client Protocol, version 1, over its standard streams. */
export function createAcpAgent(options: AcpAgentOptions): Agent {
  const { name, command, settings = {}, warden } = options;
  const [, ...args] = command;
  // One that did not ask would not ask for the next task either, and be paid for it.
  let overstep: AgentFailure | undefined;
  const unasked = new Set<ToolKind>();
  const abilities: { -readonly [Ability in keyof AgentAbilities]: boolean } = {
    ...ABILITIES,
    ...(options.isUnknown === true ? { asks: false } : {}),
    ...options.abilities,
  };
  return {
    portVersion: 1,
    name,
    reports: "signal",
    abilities,
    ...(options.isUnknown === true ? { unseen: UNSEEN } : {}),
    terms: termsOf(settings, options.jail),
    async probe() {
      const { path, cwd, isElsewhere } = options;
      const found = findCommand(command, { path, cwd, folder: isElsewhere === true ? undefined : cwd });
      if (!found.ok) return absent(found.failure);
      // Who is asked is likely to work soon: the protocol is loaded while the program looks for its version.
      const loaded = loadProtocol().catch(() => {});
      const facts = await lookAt(
        found.value,
        undefined,
        options.env,
        options.isUnknown === true ? UNKNOWN_PROBE_MS : undefined,
      );
      await loaded;
      // Of a program that nothing else is known of it is not known either whether it tells its version.
      if (options.isUnknown !== true) return probed(found.value, facts);
      const { fails: _, ...known } = facts;
      return { found: true, path: found.value, ...known };
    },
    async open(request) {
      const { cwd, env } = request;
      const found = findCommand(command, { path: env["PATH"], cwd: options.cwd ?? cwd, folder: cwd });
      if (!found.ok) return found;
      if (overstep !== undefined) return fail(overstep);
      const folder = folderProblem(request.cwd);
      if (folder !== undefined) return fail(folder);
      let countsMessages = false;
      return ok(
        tallied(
          createAcpSession({
            request,
            agent: name,
            file: found.value,
            args,
            env: options.extraEnv ?? {},
            rules: options.rules,
            warden,
            jail: options.jail,
            guard: options.guard,
            wordsErrors: options.wordsErrors,
            titlesCommands: options.titlesCommands,
            isUnknown: options.isUnknown,
            unasked,
            greeted({ resumes }) {
              // Whoever asks for a second session has had a first one, and knows by then.
              abilities.resume &&= resumes;
            },
            countsMessages() {
              countsMessages = true;
            },
            overstepped: failure => {
              overstep = failure;
            },
            settings,
            meta: options.meta,
            mode: options.mode,
            version: "0.1.0",
            handshakeMs: options.handshakeMs,
            patienceMs: options.patienceMs,
            ledger: options.ledger,
          }),
          {
            tells: options.tells ?? (options.isUnknown === true ? undefined : "turn"),
            resumed: request.resume !== undefined,
            asksAside: () => countsMessages && options.isUnknown === true,
          },
        ),
      );
    },
  };
}
