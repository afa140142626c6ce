import { type ReactElement, useEffect, useState } from "react";
import type { MachineNow, MachinesShape } from "../../../src/server/shapes/machines.ts";
import { span } from "../parts/amounts.ts";
import { Id } from "../parts/id.tsx";
import { read } from "../state/api.ts";
import { hrefOf } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";

/** Milliseconds between two questions: a machine that is gone moves nothing in the run. */
const PAUSE = 5000;

/** The machines of the hub of the run, asked again and again; of a run that is worked on here it is asked once. */
function useMachines(): MachinesShape | undefined {
  // Another run, or another process of it, may have another hub; before the first there is none.
  const run = useRun(({ shape }) => (shape?.run ? `${shape.run.id} ${shape.link.live}` : ""));
  const [value, setValue] = useState<MachinesShape>();
  useEffect(() => {
    if (run === "") return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let gone = false;
    const again = () => {
      if (!gone) timer = setTimeout(load, PAUSE);
    };
    const load = () => {
      read<MachinesShape>("machines").then(next => {
        if (!gone) setValue(next);
        if (next.hub !== undefined) again();
      }, again);
    };
    load();
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [run]);
  return value;
}

function Machine({ machine }: { readonly machine: MachineNow }): ReactElement {
  const { overview, locale } = useWords();
  const { machines: words } = overview;
  const { name, state, heard, slots, busy, tasks, agents, labels, offers, lost } = machine;
  const stands = {
    there: words.there,
    silent: words.silent(span(heard * 1000, locale)),
    draining: words.draining,
    full: words.full,
  };
  const has = [...agents, ...labels, ...offers.map(offer => words.offer(offer.name, offer.taken, offer.of))];
  return (
    <li className={`is-${state}`}>
      <strong>{name}</strong>
      <em>{stands[state]}</em>
      <span>{words.busy(busy, slots)}</span>
      {has.length > 0 && <small className="quiet">{has.join(" · ")}</small>}
      {lost > 0 && <small className="lost">{words.lost(lost)}</small>}
      {tasks.length > 0 && (
        <span className="does">
          {tasks.map(task => (
            <a key={task} href={hrefOf({ task })}>
              <Id id={task} />
            </a>
          ))}
        </span>
      )}
    </li>
  );
}

/** Who works for the hub of the run: what each machine does, what it offers, and what was lost with it. */
export function Machines(): ReactElement | undefined {
  const { overview } = useWords();
  const { machines: words } = overview;
  const found = useMachines();
  if (found?.hub === undefined) return undefined;
  const { machines, problem, waiting } = found;
  return (
    <section className="machines" aria-labelledby="machines">
      <h2 id="machines">
        {words.title} {machines.length > 0 && <b className="count">{machines.length}</b>}
      </h2>
      {problem !== undefined && <p className="quiet">{problem}</p>}
      {problem === undefined && machines.length === 0 && <p className="quiet">{words.none}</p>}
      <ul>
        {machines.map(machine => (
          <Machine key={machine.name} machine={machine} />
        ))}
      </ul>
      {waiting > 0 && <p className="quiet">{words.waiting(waiting)}</p>}
    </section>
  );
}
