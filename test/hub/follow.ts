import type { Fleet, Order, Report } from "../../src/ports/index.ts";
import { order } from "../order.ts";

/** The order that tests follow unless they say otherwise. */
export const ID = "tokenx/1";
/** An order for the scripted agent: what it is to do. */
export const given = (message: string, id: string = ID): Order => order({ agent: "scripted", message, id });

/** Follows until a report of this type, and returns all up to it. */
export async function until(
  fleet: Fleet,
  type: Report["event"]["type"],
  from = 1,
  id: string = ID,
): Promise<Report[]> {
  const reports: Report[] = [];
  for await (const report of fleet.follow(id, from)) {
    reports.push(report);
    if (report.event.type === type) return reports;
  }
  throw new Error(`no ${type} among ${JSON.stringify(reports.map(({ event }) => event.type))}`);
}

/** Why an order is lost, where its last report says so. */
export const whyLost = (reports: readonly Report[]): string => {
  const last = reports.at(-1)?.event;
  return last?.type === "lost" ? last.why : `${last?.type}`;
};
