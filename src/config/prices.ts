import { listPrice, type Prices } from "../budget/index.ts";
import type { AgentConfig } from "./agents.ts";

/**
 * Prices by agent: those of the configuration, by the agent's name or by that of its model, else what the model's vendor asks for
 * it. Whoever is told no model has none but the configuration's `default`.
 */
export function agentPrices(given: Prices, agents: Readonly<Record<string, AgentConfig>>): Prices {
  const known = Object.entries(agents).flatMap(([name, { model }]) => {
    if (model === undefined || Object.hasOwn(given, name)) return [];
    const price = Object.hasOwn(given, model) ? given[model] : listPrice(model);
    return price === undefined ? [] : [[name, price] as const];
  });
  return known.length === 0 ? given : { ...given, ...Object.fromEntries(known) };
}
