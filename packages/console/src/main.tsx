import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { signIn } from "./api/client.ts";
import { createLive } from "./api/live.ts";
import { followSignInLinks, signInByLink } from "./api/sign-in-link.ts";
import { createQueries } from "./api/use-api.ts";
import { applyTheme, readTheme } from "./theme/theme.ts";
import "./theme/tokens.css";
import "./theme/base.css";

applyTheme(readTheme());
signIn.problem = await signInByLink();
followSignInLinks();
const queries = createQueries();
const live = createLive();

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App live={live} />
    </QueryClientProvider>
  </StrictMode>,
);
