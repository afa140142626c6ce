export { fillTemplate, templateProblems } from "./fill.ts";
export { defaultRules, type LevelRule, type LevelRules } from "./rules.ts";
