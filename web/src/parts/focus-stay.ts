import { type FocusEvent, type RefObject, useEffect, useRef } from "react";

/**
 * For a part whose buttons go once they are pressed: the focus of whoever pressed one stays in it, at what `anchor` stands for.
 * A button must not be disabled while its request is under way: it would lose the focus at once.
 */
export function useFocusStay<T extends HTMLElement>(): {
  readonly anchor: RefObject<T | null>;
  readonly stay: { onFocus: () => void; onBlur: (event: FocusEvent) => void };
} {
  const anchor = useRef<T>(null);
  const isInside = useRef(false);
  useEffect(() => {
    if (isInside.current && document.activeElement === document.body)
      anchor.current?.focus({ preventScroll: true });
  });
  return {
    anchor,
    stay: {
      onFocus: () => {
        isInside.current = true;
      },
      onBlur: ({ relatedTarget, target }) => {
        if (relatedTarget !== null || target.isConnected) isInside.current = false;
      },
    },
  };
}
