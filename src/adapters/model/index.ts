export { type AiSdkOptions, createAiSdkModel } from "./ai-sdk.ts";
