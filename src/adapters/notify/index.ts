export { createCommandNotifier, type RunNotice } from "./command.ts";
export { createDesktopNotifier } from "./desktop.ts";
export { createSlackNotifier } from "./slack.ts";
export { createTerminalNotifier } from "./terminal.ts";
export { createWebhookNotifier } from "./webhook.ts";
