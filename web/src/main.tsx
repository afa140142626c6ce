import { keepUp } from "./state/stream.ts";
import { applyTheme } from "./theme.ts";
import "./access/access.css";
import "./style/base.css";
import "./style/states.css";
import "./style/header.css";
import "./style/overview.css";
import "./style/graph.css";
import "./style/list.css";
import "./style/panel.css";
import "./style/pages.css";
import "./style/budget.css";

// The state is asked for before the page is there to show it: the server works on it while the page is compiled.
applyTheme();
void keepUp();
void import("./page.tsx").then(({ show }) => show());
