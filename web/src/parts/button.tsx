import type { ComponentProps, ReactElement } from "react";

/**
 * A button that may have to wait: for the answer to its request, or for words to send. It then says that it is disabled and does
 * nothing, but keeps the focus: `disabled` would take it away at once, and who works by keyboard would begin again at the top.
 * It acts, and is not offered to who may only look (`access.css`), unless it `looks`.
 */
export function Button({
  waits,
  looks,
  onClick,
  ...rest
}: ComponentProps<"button"> & { readonly waits: boolean; readonly looks?: true }): ReactElement {
  return (
    <button
      type="button"
      data-act={looks === undefined ? "" : undefined}
      {...rest}
      aria-disabled={waits}
      onClick={event => (waits ? event.preventDefault() : onClick?.(event))}
    />
  );
}
