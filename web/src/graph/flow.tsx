import {
  Background,
  BackgroundVariant,
  BaseEdge,
  type Edge,
  type EdgeProps,
  MiniMap,
  Panel,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { type ReactElement, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { TaskCard, TaskNow } from "../../../src/server/shapes/run.ts";
import { useKey } from "../state/keys.ts";
import { go } from "../state/route.ts";
import { current, useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { type Filter, isFiltering, matches } from "./filter.ts";
import { useFolding } from "./folding.ts";
import { CARD, type Layout, layOut, type Placed, relatives } from "./layout.ts";
import { LaneNode, type LaneNodeType, TaskNode, type TaskNodeType } from "./nodes.tsx";
import { cardTitles } from "./titles.ts";
import { laneNode, wirePath } from "./wires.ts";

const NODE_TYPES = { task: TaskNode, lane: LaneNode };
const EDGE_TYPES = { via: ViaEdge };
/** Zoom below which cards are hard to read, and the one at which a part is looked at instead of the whole. */
const READABLE = 0.75;
const CLOSE = 0.95;

type Nodes = TaskNodeType | LaneNodeType;

function handles(width: number, height: number) {
  const y = height / 2;
  return [
    { type: "target" as const, position: Position.Left, x: 0, y, width: 1, height: 1 },
    { type: "source" as const, position: Position.Right, x: width, y, width: 1, height: 1 },
  ];
}

function nodesOf(
  layout: Layout,
  titles: ReadonlyMap<string, string>,
  lit: ReadonlySet<string> | undefined,
  task: string,
  isSearch: boolean,
  toggle: (label: string) => void,
): Nodes[] {
  const fixed = { draggable: false, connectable: false, deletable: false } as const;
  const lanes = layout.lanes.map(
    (lane): LaneNodeType => ({
      id: laneNode(lane.label),
      type: "lane",
      position: { x: lane.x, y: lane.y },
      width: lane.width,
      height: lane.height,
      measured: { width: lane.width, height: lane.height },
      handles: handles(lane.width, lane.height),
      zIndex: lane.folded ? 1 : -1,
      focusable: false,
      selectable: false,
      data: { lane, found: isSearch ? lane.members.filter(id => lit?.has(id)) : undefined, toggle },
      ...fixed,
    }),
  );
  const cards = layout.cards.map(
    ({ id, x, y }): TaskNodeType => ({
      id,
      type: "task",
      position: { x, y },
      width: CARD.width,
      height: CARD.height,
      measured: { width: CARD.width, height: CARD.height },
      handles: handles(CARD.width, CARD.height),
      zIndex: 2,
      // What it says is its name: everything about it stands in it.
      ariaRole: "button",
      domAttributes: { "aria-roledescription": undefined, "aria-describedby": undefined },
      data: { id, title: titles.get(id) ?? "", dim: lit !== undefined && !lit.has(id), open: id === task },
      ...fixed,
    }),
  );
  return [...lanes, ...cards];
}

type WireEdge = Edge<{ readonly via: number }, "via">;

/** A wire that passes what stands between its ends. */
function ViaEdge({ sourceX, sourceY, targetX, targetY, data, style }: EdgeProps<WireEdge>): ReactElement {
  const path = wirePath({ x: sourceX, y: sourceY }, { x: targetX, y: targetY }, data?.via ?? sourceY);
  return <BaseEdge path={path} interactionWidth={0} {...(style === undefined ? {} : { style })} />;
}

function edgesOf(layout: Layout, lit: ReadonlySet<string> | undefined): Edge[] {
  return layout.wires.map(({ from, to, critical, count, loose, via }) => {
    const isLit = lit?.has(from) === true && lit.has(to);
    const name = isLit ? " is-lit" : lit === undefined ? "" : " is-dim";
    return {
      id: JSON.stringify([from, to]),
      source: from,
      target: to,
      ...(via === undefined ? { type: "default" } : { type: "via", data: { via } }),
      className: `wire${loose ? " is-loose" : ""}${critical ? " is-critical" : ""}${name}`,
      ariaLabel: `${from} → ${to}`,
      focusable: false,
      selectable: false,
      zIndex: isLit ? 1 : 0,
      ...(count > 1 ? { style: { strokeWidth: Math.min(4, 1.4 + Math.log2(count) / 2) } } : {}),
    };
  });
}

/** Of the cards that are drawn, the one that is looked at first: one that runs, else one that waits for a person, else what comes next. */
function firstTelling({ cards }: Layout, tasks: ReadonlyMap<string, TaskNow>): Placed | undefined {
  for (const status of ["in_progress", "paused", "failed", "ready"] as const) {
    const found = cards.find(({ id }) => tasks.get(id)?.status === status);
    if (found !== undefined) return found;
  }
  return undefined;
}

const NO_PLAN: readonly TaskCard[] = [];
const NO_PHASES: readonly { label: string; title: string }[] = [];

function Flow({ filter, task }: { readonly filter: Filter; readonly task: string }): ReactElement {
  const words = useWords();
  const plan = useRun(state => state.shape?.plan ?? NO_PLAN);
  const phases = useRun(state => state.shape?.phases ?? NO_PHASES);
  // States matter to the layout only while they are filtered by.
  const tasks = useRun(state => (isFiltering(filter) ? state.tasks : undefined));
  const labels = useMemo(() => phases.map(phase => phase.label), [phases]);
  const { folded, fold, toggle, opened } = useFolding(plan, labels, task);
  const [hovered, setHovered] = useState("");
  const flow = useReactFlow();
  const box = useRef<HTMLDivElement>(null);
  const moved = useRef(false);

  const layout = useMemo(() => layOut(phases, plan, folded), [phases, plan, folded]);
  const lit = useMemo(() => {
    if (tasks !== undefined)
      return new Set(plan.filter(card => matches(filter, card, tasks.get(card.id))).map(card => card.id));
    const centre = hovered || task;
    return centre === "" ? undefined : relatives(plan, centre);
  }, [plan, tasks, filter, hovered, task]);
  const titles = useMemo(() => cardTitles(plan), [plan]);
  const nodes = useMemo(
    () => nodesOf(layout, titles, lit, task, tasks !== undefined, toggle),
    [layout, titles, lit, task, tasks, toggle],
  );
  const edges = useMemo(() => edgesOf(layout, lit), [layout, lit]);

  const fit = useCallback(
    (duration: number) => void flow.fitView({ padding: 0.06, maxZoom: 1, duration }),
    [flow],
  );
  /** The whole where it can be read so; else what matters most: the open task, what runs, what comes next. */
  const look = useCallback(async () => {
    await flow.fitView({ padding: 0.06, maxZoom: 1 });
    if (flow.getZoom() >= READABLE) return;
    const centre = (x: number, y: number, duration = 0) =>
      void flow.setCenter(x, y, { zoom: CLOSE, ...(duration === 0 ? {} : { duration }) });
    const card = layout.cards.find(one => one.id === task);
    if (card !== undefined) return centre(card.x + CARD.width / 2, card.y + CARD.height / 2, 250);
    const label = opened.current || current().shape?.run?.phase;
    const lane = layout.lanes.find(one => one.label === label && !one.folded);
    if (lane !== undefined) {
      await flow.fitBounds(lane, { padding: 0.04 });
      if (flow.getZoom() >= READABLE) {
        if (flow.getZoom() > 1)
          void flow.setCenter(lane.x + lane.width / 2, lane.y + lane.height / 2, { zoom: 1 });
        return;
      }
    }
    const first = opened.current === "" ? firstTelling(layout, current().tasks) : undefined;
    if (first !== undefined) return centre(first.x + CARD.width * 1.5, first.y + CARD.height);
    if (lane !== undefined) centre(lane.x + lane.width / 2, 0);
  }, [flow, layout, task, opened]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another layout is looked at whole
  useEffect(() => {
    moved.current = false;
    const frame = requestAnimationFrame(() => void look());
    return () => cancelAnimationFrame(frame);
  }, [layout]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const resize = new ResizeObserver(() => {
      if (!moved.current) void look();
    });
    resize.observe(element);
    return () => resize.disconnect();
  }, [look]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what moves while it is looked at is not followed
  useEffect(() => {
    if (!isFiltering(filter) || lit === undefined || lit.size === 0) return;
    const shown = nodes.filter(node =>
      node.type === "task" ? lit.has(node.id) : node.data.lane.folded && node.data.found?.length !== 0,
    );
    if (shown.length > 0) void flow.fitView({ nodes: shown, padding: 0.2, maxZoom: 1, duration: 250 });
  }, [filter, flow, layout]);
  const press = useCallback(
    (key: string) => {
      if (key === "f") fit(250);
      return key === "f";
    },
    [fit],
  );
  useKey(press);

  const descriptions = useMemo(
    () => ({
      "node.a11yDescription.default": words.opensCard,
      "node.a11yDescription.keyboardDisabled": words.opensCard,
      "edge.a11yDescription.default": "",
    }),
    [words],
  );
  const allFolded = folded.size >= labels.length;
  return (
    <ReactFlow<Nodes>
      ref={box}
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      onlyRenderVisibleElements
      nodesDraggable={false}
      nodesConnectable={false}
      elementsSelectable={false}
      minZoom={0.05}
      maxZoom={1.6}
      fitView
      fitViewOptions={{ padding: 0.06, maxZoom: 1 }}
      onMoveStart={event => {
        // Only a person's own move comes with an event; then it is theirs to say what is looked at.
        if (event !== null) moved.current = true;
      }}
      proOptions={{ hideAttribution: true }}
      onNodeClick={(_event, node) => node.type === "task" && go({ task: node.id })}
      onNodeMouseEnter={(_event, node) => node.type === "task" && setHovered(node.id)}
      onNodeMouseLeave={() => setHovered("")}
      onPaneClick={() => go({ task: "" })}
      onKeyDown={event => {
        const id = (event.target as HTMLElement).dataset["id"];
        if ((event.key === "Enter" || event.key === " ") && id !== undefined) go({ task: id });
      }}
      aria-label={words.view.graph}
      ariaLabelConfig={descriptions}
    >
      <Background variant={BackgroundVariant.Dots} gap={22} size={1} />
      {plan.length > 30 && (
        <MiniMap
          pannable
          zoomable
          ariaLabel={null}
          style={{ width: 150, height: 96 }}
          nodeClassName={node => (node.type === "task" ? "mini-task" : "mini-lane")}
        />
      )}
      <Panel position="bottom-left" className="zoom">
        <button
          type="button"
          title={words.zoomIn}
          aria-label={words.zoomIn}
          onClick={() => void flow.zoomIn()}
        >
          +
        </button>
        <button
          type="button"
          title={words.zoomOut}
          aria-label={words.zoomOut}
          onClick={() => void flow.zoomOut()}
        >
          −
        </button>
        <button type="button" aria-keyshortcuts="f" title="f" onClick={() => fit(250)}>
          {words.fit}
        </button>
        {labels.length > 1 && (
          <button type="button" onClick={() => fold(allFolded ? new Set() : new Set(labels))}>
            {allFolded ? words.expandAll : words.collapseAll}
          </button>
        )}
      </Panel>
    </ReactFlow>
  );
}

/** The graph: phases as lanes, tasks as cards, dependencies as wires. */
export function GraphFlow(props: { readonly filter: Filter; readonly task: string }): ReactElement {
  return (
    <ReactFlowProvider>
      <Flow {...props} />
    </ReactFlowProvider>
  );
}
