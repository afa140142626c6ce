import { ENGLISH_OVERVIEW } from "./overview-english.ts";
import { ENGLISH_PAGES } from "./pages-english.ts";
import { field, type Words } from "./words.ts";

const OUTCOME: Readonly<Record<string, string>> = {
  failed: "with failures",
  waiting: "it waits for you",
};

const WANTS: Readonly<Record<string, string>> = {
  edit: "wants to edit",
  execute: "wants to run",
  fetch: "wants to fetch",
  read: "wants to read",
};

function happening(type: string, fields: Readonly<Record<string, unknown>>): string {
  const get = (name: string) => field(fields, name);
  switch (type) {
    case "run-started":
      return fields["resumed"] === true ? "The run goes on" : `The run begins: ${get("tasks")} tasks`;
    case "run-ended":
      return `The run ended: ${OUTCOME[get("outcome")] ?? get("outcome")}${get("reason") === "" ? "" : ` (${get("reason")})`}`;
    case "phase-started":
      return `Phase ${get("phase")} begins`;
    case "phase-ended":
      return `Phase ${get("phase")} ended, ${get("completed")} of ${get("counted")} done`;
    case "phase-gated":
      return `Only ${get("completed")} of ${get("counted")} done in phase ${get("phase")}: the next one waits for you`;
    case "phase-forced":
      return `Phase ${get("phase")} forced open`;
    case "dispatched":
      return fields["retry"] === true ? `Again: ${get("tasks")}` : `Dispatched: ${get("tasks")}`;
    case "completed":
      return `${fields["verified"] === true ? "Done and proved" : "Done, unverified"}${get("reason") === "" ? "" : `, ${get("reason")}`}`;
    case "attempt-failed":
      return `Attempt ${get("retries")} of ${get("maxAttempts")} failed: ${get("reason")}`;
    case "retry-scheduled":
      return `Next attempt in ${Math.round(Number(fields["inMs"]) / 100) / 10} s`;
    case "failed":
      return `Failed, no attempts left: ${get("reason")}`;
    case "blocked":
      return `Blocked by ${get("by")}`;
    case "unblocked":
      return "No longer blocked";
    case "paused":
      return `Paused: ${get("reason")}`;
    case "waiting":
      return `${get("agent")} is out of quota`;
    case "person":
      return `${ENGLISH.action[get("action") as keyof Words["action"]] ?? get("action")}${get("note") === "" ? "" : `: ${get("note")}`}`;
    case "asked":
      return `Asks for permission: it ${WANTS[get("kind")] ?? "wants to use a tool:"} ${get("title")}`;
    case "answered":
      return `${fields["allowed"] === true ? "Allowed what it asked" : "Rejected what it asked"}${get("by") === "" ? ": nobody answered" : ""}`;
    case "attempt-started":
      return `Attempt ${get("attempt")} begins: ${get("agent")}`;
    case "verify-started":
      return `Its proof is run: ${get("command")}`;
    case "permission":
      return `${get("answer") === "allowed" ? "Allowed" : "Not allowed"}: ${get("title")}`;
    case "foreign-signal":
      return "Reported for a task or an attempt that is not its own: not counted";
    case "agent-found":
      return `${get("agent")} ${get("version")} is about to work`;
    case "plan-changed":
      if (get("asked") !== "") return `Research: ${get("asked")}`;
      return `Task file changed: ${get("added")} added, ${get("removed")} removed, ${get("changed")} changed`;
    case "warning":
      return `${get("code")}: ${get("message")}`;
    case "saturation":
      return `The lead's window is ${get("percent")} % full`;
    case "phase-merged":
      return `Phase ${get("phase")} joined into ${get("into")}`;
    case "phase-left":
      return get("branch") === ""
        ? `Phase ${get("phase")} was left on a branch of its own, which is gone by now`
        : `Phase ${get("phase")} is left on ${get("branch")}: ${get("how")}`;
    case "phase-refused":
      return `Phase ${get("phase")} cannot be joined: ${get("reason")}`;
    case "conflict":
      return `Its work does not join: ${get("reason") || get("files")}`;
    case "reviewed":
      return get("verdict") === "approved"
        ? `Reviewed by ${get("by")}: approved (round ${get("round")})`
        : `Reviewed by ${get("by")}: findings (round ${get("round")})`;
    case "joined":
      return `Its lines stand beside those of others: ${get("files")}`;
    case "checkpoint":
      return `${get("action") === "resumed" ? "Started from checkpoint" : "Checkpoint"} ${get("id")}: ${get("why")}`;
    case "run-held":
      return "Held: nothing new starts";
    case "run-released":
      return "Hold lifted";
    case "stopping":
      return "Stopping: agents are ended";
    default:
      return type;
  }
}

const STATUS: Words["status"] = {
  pending: "pending",
  ready: "ready",
  in_progress: "running",
  completed: "done",
  failed: "failed",
  blocked: "blocked",
  paused: "paused",
  waiting: "out of quota",
  cancelled: "cancelled",
  skipped: "skipped",
};

/** What the page says, in English. */
export const ENGLISH: Words = {
  locale: "en",
  status: STATUS,
  stand: { ...STATUS, completed: "proven", unverified: "unverified", stale: "stale" },
  run: {
    running: "running",
    completed: "completed",
    failed: "ended with failures",
    waiting: "waits for you",
    interrupted: "interrupted",
  },
  outcome: {
    running: "running",
    done: "done",
    failed: "failed",
    "no-signal": "no signal",
    unproven: "not proved",
    cancelled: "cancelled",
    crashed: "crashed",
  },
  view: {
    overview: "Overview",
    graph: "Graph",
    review: "Review",
    context: "Context",
    budget: "Budget",
    timeline: "Timeline",
  },
  action: {
    retry: "Retry",
    skip: "Skip",
    done: "Mark done",
    pause: "Pause",
    resume: "Resume",
    cancel: "Give up",
    "send-back": "Send back",
    approve: "Approve",
  },
  why: {
    retry: "a fresh start with all attempts",
    skip: "go on without it; what depends on it counts it as done",
    done: "count it as completed on your word, unverified",
    pause: "stop it and hold it back",
    resume: "let it go on",
    cancel: "give it up; what depends on it is blocked",
    "send-back": "its agent changes what your note says, in its session where that can go on",
    approve: "you looked, and it is good: that counts as proof, with your name",
  },
  phase: label => `Phase ${label}`,
  held: "held",
  hold: "Hold",
  holdWhy: "nothing new starts; what runs goes on",
  release: "Go on",
  stop: "Stop",
  stopNow: "Stop now",
  stopAsk: "Stop the run? Agents are ended, their tasks become ready again, and espalier resume goes on.",
  force: phase => `Start phase ${phase}`,
  forceWhy: "too little of the phase before is done; start the next one all the same",
  cancel: "Cancel",
  asks: "What agents ask",
  wants: kind => WANTS[kind] ?? "wants to use a tool:",
  allow: "Allow",
  reject: "Reject",
  close: "Close",
  note: "Note",
  noteHint: "what to change, to send it back; else why, for the record",
  whatTheyDo: "What these do",
  allDone: count => `done for all ${count}`,
  unsent: "Your draft: it is not sent yet.",
  sending: "Sending…",
  rests: "not running",
  restsHint: "No process runs this project. What you decide is kept; Resume the run starts it again.",
  goOn: "Resume the run",
  goOnWhy: "Starts the run again, as espalier resume does",
  line: {
    connecting: "connecting…",
    live: "live",
    lost: "connection lost",
    denied: "access ended",
    keyless: "no key",
  },
  lostHint: "The dashboard does not answer. What you see is the last it said; it is tried again.",
  silent: "The dashboard does not answer.",
  deniedHint: {
    owner:
      "The key of this tab is no longer valid: the dashboard was started anew. Open the whole link that it printed then.",
    device:
      "This device is no longer let in: its twelve hours are over, it was revoked, or the dashboard was started anew. Enter a new code.",
    link: "This link no longer shows the run: its time is over, it was revoked, or the dashboard was started anew. Ask whoever shared it for a new one.",
  },
  keylessHint:
    "This tab has no key to the dashboard: it came without the end of the link, #token=…, or the tab was copied. Open the whole link that stands in the terminal; espalier dashboard prints a new one at any time.",
  problem: "The state cannot be read",
  loading: "Loading…",
  nothing: "Nothing here yet.",

  search: "Search tasks",
  fit: "Fit",
  opensCard: "Enter or space opens the task",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  asGraph: "Graph",
  asList: "List",
  expandAll: "Open all phases",
  collapseAll: "Fold all phases",
  expand: "Open this phase",
  collapse: "Fold this phase",
  all: "all",
  filter: "Filter by state",
  critical: "critical path",
  theme: "Light or dark",
  language: "한국어",
  doneOf: (done, total) => `${done} of ${total} done`,
  ofAll: total => `of ${total} done`,
  tasks: count => `${count} ${count === 1 ? "task" : "tasks"}`,
  more: count => `${count} more`,
  tokens: "tokens",
  cost: "cost",
  elapsed: "time",
  state: "state",
  skip: "To the content",
  views: "Views",
  keys: "Keyboard",
  keysOf: {
    "?": "this help",
    "1 – 6": "go to a view, in the order of the tabs",
    "/": "search, wherever there is something to search",
    enter: "open what is focused, or the first task found",
    f: "fit the whole graph",
    esc: "close the task, or this help",
    tab: "go on to the next thing that can be used; cards and bars too",
  },
  keysSingle: "Single keys act (off: only tab, enter and esc do)",
  noMatch: "No task is like that. Take a word or a state away.",
  retry: (retries, max) => `retry ${retries}/${max}`,
  again: time => `again at ${time}`,

  waitsFor: "Waits for",
  neededBy: "Needed by",
  blockedBy: task => `blocked by ${task}`,
  brokenRoot: "Blocked by",
  attempts: "Attempts",
  attempt: number => `Attempt ${number}`,
  noAttempts: "None yet.",
  older: count => `${count} older ones are not shown`,
  evidence: "Proof",
  feedback: "Told to the next attempt",
  finalMessage: "Last message",
  output: "Output",
  showOutput: "Show output",
  agentNumber: number => `Agent ${number}`,
  cutOutput: kib => `the last 64 of ${kib} KiB`,
  live: "Live",
  liveEmpty: "It has not said anything yet.",
  taskText: "In the task file",
  actions: "Decide",
  tell: "Say something to its agent",
  tellHint: "it hears this once it has ended its turn",
  tellSend: "Tell",
  role: "Role",
  agent: "Agent",
  files: "Files",
  verify: "Verify",
  test: "Test",
  script: "Script",
  node: "Context node",
  fills: "Fills",
  place: "Stands in",
  branch: "Branch",
  commit: "Commit",
  reason: "Reason",
  receipt: "What it was given to read",
  receiptWhy: "Each bar is a document or result, as long as its tokens; darker is more detail.",
  leftOut: "Left out",
  prefix: tokens => `${tokens} tokens the same as the attempt before`,
  ofBudget: (used, budget) => `${used} of ${budget} tokens`,
  estimate: "estimated",
  reviewTook: (by, amount, cost) => `${amount} tokens, review by ${by}${cost === "" ? "" : `, ${cost}`}`,
  cached: "cached",
  thought: "of thought",

  overview: ENGLISH_OVERVIEW,
  pages: ENGLISH_PAGES,
  happening,
  timeline: "What happened",
  noEvents: "Nothing has happened yet.",
  by: who => `by ${who}`,
  commitUnread: "The commit is not in this repository any more.",
  changedFiles: count => `${count} ${count === 1 ? "file" : "files"} changed`,
};
