import type { ReactElement } from "react";

/** A text of several lines in a box of its own. It may scroll, so it can be reached by keyboard. */
export function Block({
  text,
  className,
}: {
  readonly text: string;
  readonly className?: string;
}): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <pre tabIndex={0} className={className}>
      {text}
    </pre>
  );
}
