import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { keepUp } from "./state/stream.ts";
import { applyTheme } from "./theme.ts";
import "./style/base.css";
import "./style/overview.css";
import "./style/graph.css";
import "./style/panel.css";
import "./style/pages.css";

applyTheme();
void keepUp();
const page = document.getElementById("page");
if (page !== null)
  createRoot(page).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
