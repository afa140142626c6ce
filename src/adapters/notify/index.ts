export { createCommandNotifier, type RunNotice } from "./command.ts";
export { createSlackNotifier } from "./slack.ts";
export { createWebhookNotifier } from "./webhook.ts";
