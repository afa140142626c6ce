import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

/** Shows the page in its place. */
export function show(): void {
  const place = document.getElementById("page");
  if (place === null) return;
  createRoot(place).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
