import { fail, type Notifier, ok } from "../../ports/index.ts";
import { isUrgent, type Locale, noticeParts } from "../../text/index.ts";
import { callProgram, findProgram } from "../process/index.ts";

/** Milliseconds in which a notice is on the screen, or is not. */
const LONGEST = 5000;
/** Characters that a bubble has room for. */
const ROOM = 600;
/** What these programs need to find the person's session. */
const NEEDED = [
  "PATH",
  "HOME",
  "LANG",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "DBUS_SESSION_BUS_ADDRESS",
  "XDG_RUNTIME_DIR",
  "XAUTHORITY",
];

interface Bubble {
  readonly title: string;
  readonly body: string;
  readonly urgent: boolean;
}

/** A program that shows a bubble, and its arguments for one. */
interface Desktop {
  readonly file: string;
  readonly args: (bubble: Bubble) => readonly string[];
}

/** Bodies are read as markup by most of the programs that draw them. */
function unmarked(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Texts are arguments of the script, and never part of it. */
const SCRIPT = [
  "on run argv",
  "display notification (item 2 of argv) with title (item 1 of argv)",
  "end run",
].flatMap(line => ["-e", line]);

/** What shows notices on this desktop; undefined where there is none. */
function desktopOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Desktop | undefined {
  const path = env["PATH"];
  if (platform === "darwin") {
    const found = findProgram("osascript", { path });
    return found.ok ? { file: found.value, args: ({ title, body }) => [...SCRIPT, title, body] } : undefined;
  }
  if ((env["DISPLAY"] ?? "") === "" && (env["WAYLAND_DISPLAY"] ?? "") === "") return undefined;
  const found = findProgram("notify-send", { path });
  if (!found.ok) return undefined;
  const args = ({ title, body, urgent }: Bubble) => [
    "--app-name=Espalier",
    `--urgency=${urgent ? "critical" : "normal"}`,
    "--",
    title,
    unmarked(body),
  ];
  return { file: found.value, args };
}

export interface DesktopOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly locale: Locale;
  readonly platform?: NodeJS.Platform;
}

/** Shows a bubble on the desktop; undefined where there is no desktop, or nothing that shows one. */
export function createDesktopNotifier(options: DesktopOptions): Notifier | undefined {
  const { env, locale, platform = process.platform } = options;
  const desktop = desktopOf(env, platform);
  if (desktop === undefined) return undefined;
  const own = Object.fromEntries(
    NEEDED.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])),
  ) as Record<string, string>;
  return {
    portVersion: 2,
    name: "desktop",
    async notify(message) {
      const { title, body } = noticeParts(message, locale);
      const bubble = { title, body: body.slice(0, ROOM), urgent: isUrgent(message.notices[0]!) };
      const end = await callProgram({
        file: desktop.file,
        args: desktop.args(bubble),
        cwd: "/",
        env: own,
        input: "",
        longestMs: LONGEST,
        mostBytes: 64 * 1024,
      });
      return end.code === 0 ? ok(undefined) : fail(`${desktop.file}: ${end.why}`);
    },
  };
}
