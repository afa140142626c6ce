import { useSyncExternalStore } from "react";
import { VIEWS, type View } from "./views.ts";

/** What is looked at; it stands in the fragment, so that reload and back work. */
export interface Route {
  readonly view: View;
  /** The task whose panel is open. */
  readonly task: string;
  /** What is opened within the view. */
  readonly item: string;
}

function parse(hash: string): Route {
  const [path = "", search = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const query = new URLSearchParams(search);
  const view = VIEWS.find(name => name === path) ?? VIEWS[0];
  return { view, task: query.get("task") ?? "", item: query.get("item") ?? "" };
}

let hash = location.hash;
let route = parse(hash);

function snapshot(): Route {
  if (location.hash !== hash) {
    hash = location.hash;
    route = parse(hash);
  }
  return route;
}

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  return () => removeEventListener("hashchange", listener);
}

/** What is looked at. */
export function useRoute(): Route {
  return useSyncExternalStore(subscribe, snapshot);
}

/** The fragment of a place. */
export function hrefOf(to: Partial<Route>): string {
  const { view, task, item } = { ...snapshot(), ...to };
  const query = new URLSearchParams({ ...(task && { task }), ...(item && { item }) }).toString();
  return `#/${view}${query === "" ? "" : `?${query}`}`;
}

/** Goes somewhere else. */
export function go(to: Partial<Route>): void {
  location.hash = hrefOf(to);
}
