/** What a client asked of the model: the words of its user, its tools, and how many tool results it has brought back. */
export interface Asked {
  /** Everything users said, oldest first. */
  readonly said: string;
  /** What the user said last. */
  readonly last: string;
  /** By name; those that stand in a namespace as `namespace/name`. */
  readonly tools: readonly string[];
  /** Tool results since the user spoke last. */
  readonly results: readonly string[];
  /** All that it was asked with, as JSON. */
  readonly all?: string;
  /** When, in milliseconds of this process. */
  readonly at?: number;
}

/** What the model does next. */
export type Step =
  /** `held`: not before the test releases it. */
  | { readonly do: "say"; readonly text: string; readonly held?: boolean }
  | {
      readonly do: "tool";
      readonly name: string;
      readonly input: Readonly<Record<string, unknown>>;
      readonly held?: boolean;
    }
  /** An HTTP error. */
  | {
      readonly do: "refuse";
      readonly status: number;
      readonly type: string;
      readonly message: string;
      readonly headers?: Record<string, string>;
    }
  /** Never answers. */
  | { readonly do: "hang" }
  /** Breaks the connection in the middle of an answer. */
  | { readonly do: "cut"; readonly text: string };

/** The signal the prompt asks for; the house's prompts name what follows `DONE:` in backticks. */
function signal(said: string, word: "DONE" | "FAIL"): string {
  const id = /followed at once by `([^`]+)`/.exec(said)?.[1] ?? /SIGNAL:(\S+)/.exec(said)?.[1] ?? "T1.3";
  return word === "DONE" ? `DONE:${id}` : `FAIL:${id}:tests stay red`;
}

/** A shell command in the words of whichever client asks. */
function shell(asked: Asked, command: string): Step {
  const known: readonly (readonly [string, Record<string, unknown>])[] = [
    ["Bash", { command, description: "runs a command" }],
    ["exec_command", { cmd: command }],
    ["shell_command", { command }],
    ["shell", { command: ["sh", "-c", command] }],
    ["bash", { command, description: "runs a command" }],
    ["run_shell_command", { command, is_background: false }],
  ];
  const found = known.find(([name]) => asked.tools.includes(name));
  return found === undefined
    ? { do: "say", text: `no shell among ${asked.tools.join(", ")}` }
    : { do: "tool", name: found[0], input: found[1] };
}

function write(asked: Asked, file: string, content: string): Step {
  const known: readonly (readonly [string, Record<string, unknown>])[] = [
    ["Write", { file_path: file, content }],
    // OpenCode's, and Pi's.
    ["write", { filePath: file, path: file, content }],
    ["write_file", { file_path: file, content }],
    ["create", { path: file, file_text: content }],
  ];
  const found = known.find(([name]) => asked.tools.includes(name));
  return found === undefined
    ? shell(asked, `printf '%s' '${content}' > '${file}'`)
    : { do: "tool", name: found[0], input: found[1] };
}

/** Some clients keep most tools back: the model has to look for them, and calls them by a tool that calls tools. */
function isKeptBack(asked: Asked): boolean {
  return asked.tools.includes("tool_search") && asked.tools.includes("tool_call");
}

/** One of our MCP tools, by whatever name the client offers it. */
function ours(asked: Asked, tool: string, input: Readonly<Record<string, unknown>>): Step {
  if (isKeptBack(asked))
    return {
      do: "tool",
      name: "tool_call",
      input: { name: `mcp__espalier__${tool}`, arguments: input },
    };
  const name = asked.tools.find(each => each.includes("espalier") && each.endsWith(tool));
  if (name !== undefined) return { do: "tool", name, input };
  // Some clients ask before the servers have started: a model that looks around meanwhile finds them.
  return asked.tools.includes("list_directory") && asked.results.length < 20
    ? { do: "tool", name: "list_directory", input: { dir_path: "." } }
    : { do: "say", text: `no ${tool} among ${asked.tools.join(", ")}` };
}

function wordAfter(said: string, name: string, otherwise: string): string {
  const start = said.lastIndexOf(`${name}:`);
  return start < 0 ? otherwise : (said.slice(start + name.length + 1).split(/\s/)[0] ?? otherwise);
}

type Scenario = (asked: Asked) => Step;

const say = (text: string): Step => ({ do: "say", text });

/** What the model can be asked to play, by the name after `SCENARIO:` in the prompt. */
const SCENARIOS: Readonly<Record<string, Scenario>> = {
  /** Writes a file, runs a command that reads it, ends with its signal. */
  full(asked) {
    const file = wordAfter(asked.said, "FILE", "made.txt");
    if (asked.results.length === 0) return write(asked, file, "made by the agent");
    if (asked.results.length === 1) return shell(asked, `cat '${file}' && echo ran > ran.txt`);
    return say(`All is well.\n${signal(asked.said, "DONE")}`);
  },
  /** Runs commands, each of which leaves a folder of its name behind where it is let. */
  shells(asked) {
    const lines = ["git init allowed", "git init allowed-too && git init intruder", "git init refused"];
    const line = lines[asked.results.length];
    return line === undefined ? say(`Tried.\n${signal(asked.said, "DONE")}`) : shell(asked, line);
  },
  /** Reads what it was pointed to, writes its notes where it was told to, and a file. */
  notes(asked) {
    const notes = /lessons to (\S+?),/.exec(asked.said)?.[1] ?? "nowhere.md";
    if (asked.results.length === 0) return write(asked, notes, "It was easy.");
    // One takes absolute paths only, and which folder it works in stands in words of its own.
    if (asked.results.at(-1)?.includes("must be absolute") === true)
      return shell(asked, `echo made > '${wordAfter(asked.said, "FILE", "made.txt")}'`);
    return asked.results.length === 1
      ? write(asked, wordAfter(asked.said, "FILE", "made.txt"), "made")
      : say(`All is well.\n${signal(asked.said, "DONE")}`);
  },
  /** Pulls a document, acknowledges it, and adds another one. */
  tools(asked) {
    const node = `ctx-${wordAfter(asked.said, "NODE", "root")}`;
    const ack = "[ACK-UPDATE] docs-spec.md-v1 received.\nImpact: none\nAction: CONTINUE";
    const names = ["context_pull", "context_ack", "add_context"].map(name => `mcp__espalier__${name}`);
    const search: Step = { do: "tool", name: "tool_search", input: { query: `select:${names.join(",")}` } };
    if (isKeptBack(asked) && asked.results.length === 0) return search;
    const answered = asked.results.slice(isKeptBack(asked) ? 1 : 0);
    const done = answered.filter(result => /gate: oak|acked|HANDED/.test(result)).length;
    if (answered.length > done + 20) return say("They do not answer.");
    const calls = [
      () => ours(asked, "context_pull", { label: "docs-spec.md" }),
      () => ours(asked, "context_ack", { text: ack }),
      () => ours(asked, "add_context", { node, text: "# Found\n\n- hinge: left" }),
    ];
    return calls[done]?.() ?? say(`Asked and told.\n${signal(asked.said, "DONE")}`);
  },
  /** Leads a run to its end, and does its tasks itself: each as it is told to, one of them badly the first time. */
  lead(asked) {
    const last = asked.results.at(-1) ?? "";
    const ready = asked.results.findLast(result => result.includes("READY:")) ?? "";
    const task = /READY:([\w.]+)/.exec(ready)?.[1] ?? "none";
    if (last.includes("ALL_DONE")) return say("Everything is done.");
    if (asked.results.length > 200) return say(`The run did not end: ${last}`);
    if (last.includes("READY:")) return ours(asked, "start_task", { id: task });
    const prompt = /PROMPT:([^"\\]+)/.exec(last)?.[1]?.trim();
    if (prompt !== undefined) return shell(asked, `cat '${prompt}'`);
    if (!last.includes("followed at once by")) return ours(asked, "next_tasks", {});
    const isFirst = asked.results.filter(result => result.includes(`by \`${task}#`)).length === 1;
    const word = isFirst && task === wordAfter(asked.said, "FAILS", "none") ? "FAIL" : "DONE";
    return ours(asked, "report", { id: task, signal: signal(last, word) });
  },
  ok: asked => say(`Nothing to do.\n${signal(asked.said, "DONE")}`),
  fail: asked => say(`It does not work.\n${signal(asked.said, "FAIL")}`),
  /** Stops to ask something, and is done once it is asked for its signal. */
  asks: asked =>
    asked.said.includes("[SIGNAL]")
      ? say(`I went on.\n${signal(asked.said, "DONE")}`)
      : say("Half of it is done. Shall I go on?"),
  nosignal: () => say("I am done, I think."),
  quota: () => ({
    do: "refuse",
    status: 429,
    type: "rate_limit_error",
    message: "You have hit your usage limit. Try again in 2 hours 5 minutes.",
    headers: { "retry-after": "7500" },
  }),
  limit: () => ({
    do: "refuse",
    status: 429,
    type: "rate_limit_error",
    message: "You have hit your usage limit.",
  }),
  auth: () => ({ do: "refuse", status: 401, type: "authentication_error", message: "invalid api key" }),
  overloaded: () => ({ do: "refuse", status: 529, type: "overloaded_error", message: "Overloaded" }),
  hang: () => ({ do: "hang" }),
  cut: () => ({ do: "cut", text: "I was about to" }),
  /** Runs a command, and another one that takes its time. */
  late: asked =>
    asked.results.length === 0
      ? shell(asked, "echo first")
      : asked.results.length === 1
        ? shell(asked, "sleep 67 & wait")
        : say("Awake."),
  /** Runs a command that takes its time. */
  sleep: asked =>
    asked.results.length === 0 ? shell(asked, "echo $$ > pid.txt; sleep 67 & wait") : say("Awake."),
  /** Commits, and tries to leave something behind that the user's next command would run. */
  commit(asked) {
    const identity = "-c user.name=n -c user.email=e@x";
    // Some clients refuse substitutions such as $(…).
    const hooks = '"$common/hooks"';
    const find = "git rev-parse --git-common-dir > where.txt; read -r common < where.txt";
    const traps = `echo evil > ${hooks}/post-checkout; git config --local core.editor evil`;
    return asked.results.length === 0
      ? shell(
          asked,
          `git add -A && git ${identity} commit -q -m 'from the jail'; ${find}; ${traps}; mkdir -p ${hooks}; ${traps}`,
        )
      : say(`Committed.\n${signal(asked.said, "DONE")}`);
  },
  /** Tries to write outside its folder. */
  escape(asked) {
    const file = wordAfter(asked.said, "OUTSIDE", "/tmp/outside.txt");
    if (asked.results.length === 0) return write(asked, file, "escaped");
    if (asked.results.length === 1) return shell(asked, `echo escaped > '${file}.shell'`);
    return say(`Tried.\n${signal(asked.said, "DONE")}`);
  },
  /** Thinks until it is released, then acknowledges what has been published meanwhile with the line it was given. */
  team(asked) {
    const line = asked.last
      .split("\n")
      .find(each => each.startsWith("  [ACK-UPDATE]"))
      ?.replace(/<(NONE|CONTINUE)[^>]*>/g, "$1");
    const answer = line === undefined ? "Nothing to do." : line.trim();
    return { do: "say", text: `${answer}\n${signal(asked.said, "DONE")}`, held: line === undefined };
  },
  /** Calls a tool, and another one when it is released; what it is told by then it answers, and ends. */
  waits(asked) {
    const form = /\[ACK-UPDATE\] \S+ #\d+ received\./.exec(asked.all ?? "")?.[0];
    if (form !== undefined)
      return say(`${form} Impact: NONE. Action: CONTINUE\n${signal(asked.said, "DONE")}`);
    if (asked.results.length > 6) return say(`Nothing waits.\n${signal(asked.said, "DONE")}`);
    const byTool = asked.said.includes("BY:tool");
    const call = byTool ? ours(asked, "status", {}) : shell(asked, "true");
    return call.do === "tool" ? { ...call, held: asked.results.length === 1 } : call;
  },
  /** Acknowledges an update of the context and remembers what it was told first. */
  update(asked) {
    if (!asked.last.includes("[CONTEXT-UPDATE]")) return say(`Ready.\n${signal(asked.said, "DONE")}`);
    const [, name = "GC", to = "?"] =
      /\[CONTEXT-UPDATE\] (\S+)-v\d+(?:→| → \S+-v)(\d+)/.exec(asked.last) ?? [];
    const label = `${name}-v${to}`;
    const remembered = asked.said.includes("SCENARIO:update") ? "CONTINUE" : "NEED_CLARIFICATION";
    return say(
      `[ACK-UPDATE] ${label} received.\nImpact: none\nAction: ${remembered}\n${signal(asked.said, "DONE")}`,
    );
  },
};

/** What the model does with this request. */
export function nextStep(asked: Asked): Step {
  const name = wordAfter(asked.said, "SCENARIO", "ok");
  return (SCENARIOS[name] ?? (() => say(`unknown scenario ${name}`)))(asked);
}
