import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";

/** Pixels around what is seen in which everything is drawn. */
const MARGIN = 1200;

type Heard = (isNear: boolean) => void;
const listeners = new WeakMap<Element, Heard>();
let observer: IntersectionObserver | undefined;

function watch(element: Element, heard: Heard): () => void {
  observer ??= new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
    },
    { rootMargin: `${MARGIN}px 0px` },
  );
  listeners.set(element, heard);
  observer.observe(element);
  return () => observer?.unobserve(element);
}

/** Something long in a list, drawn only near to what is seen: elsewhere it takes the room that it took, or is thought to take. */
export function Chunk({
  guess,
  name,
  children,
}: {
  readonly guess: number;
  /** By which it is found. */
  readonly name: string;
  readonly children: () => ReactNode;
}): ReactElement {
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(guess);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    return watch(element, next => {
      if (!next && element.childElementCount > 0) height.current = element.offsetHeight;
      setIsNear(next);
    });
  }, []);
  return (
    <div ref={box} data-chunk={name} style={isNear ? undefined : { height: height.current }}>
      {isNear && children()}
    </div>
  );
}
