import type { HubRefusalArgs, HubSaid, HubSilence } from "../../ports/index.ts";
import type { CatalogueOf } from "./catalogue.ts";

const ADDRESS = {
  unreadable: ["it cannot be read", "write it as https://hub.example.com:4748"],
  scheme: ["is not spoken", "it begins with https://"],
  plain: ["plain HTTP would show everything to the network", "use https://, or a tunnel to the loopback"],
  secret: ["it has a name or password in it", "the token goes elsewhere"],
  path: ["there is more than a pool behind the host", "write it as https://HOST/POOL"],
} as const;

const SILENT: Readonly<Record<HubSilence, (url: string, said: string) => string>> = {
  closed: url => `nothing answers at ${url}`,
  nowhere: url => `there is no such host: ${url}`,
  cut: url => `the connection to ${url} was cut`,
  silent: url => `${url} has not answered in time`,
  untrusted: (url, said) => `the certificate of ${url} is not trusted: ${said}`,
  plain: url => `what answers at ${url} speaks no HTTPS`,
  other: (url, said) => `${url}: ${said}`,
};

/** What a hub has said, or why it said nothing. */
export function hubWords({ code = "", said, url = "", how, status = 200 }: HubSaid): string {
  if (how !== undefined) return SILENT[how](url, said);
  if (code !== "no-hub") return SAID[code] ?? said;
  return status === 200 ? `${url} is no hub of this version` : `${url} is no hub: it answers with ${status}`;
}

const SAID: Readonly<Record<string, string>> = {
  "no-token": "the token is not known, was revoked, or has expired",
  superseded: "another start of this machine has taken its place",
};

const THEN: Readonly<Record<string, string>> = {
  "no-token": "ask whoever keeps the hub for a token: espalier hub token add",
  "wrong-role":
    "a machine has a token of its own, and so has a run: espalier hub token add NAME, for a run with --run",
  superseded: "a token is for one machine: give each its own, espalier hub token add NAME",
  "other-version": "bring both to the same version of espalier",
  trouble: "what espalier hub start prints there says why",
  "hub-full": "make room on the hub's disk, then call this again",
  untrusted:
    "where the certificate is your own, NODE_EXTRA_CA_CERTS names the file of the one that signed it",
  plain: "a hub on this machine, or behind a tunnel to it, is reached by http://",
  nowhere: "look whether the name in the address is right, and known to this machine",
  cut: "where the hub speaks HTTPS, its address begins with https://; else look whether it runs still",
  "no-hub": "look whether the address is right, and bring both to the same version of espalier",
};

/** Why a hub, a worker or whoever calls a hub does nothing, in English. */
export const ENGLISH_HUB: CatalogueOf<HubRefusalArgs> = {
  "listen-shape": ({ text }) => `--listen takes HOST:PORT, not ${text}`,
  "cert-with-key": () => "--cert and --key go together",
  "pem-unreadable": ({ said }) => `a certificate or its key cannot be read: ${said}`,
  "plain-for-others": ({ host }) => `${host} is seen by others: a hub there speaks HTTPS only`,
  "serve-https": () =>
    "give --cert and --key, or listen on 127.0.0.1 behind a proxy or a tunnel that has them",
  "folder-unmade": ({ path, said }) => `${path} cannot be made: ${said}`,
  "folder-elsewhere": () => "look whether you may write there, or name another folder",
  "hub-runs": ({ folder, pid }) =>
    `a hub serves ${folder} already${pid === undefined ? "" : ` (process ${pid})`}`,
  "hub-runs-then": () => "one is enough; a second one of its own has another folder: --state PATH",
  "room-or-rights": () => "look whether the disk has room, and whether you may write there",
  "needs-git": ({ by }) => `a ${by} needs git, which is not on PATH`,
  "no-listening": ({ at, said }) => `${at} cannot be listened on: ${said}`,
  "listen-elsewhere": () => "another hub may run there: --listen HOST:PORT takes another place",
  "name-shape": ({ of, text }) => `${of} has letters, digits, dots and dashes, 64 at most: ${text}`,
  "no-token-of": ({ name }) => `there is no token of ${name}`,
  "list-tokens": () => "espalier hub token list shows those there are",
  "tokens-unreadable": ({ path, said }) => `${path} cannot be read: ${said}`,
  "renew-tokens": () => "move it away and give every machine a new token",
  "tokens-unwritable": ({ path, said }) => `${path} cannot be written: ${said}`,
  "no-engine": ({ missing, folder }) => `the hub needs ${missing.join(" and ")}, which is not in ${folder}`,
  "install-engine": ({ missing }) => `npm install ${missing.join(" ")}`,
  "engine-not-started": ({ said }) =>
    `restate-server does not start: ${said === "" ? "no word of it" : said}`,

  "no-label": ({ label }) => `${label} is no label`,
  "label-shape": () => "letters, digits and . : / = - without spaces: --label gpu --label arch=arm64",
  "no-agent-here": () => "no agent that may run here is installed and logged in",
  "see-agents": () => "espalier agents shows what is looked for",
  "rules-refused": ({ path, at, said }) => `${path}${at === undefined ? "" : `:${at}`}: ${said}`,
  "rules-unreadable": ({ path, said }) => `${path} cannot be read: ${said}`,
  "rules-keys": ({ hint }) => hint ?? "espalier help many-machines has every key",

  "hub-address": ({ text, why }) =>
    `${text} is no address of a hub: ${why === "scheme" ? `${text.slice(0, text.indexOf(":") + 1)} ` : ""}${ADDRESS[why][0]}`,
  "hub-address-like": ({ why }) => ADDRESS[why][1],
  "machine-token": () => "whoever keeps the hub makes a token: espalier hub token add NAME",
  "hub-refused": hubWords,
  "hub-refused-then": ({ code = "", how = "other" }) =>
    THEN[how] ?? THEN[code] ?? "look whether espalier hub start runs there, and whether the address is right",
};
