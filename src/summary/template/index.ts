export { fillTemplate, templateProblems } from "./fill.ts";
export {
  type ConfiguredTemplates,
  configuredRules,
  defaultRules,
  type LevelRule,
  type LevelRules,
  templateLevel,
} from "./rules.ts";
