import type { ContextWords } from "./context-words.ts";

/** What the commands of the shared context say, in English. */
export const ENGLISH_CONTEXT: ContextWords = {
  standing: {
    ended: "ended",
    unanswering: "cannot answer",
    new: "new",
    lost: "lost",
    stale: "STALE",
    updating: "updating",
    behind: "behind",
    current: "current",
  },
  published: (version, hash, by) => `${version} ${hash}, from ${by}`,
  merged: (base, show) => `merged with what others published since v${base}; to have all of it: ${show}`,
  unchanged: version => `nothing new, still ${version}`,
  unchangedSince: (since, current, number) =>
    `nothing new since v${since}: ${current} has what others wrote since, and stays (in its place: --base ${number})`,
  tellNow: names => `concerns ${names}`,
  tellLater: names => `at their next task: ${names}`,
  bring: command => `bring it: ${command}`,
  toldByRun: names => `told by the run, with their next tool call or at the end of their turn: ${names}`,
  withTask: teammate => `give ${teammate} its task along with it`,
  goesOn: teammate => `${teammate} goes on`,
  answer: command => `its answer goes to: ${command}`,
  watching: file => `watching ${file}; Ctrl+C ends it`,
  nobody: "nobody is in the team yet",
  nothing: "nothing has been published yet",
  columns: {
    label: "label",
    teammate: "teammate",
    standing: "standing",
    holds: "holds",
    proof: "proof",
    current: "current",
    onItsWay: "on its way",
    tokens: "tokens sent",
  },
  proof: { hash: "hash", read: "read", word: "word", none: "none" },
  holds: (version, proof, since) => `holds ${version} (${proof}) since ${since}`,
  holdsNothing: "has proved nothing yet",
  sent: (messages, tokens, last) =>
    `${tokens} tokens in ${messages} ${messages === 1 ? "message" : "messages"}, the last ${last}`,
  since: (version, hash, by, at) => `${version} ${hash}, by ${by}, ${at}`,
  waits: (version, why) => `${version} waits: ${why}`,
  why: {
    paused: ({ resume }) => `it asked for a person; when you have answered: ${resume}`,
    unanswered: ({ sentAt, serial }) => `sent at ${sentAt} (#${serial}), not answered yet`,
    gate: ({ gate }) => `gate ${gate} is open; it goes out after it`,
    silent: ({ times }) => `no answer to ${times} messages; it goes out when it is heard of`,
    begins: ({ isAtWork, update }) =>
      isAtWork ? "it is given it with its first message" : `it has only begun; bring it: ${update}`,
    lost: ({ update }) =>
      `its context was lost; the whole document goes with what it is told next, or by ${update}`,
    fetches: ({ isAtWork, update }) =>
      isAtWork ? "it is told with its next tool call or at the end of its turn" : `bring it: ${update}`,
    unconcerned: () => "it does not concern it; it goes along with its next task",
  },
  paused: "asks for a person",
  removed: "(removed)",

  noContext: {
    message: "nothing has been published in this project yet",
    hint: "espalier context publish GC FILE publishes the first version",
  },
  unknownLabel: (label, known, guess) => ({
    message: `no document is called ${label}`,
    hint:
      known === ""
        ? "espalier context publish LABEL FILE publishes the first version"
        : `known: ${known}${guess === undefined ? "" : `; did you mean ${guess}?`}`,
  }),
  badLabel: label => ({
    message: `${label} cannot stand in messages as a document's name`,
    hint: "a label has 1 to 64 letters, digits, _, . and -, and begins with a letter, a digit or _",
  }),
  unknownTeammate: (teammate, known) => ({
    message: `${teammate} is not in the team`,
    hint:
      known === "" ? "espalier context update LABEL --to NAME brings in the first" : `in the team: ${known}`,
  }),
  whose: candidates => ({
    message: "it is not clear who said this",
    hint:
      candidates === ""
        ? "nobody is in the team"
        : `name the teammate: espalier context ack NAME; in the team: ${candidates}`,
  }),
  noWords: {
    message: "nothing in it is meant for the lead",
    hint: "expected a line such as: [ACK-UPDATE] GC-v4 received. Items: 3/3. Impact: NONE. Action: CONTINUE",
  },
  noFile: label => ({
    message: `it is not known which file ${label} is published from`,
    hint: `espalier context publish ${label} FILE`,
  }),
  noVersion: (label, version, newest) => ({
    message: `there is no ${label}-v${version}; the newest is ${label}-v${newest}`,
    hint: `espalier context show ${label}`,
  }),
  noSuchName: (name, names) => ({
    message: `there is no document and no task called ${name}`,
    hint: names,
  }),
  noResult: task => ({
    message: `${task} has left no answer yet`,
    hint: `espalier task show ${task} tells where it stands`,
  }),
  notKept: (label, version) => ({
    message: `the text of ${label}-v${version} is no longer kept`,
    hint: "context.keepVersions in espalier.yaml says how many are; what a teammate holds is kept besides",
  }),
  clash: (label, base, current) => ({
    message: `${label}-v${current} and yours both changed the same section since v${base}; nothing was published`,
    hint: `bring both together on ${label}-v${current}, then publish with --base ${current}`,
  }),
  unknownBase: (label, base) => ({
    message: `the text of ${label}-v${base} is no longer kept, so nothing can be merged`,
    hint: `start from the current version: espalier context show ${label}`,
  }),
  notUnicode: { message: "the text holds half a surrogate pair: UTF-8 cannot carry it" },
  tooLarge: { message: "the document has more than 32,000,000 characters" },
  badName: message => ({
    message,
    hint: "a name has 1 to 80 visible characters and no comma before a blank",
  }),
  store: message => ({
    message: `the state cannot be read: ${message}`,
    hint: "espalier doctor looks at it",
  }),
  noAnswer: message => ({ message, hint: "espalier status shows what runs here" }),
  theirs: version => version,
  yours: "yours",
};
