import type { ReactElement } from "react";
import { visible } from "../../../src/text/visible.ts";

/** A foreign id or label: it is also a key, so it comes raw and is made visible here. */
export function shownId(id: string): string {
  return visible(id, 120);
}

/** The same as an element. */
export function Id({ id }: { readonly id: string }): ReactElement {
  return <span className="id">{shownId(id)}</span>;
}
