import type { ComponentProps, ReactElement } from "react";

/**
 * A button that may have to wait: for the answer to its request, or for words to send. It then says that it is disabled and does
 * nothing, but keeps the focus: `disabled` would take it away at once, and who works by keyboard would begin again at the top.
 */
export function Button({
  waits,
  onClick,
  ...rest
}: ComponentProps<"button"> & { readonly waits: boolean }): ReactElement {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={waits}
      onClick={event => (waits ? event.preventDefault() : onClick?.(event))}
    />
  );
}
