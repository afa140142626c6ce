import { lazy, type ReactElement, Suspense, useEffect, useState } from "react";
import type { AccessShape } from "../../../src/server/shapes/access.ts";
import { useRun } from "../state/run.ts";
import { leave, readAccess } from "./ask.ts";
import { useAccessWords } from "./words.ts";

const Devices = lazy(async () => ({ default: (await import("./devices.tsx")).Devices }));

/** Who looks at this page: the owner lets others in, a device may log out, a link only shows. */
export function Door(): ReactElement | null {
  const words = useAccessWords();
  const line = useRun(state => state.line);
  const [role, setRole] = useState<AccessShape["role"]>();
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (line !== "live") return;
    readAccess().then(
      shape => setRole(shape?.role),
      () => {},
    );
  }, [line]);
  useEffect(() => {
    document.body.dataset["role"] = role ?? "";
  }, [role]);
  if (role === undefined) return null;
  if (role === "viewer") return <span className="pill">{words.readOnly}</span>;
  if (role === "paired")
    return (
      <button type="button" onClick={() => void leave()}>
        {words.leave}
      </button>
    );
  return (
    <>
      <button
        type="button"
        title={words.devices}
        aria-label={words.devices}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        <svg viewBox="0 0 16 16" width="14" height="14" fill="none" stroke="currentColor" aria-hidden="true">
          <rect x="4" y="1.5" width="8" height="13" rx="1.5" />
          <path d="M7 12.5h2" />
        </svg>
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <Devices onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
