import { useCallback, useRef, useState } from "react";

/** The width of an element in pixels as it is laid out, told anew when it changes; 0 until it is there. */
export function useWidth(): readonly [ref: (element: Element | null) => void, width: number] {
  const [width, setWidth] = useState(0);
  const observer = useRef<ResizeObserver>(undefined);
  const ref = useCallback((element: Element | null) => {
    observer.current?.disconnect();
    if (element === null) return;
    const measure = () => setWidth(element.clientWidth);
    observer.current = new ResizeObserver(measure);
    observer.current.observe(element);
    measure();
  }, []);
  return [ref, width];
}
