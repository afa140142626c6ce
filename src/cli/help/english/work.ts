/** Commands around a run, as help describes them in English. */
export const WORK = {
  plan: { about: "show the phases, tasks and edges of a task file, and everything that is wrong with it" },
  draft: {
    about:
      "have a planner agent write a task file for a goal; without an agent, from what the repository has",
    "<goal>": "what is to be reached, in your words",
    "--agent": "the agent that plans; auto takes the first one that is installed",
    "--out": "where the plan goes; a file that exists is never replaced",
    "--yes": "approve the agent's command line of espalier.yaml",
  },
  status: {
    about: "show where the run stands",
    "--thin": "one line per task, for a model",
    "--all": "list every task, also of phases with nothing to tell",
    "--watch": "show it again whenever it changes, until the run has ended",
  },
  dashboard: {
    about: "serve a page that shows the run and steers it; runs nothing by itself",
    "--port": "port on 127.0.0.1; the first free one from 4747 on unless said",
    "--json": "print the link as JSON",
  },
  watch: {
    about: "show the run in the terminal as it goes, with keys to steer it; lines of events in a pipe",
  },
  agents: { about: "show which coding agents are installed, how they are driven and what they can do" },
  doctor: {
    about: "check git, Node, agents, lock, state and disk",
    "--try": "run the checks of espalier.yaml once in a new worktree, to see that they pass there",
    "--fix": "mend what killed processes left in the repository, and say what was done",
    "--on": "look at the machines of this hub, too: what each has, and lacks for the open tasks",
  },
  run: {
    about: "run the tasks of a task file; goes on where an earlier run stopped",
    "--dry-run": "show what would be dispatched, start nothing",
  },
  resume: {
    about: "go on with the last run",
    "--from": "start a new run from what this checkpoint says (an id or a file)",
    "--take-over":
      "bring the run here that another machine conducted with --on, and go on with it; RUN where the hub has several",
  },
  permit: {
    about: "show what agents ask for, and answer: once, for good, or no",
    "[which]": "number of a question, or its task",
    "--always": "allow this in the project from now on",
    "--no": "refuse it",
  },
  notify: { about: "who is told when a run needs a person, or ends" },
  "notify test": {
    about: "send one notice to everybody whom a run would tell, and say what came of it",
    "--yes": "approve the command and the address that espalier.yaml names",
  },
  stop: {
    about: "stop the run: agents are ended, their tasks become ready again, state is saved",
    "--now": "do not wait for agents to end by themselves",
  },
  completion: {
    about:
      "print the script that completes commands, options and task ids; bash, zsh: source <(espalier completion zsh); fish: espalier completion fish | source",
    "<shell>": "whose script; words prints what stands to choose behind a line",
  },
  demo: { about: "run a small example in a new folder, without an agent, and say what to do next" },
  init: {
    about: "find the task file, agents and test command, and write espalier.yaml",
    "--yes": "write without asking",
    "--try": "run the test command once in a new worktree, to see that it passes there",
  },
  next: {
    about: "lead mode: what to do next, in one line",
    "[file]": "task file, for the first call",
    "--new-session": "a new lead with an empty window asks",
  },
  start: {
    about: "lead mode: take tasks and name the file with the prompt of each",
    "--print": "print the prompts themselves",
  },
  report: {
    about: "lead mode: hand in the signal of a started task",
    "<signal>": "the line the agent ended with",
    "--result": "the agent's whole answer: a fill's document, and what it adds to the context tree",
    "--yes": "approve the task's verify command",
  },
  task: { about: "look at one task, or decide about it" },
  "task show": { about: "everything known about a task: attempts, evidence, errors, log" },
  "task tell": {
    about: "say something to the agent at work on a task; it hears it when it has ended its turn",
  },
  "task send-back": {
    about: "have its agent change what it made: it gets your note, in its own session where that can go on",
  },
  "task retry": { about: "give it a fresh start" },
  "task skip": { about: "go on without it; its dependents count it as done" },
  "task done": { about: "count it as completed, on your word (unverified)" },
  "task approve": {
    about: "you looked, and it is good: counts as proof, or lets work land that waits for its review",
  },
  "task pause": { about: "stop it and hold it back" },
  "task resume": {
    about: "let a paused task go on",
    "--all": "every task that is paused, but for those that a person paused or has to look at",
  },
  "task cancel": { about: "give it up; its dependents are blocked" },
  phase: { about: "look at phases, let one start, or merge one" },
  "phase list": { about: "all phases and how far they are" },
  "phase show": { about: "one phase and its tasks" },
  "phase report": {
    about: "the run, or one phase, as Markdown for a pull request: what was done, proved, and not proved",
  },
  "phase force": { about: "let a phase start although the one before is below its gate" },
  "phase merge": {
    about: "check phases that were left on their branches, and merge them into the target branch",
    "--all": "every phase that is done and not merged, in their order",
    "--yes": "approve the phase's check",
  },
  diff: {
    about: "show what landed, task by task, in your pager; of a task that has not landed, what stands there",
    "[task|phase]": "a task's id or a phase's label; by default the whole run",
  },
  review: {
    about: "have a task's work reviewed now, landed or not; exit 0 approved, 1 findings",
    "--agent": "the agent that reviews; by default whom the task or review: names",
    "--yes": "approve the commands that the project names",
  },
  worktrees: { about: "the worktrees that Espalier made" },
  "worktrees list": { about: "where they are, and what is not committed or merged in them" },
  "worktrees clean": {
    about: "remove those whose branch is merged; work that is nowhere else is saved first",
    "--all": "also those whose branch is not merged; the branches stay",
  },
  "worktrees rescue": {
    about: "save uncommitted work on branches; the worktrees stay as they are",
    "[name]": "a branch, or the end of a folder's path",
  },
};
