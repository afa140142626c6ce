import type { UsageWords } from "../shapes.ts";

/** Arguments and options that mean the same at every command, in English. */
export const SHARED = {
  "[file]": "task file; by default the usual places are searched",
  "--allow-missing": "take dependencies on unknown tasks as satisfied",
  "--json": "print JSON",
  "--command": "command line of the agent 'command'; the prompt comes on its standard input",
  "--max-tokens": "the most tokens the run may take; no attempt that would pass it begins",
  "--max-cost": "the most US dollars the run may cost",
  "--agent": "agent for tasks that name none",
  "--parallel": "tasks at once",
  "--only": "run just these tasks (comma-separated)",
  "--force-phase": "start this phase although the one before is below its gate",
  "--plan": "reconcile (default) or frozen: refuse when the task file has changed",
  "--trust-boxes": "after lost state: believe ticked boxes",
  "--trust-state": "believe state that carries no seal of this home, or one that was set back",
  "--adopt": "take over state that was made in another place, such as a folder that was moved",
  "--on": 'have the machines of a hub work on it: https://HOST[:PORT]; "none" takes that back',
  "--yes": "approve the commands that the task file and the project name",
  "--dashboard": "serve a page to watch and steer the run; stays when it has ended, until Ctrl+C",
  "--port": "port of the dashboard; the first free one from 4747 on unless said",
  "--public": "the address at which your own proxy serves the page; lets devices in by a code",
  "--pair": "show a code that lets another device in",
  "--note": "why, for the record",
  "--label": "only at this document",
  "--state": "the hub's own folder; by default below your home",
  "--hub": "where the hub is; its token is in ESPALIER_HUB_TOKEN",
  "--locale": "the language to speak; by default that of espalier.yaml, ESPALIER_LOCALE or LANG",
  "--version": "output the version number",
};

/** The words around the descriptions, in English. */
export const USAGE: UsageWords = {
  titles: {
    "Usage:": "Usage:",
    "Arguments:": "Arguments:",
    "Options:": "Options:",
    "Commands:": "Commands:",
  },
  syntax: { "[options]": "[options]", "[command]": "[command]" },
  helpOption: "display help for command",
  helpCommand: "display help for command",
  choices: values => `choices: ${values}`,
  byDefault: value => `default: ${value}`,
  newHere: [
    "New here?",
    "  espalier demo   runs a small example in a new folder; it needs no agent and no key",
    "  espalier init   in your project: looks at what is there, writes espalier.yaml, offers a first task",
    "  espalier help topics   what there is to read, by topic",
  ],
  listsCommands: line => `(${line} lists the commands)`,
  showsCall: line => `(${line} shows how it is called)`,
  error: what => `error: ${what}`,
  didYouMean: names =>
    names.length > 1 ? `(Did you mean one of ${names.join(", ")}?)` : `(Did you mean ${names.join("")}?)`,
  unknownOption: flag => `unknown option '${flag}'`,
  unknownCommand: name => `unknown command '${name}'`,
  missingArgument: name => `missing required argument '${name}'`,
  missingValue: option => `option '${option}' argument missing`,
  missingOption: option => `required option '${option}' not specified`,
  emptyOption: option =>
    `option '${option}' is empty: give it a value, or leave it out (is a variable not set?)`,
  emptyArgument: name => `argument '${name}' is empty (is a variable not set?)`,
  tooMany: (command, expected, received, values) =>
    `too many arguments for '${command}'. Expected ${expected} argument${expected === 1 ? "" : "s"} but got ${received}: ${values}.`,
  badOption: (option, value, why) => `option '${option}' argument '${value}' is invalid. ${why}`,
  badArgument: (argument, value, why) =>
    `command-argument value '${value}' is invalid for argument '${argument}'. ${why}`,
  allowed: choices => `Allowed choices are ${choices}.`,
  values: {
    amount: "an amount in US dollars, such as 2.50",
    contextVersion: "a version: 3 or v3",
    days: "a number of days from 1 to 3650",
    deltaVersion: "a version: a number from 0 to 999999999",
    keep: "a number from 1 to 999999",
    level: "0 (all), 1 (detailed), 2 (brief) or 3 (key)",
    limit: "a number from 1 to 100000",
    parallel: 'a number from 1 to 1000, or "declared"',
    port: "a port from 1 to 65535",
    public:
      "an https address without a path, such as https://dash.example.org, or an http one on this machine",
    resource: "a name, or name=n with a number from 1 to 1000",
    seconds: "a number from 1 to 86400",
    slots: "a number from 1 to 256",
    tokens: "a number of tokens, 1 or more",
  },
};
