export { countTokens } from "./count.ts";
