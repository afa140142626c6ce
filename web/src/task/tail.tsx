import { type ReactElement, useEffect, useLayoutEffect, useRef } from "react";
import { useRun } from "../state/run.ts";
import { follow } from "../state/stream.ts";
import { useWords } from "../words/use-words.ts";

/** What the agent says right now; stays at the end unless the person has scrolled up. */
export function Tail({ id }: { readonly id: string }): ReactElement {
  const words = useWords();
  const tail = useRun(state => state.tail);
  const box = useRef<HTMLPreElement>(null);
  const sticks = useRef(true);
  useEffect(() => {
    follow(id);
    return () => follow("");
  }, [id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines are what it scrolls for
  useLayoutEffect(() => {
    const element = box.current;
    if (element !== null && sticks.current) element.scrollTop = element.scrollHeight;
  }, [tail]);
  return (
    <section className="tail">
      <h3>
        <i className="pulse" /> {words.live}
      </h3>
      <pre
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-label={words.live}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          sticks.current = scrollHeight - scrollTop - clientHeight < 24;
        }}
      >
        {tail.lines.length === 0 ? words.liveEmpty : tail.lines.map(line => line.text).join("\n")}
      </pre>
    </section>
  );
}
