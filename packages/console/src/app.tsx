import { lazy, type ReactNode, Suspense, useEffect, useRef } from "react";
import { Link, Route, Switch, useLocation } from "wouter";
import type { Live } from "./api/live.ts";
import { LiveContext } from "./api/live-context.ts";
import { useApi, useLiveQueries } from "./api/use-api.ts";
import { PendingConfigCount } from "./panels/pending-config.tsx";
import { waitingTotal } from "./parts/waiting-other.tsx";
import { ConnectionState } from "./parts/connection-state.tsx";
import { ErrorBoundary } from "./parts/error-boundary.tsx";
import { SignIn, SignInButton } from "./parts/sign-in.tsx";
import { Loading, Nothing } from "./parts/states.tsx";
import { ThemeSwitch } from "./parts/theme-switch.tsx";
import "./theme/layout.css";

const Catalog = lazy(() => import("./pages/catalog.tsx"));
const Tool = lazy(() => import("./pages/tool.tsx"));
const Policy = lazy(() => import("./pages/policy.tsx"));
const LivePage = lazy(() => import("./pages/live.tsx"));
const Agents = lazy(() => import("./pages/agents.tsx"));
const Connect = lazy(() => import("./pages/connect.tsx"));
const Changes = lazy(() => import("./pages/changes.tsx"));
const StoredTool = lazy(() => import("./pages/stored-tool.tsx"));
const Programs = lazy(() => import("./pages/programs.tsx"));
const OpenApi = lazy(() => import("./pages/openapi.tsx"));
const Sessions = lazy(() => import("./pages/sessions.tsx"));
const Canvases = lazy(() => import("./pages/canvases.tsx"));
const Automation = lazy(() => import("./pages/automation.tsx"));
const System = lazy(() => import("./pages/system.tsx"));

const places: readonly { readonly path: string; readonly name: string }[] = [
  { path: "/", name: "Catalog" },
  { path: "/agents", name: "Agents" },
  { path: "/policy", name: "Policy" },
  { path: "/live", name: "Live" },
  { path: "/sessions", name: "Sessions" },
  { path: "/automation", name: "Automation" },
  { path: "/changes", name: "Changes" },
  { path: "/system", name: "System" },
  { path: "/connect", name: "Connect" },
];

export function App({ live }: { readonly live: Live }): ReactNode {
  useLiveQueries(live);
  const [location] = useLocation();
  const first = useRef(location);
  useEffect(() => {
    const place = places.find(({ path }) => isAt(location, path));
    document.title = `${place?.name ?? "Not found"} · Toolrack`;
    // A new page starts at the top, with the keyboard focus.
    if (first.current !== location) {
      first.current = "";
      window.scrollTo(0, 0);
      document.getElementById("page")?.focus({ preventScroll: true });
    }
  }, [location]);
  return (
    <LiveContext value={live}>
      <a className="skip" href="#page">
        Skip to content
      </a>
      <header className="bar">
        <Link href="/" className="brand">
          Toolrack
        </Link>
        <nav aria-label="Pages">
          {places.map(({ path, name }) => (
            <Link key={path} href={path} aria-current={isAt(location, path) ? "page" : undefined}>
              {name}
              {path === "/live" && <WaitingCount />}
              {path === "/system" && <PendingConfigCount />}
            </Link>
          ))}
        </nav>
        <div className="bar-end">
          <ConnectionState live={live} />
          <SignInButton />
          <ThemeSwitch />
        </div>
      </header>
      <main id="page" tabIndex={-1}>
        <SignIn>
          <ErrorBoundary key={location}>
            <Suspense fallback={<Loading what="the page" />}>
              <Switch>
                <Route path="/" component={Catalog} />
                <Route path="/tools/:name/:about?">{({ name }) => <Tool name={decodeURIComponent(name)} />}</Route>
                <Route path="/policy" component={Policy} />
                <Route path="/agents" component={Agents} />
                <Route path="/connect" component={Connect} />
                <Route path="/live" component={LivePage} />
                <Route path="/sessions" component={Sessions} />
                <Route path="/canvases" component={Canvases} />
                <Route path="/automation" component={Automation} />
                <Route path="/changes" component={Changes} />
                <Route path="/system" component={System} />
                <Route path="/programs" component={Programs} />
                <Route path="/openapi" component={OpenApi} />
                <Route path="/stored-tool" component={StoredTool} />
                <Route>
                  <Nothing title="Page not found">Choose one from the navigation bar.</Nothing>
                </Route>
              </Switch>
            </Suspense>
          </ErrorBoundary>
        </SignIn>
      </main>
    </LiveContext>
  );
}

/** The number of what waits for a person, on every page. It takes no space, so that nothing moves when it appears. */
function WaitingCount(): ReactNode {
  const { data } = useApi("/approvals", { query: { limit: "1" } });
  const count = data === undefined ? 0 : waitingTotal(data) - data.drafts.length;
  return count === 0 ? null : (
    <span className="count">
      {count}
      <span className="only-read"> waiting</span>
    </span>
  );
}

/** Tools belong to the catalog, APIs that are added to the system, programs to what is live, and canvases to sessions. */
function isAt(location: string, path: string): boolean {
  if (location === "/openapi") return path === "/system";
  if (location === "/stored-tool") return path === "/";
  if (location === "/programs") return path === "/live";
  if (location === "/canvases") return path === "/sessions";
  return path === "/" ? location === "/" || location.startsWith("/tools/") : location === path || location.startsWith(`${path}/`);
}
