/** Commands for clients and machines, as help describes them in English. */
export const MACHINES = {
  mcp: {
    about: "serve the lead's tools over standard input and output; within an attempt, the worker's",
    "--setup": "show how a client is connected, instead of serving",
    "--write": "with --setup: write the files that are not there yet",
    "--approve": "show the commands that prove tasks and ask whether they may be run, instead of serving",
    "--yes": "with --approve: approve without being asked",
  },
  hub: { about: "the one place that runs and other machines meet at" },
  "hub start": {
    about: "serve machines and runs; keeps its queue in your own copy of Restate",
    "--listen": "where it is reached",
    "--cert": "certificate (PEM); only the loopback goes without",
    "--key": "its key (PEM)",
  },
  "hub token": { about: "who may come to the hub" },
  "hub token add": {
    about: "make a token for a machine, or for somebody who runs plans; it is shown once",
    "<name>": "of the machine or the person; an older token of the same is taken back",
    "--pool": "the machines it belongs to",
    "--run": "for runs, not for a machine",
    "--expires": "days until it ends",
  },
  "hub token list": { about: "show whose tokens there are, and until when" },
  "hub token revoke": { about: "take every token of a name back" },
  worker: { about: "a machine that works for a hub" },
  "worker start": {
    about: "work for a hub; only calls out, runs agents in a jail",
    "--slots": "orders at once",
    "--label": "what this machine has that tasks ask for by machine: (gpu, arch=arm64); again for more",
    "--resource": "what only so many tasks use here at once, which ask by uses: (gpu=2); again for more",
    "--spawn":
      "started for each order, which it carries out by espalier worker attempt: a container, a virtual machine",
    "--spawn-within": "seconds in which that has to be there",
    "--rules": "what the owner of this machine lets it do (worker.yaml)",
    "--folder": "where it keeps repositories and works; by default below your home",
    "--no-jail": "run agents without a jail",
  },
  "worker attempt": {
    about: "carry out one order, said on standard input by the worker whose --spawn has started this",
    "--rules": "what the owner of this machine lets it do (worker.yaml)",
    "--folder": "where it keeps what it needs; by default a temporary one",
    "--no-jail": "run the agent without a jail: this machine is one",
  },
  "worker list": { about: "show the machines of a hub and what they do" },
  "worker drain": {
    about: "give a machine nothing more; what it has goes on",
    "--off": "give it work again",
  },
  "worker forget": { about: "give a machine up: what it has begins anew on another one" },
};
