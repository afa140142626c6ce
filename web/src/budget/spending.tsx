import { type ReactElement, useEffect, useRef } from "react";
import "uplot/dist/uPlot.min.css";
import type { BudgetShape } from "../../../src/server/shapes/budget.ts";
import { clock, timesOf, tokens } from "../parts/amounts.ts";
import { useWords } from "../words/use-words.ts";

type Points = BudgetShape["spent"]["curve"];
type Maker = typeof import("uplot");
type Plot = InstanceType<Maker>;

const HEIGHT = 190;

/** A themed colour as a canvas knows it. */
function themed(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`;
  return getComputedStyle(element).color;
}

function draw(Uplot: Maker, element: HTMLElement, points: Points): Plot {
  const line = themed(element, "--accent");
  const quiet = themed(element, "--quiet");
  const rule = themed(element, "--rule");
  const axis = { stroke: quiet, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1 } };
  const stepped = Uplot.paths.stepped?.({ align: 1 });
  return new Uplot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false },
      scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.08)] } },
      axes: [
        // A time of day is eight digits wide; neighbours keep apart.
        { ...axis, space: 84, values: (_plot, values) => timesOf(values) },
        { ...axis, size: 56, values: (_plot, values) => values.map(value => tokens(value)) },
      ],
      series: [
        {},
        {
          stroke: line,
          fill: line.startsWith("rgb(")
            ? line.replace("rgb(", "rgba(").replace(")", ", 0.12)")
            : "transparent",
          width: 2,
          points: { show: points.length < 40 },
          ...(stepped === undefined ? {} : { paths: stepped }),
        },
      ],
    },
    [points.map(([at]) => at / 1000), points.map(([, sum]) => sum)],
    element,
  );
}

/** Draws again when the theme changes, and fits the width; the returned function ends that. */
function keepDrawn(Uplot: Maker, element: HTMLElement, points: Points): () => void {
  let plot = draw(Uplot, element, points);
  const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
  const theme = new MutationObserver(() => {
    plot.destroy();
    plot = draw(Uplot, element, points);
  });
  resize.observe(element);
  theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => {
    resize.disconnect();
    theme.disconnect();
    plot.destroy();
  };
}

/** Tokens in time, as a stepped curve. */
export function Spending({ points }: { readonly points: Points }): ReactElement {
  const { pages } = useWords();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let end = () => {};
    let gone = false;
    const load = async () => {
      const { default: Uplot } = await import("uplot");
      if (!gone && box.current !== null) end = keepDrawn(Uplot, box.current, points);
    };
    // It refuses to load where the browser's language is none that the platform knows; the numbers stand beside it anyway.
    load().catch(() => {});
    return () => {
      gone = true;
      end();
    };
  }, [points]);
  const last = points.at(-1);
  return (
    <div
      ref={box}
      className="plot"
      role="img"
      aria-label={
        last === undefined
          ? pages.overTime
          : `${pages.overTime}: ${clock(points[0]![0])} – ${clock(last[0])}, ${tokens(last[1])}`
      }
    />
  );
}
