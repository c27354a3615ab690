import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { Link, useSearchParams } from "wouter";
import { ApiError, ask, pageOf } from "../api/client.ts";
import type { ToolDetails } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Badge, StateBadge } from "../parts/badge.tsx";
import { Facts } from "../parts/facts.tsx";
import { Json } from "../parts/json.tsx";
import { Parameters } from "../parts/parameters.tsx";
import { Failed, Loading } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import "./tool.css";

const TryIt = lazy(() => import("../panels/try-it.tsx"));
const Access = lazy(() => import("../panels/access.tsx"));
const Configuration = lazy(() => import("../panels/configuration.tsx"));
const Vendors = lazy(() => import("../panels/vendors.tsx"));
const Grammar = lazy(() => import("../panels/grammar.tsx"));
const History = lazy(() => import("../panels/history.tsx"));
const Definition = lazy(() => import("../panels/definition.tsx"));
const Program = lazy(() => import("../panels/program.tsx"));
const Overlay = lazy(() => import("../panels/overlay.tsx"));
const Calls = lazy(() => import("../panels/tool-calls.tsx"));

/** One tool: what it takes and gives, trying it, and everything around it. */
export default function Tool({ name }: { readonly name: string }): ReactNode {
  const { data: tool, error, refetch } = useApi("/tools/{name}", { params: { name } });
  const [place, setPlace] = useSearchParams();
  useEffect(() => {
    document.title = `${name} · Toolrack`;
  }, [name]);
  if (error !== null && tool === undefined)
    return (
      <>
        <h1>
          <code>{name}</code>
        </h1>
        {error instanceof ApiError && error.code === "TOOL_HELD" ? (
          <Suspense fallback={<Loading what="the definition" />}>
            <Definition tool={name} />
          </Suspense>
        ) : (
          <Failed error={error} onRetry={() => void refetch()} />
        )}
        <p>
          <Link href="/">Back to the catalog</Link>
        </p>
      </>
    );
  if (tool === undefined) return <Loading what={name} />;
  const show = (tab: string, more: Readonly<Record<string, string>> = {}): void => setPlace({ tab, ...more });
  const panel = (content: ReactNode): ReactNode => <Suspense fallback={<Loading what="this part" />}>{content}</Suspense>;
  return (
    <>
      <p className="small">
        <Link href="/">Catalog</Link>
      </p>
      <Head tool={tool} />
      <Tabs
        label={`About ${tool.name}`}
        current={place.get("tab") ?? "overview"}
        onChange={(tab) => show(tab)}
        tabs={[
          {
            id: "overview",
            name: "Overview",
            content: () => <Overview tool={tool} onUse={(index) => show("try", { example: String(index) })} />,
          },
          {
            id: "try",
            name: "Try it",
            content: () => panel(<TryIt key={place.get("example")} tool={tool} example={Number(place.get("example") ?? -1)} />),
          },
          ...(tool.source === "records"
            ? [{ id: "program", name: "Implementation", content: () => panel(<Program id={`tool-def-${tool.name}`} />) }]
            : []),
          { id: "access", name: "Who may use it", content: () => panel(<Access tool={tool.name} own={tool.explanation} />) },
          ...(tool.configurable
            ? [{ id: "configuration", name: "Configuration", content: () => panel(<Configuration tool={tool} />) }]
            : []),
          { id: "vendors", name: "Vendors", content: () => panel(<Vendors tool={tool} />) },
          { id: "grammar", name: "Grammar", content: () => panel(<Grammar tool={tool} />) },
          {
            id: "definition",
            name: "Trust",
            content: () =>
              panel(
                <>
                  <Definition tool={tool.name} />
                  {tool.overlay !== undefined && <Overlay overlay={tool.overlay} tool={tool.name} />}
                </>,
              ),
          },
          { id: "history", name: "History", content: () => panel(<History id={`tool-def-${tool.name}`} />) },
          { id: "calls", name: "Calls", content: () => panel(<Calls tool={tool.name} />) },
        ]}
      />
    </>
  );
}

function Head({ tool }: { readonly tool: ToolDetails }): ReactNode {
  const isOff = tool.state === "disabled";
  const toggle = useChange(
    () => ask(`POST /tools/{name}/${isOff ? "enable" : "disable"}`, { params: { name: tool.name }, ...(!isOff && { body: {} }) }),
    ["/tools", "/policy"],
  );
  const { readOnly, destructive } = tool.annotations ?? {};
  return (
    <header className="tool-head">
      <div>
        <h1>
          <code>{tool.name}</code>
          {tool.version !== undefined && <span className="soft"> {tool.version}</span>}
        </h1>
        <p>{tool.description}</p>
        <p className="badges">
          <StateBadge state={tool.state} />
          {tool.sourceFailed === true && <Badge meaning="bad">source failed</Badge>}
          {tool.asks && <Badge meaning="warn">needs approval</Badge>}
          {readOnly === true && <Badge>read-only</Badge>}
          {destructive === true && <Badge meaning="bad">destructive</Badge>}
          <span className="small soft">
            {[tool.category, `from ${tool.source}`, ...(tool.tags ?? [])].filter((part) => part !== undefined).join(" · ")}
          </span>
        </p>
        {tool.reason !== undefined && (
          <p className="reason">
            {tool.reason} {tool.state === "needs-configuration" && <WayOut tool={tool} />}
          </p>
        )}
        {toggle.error !== null && <p role="alert">{toggle.error.message}</p>}
      </div>
      <button type="button" disabled={toggle.isPending} onClick={() => toggle.mutate(undefined)}>
        {isOff ? "Enable" : "Disable"}
      </button>
    </header>
  );
}

/** To where it can be mended. */
function WayOut({ tool }: { readonly tool: ToolDetails }): ReactNode {
  if (tool.configurable) return <Link href={pageOf(tool.name, "?tab=configuration")}>Configure it</Link>;
  return <Link href="/system?tab=secrets">Set secrets</Link>;
}

function Overview({ tool, onUse }: { readonly tool: ToolDetails; readonly onUse: (example: number) => void }): ReactNode {
  const { examples = [], usageHint } = tool.metadata ?? {};
  return (
    <div className="overview">
      <section>
        <h2>Parameters</h2>
        <Parameters label="Parameters" schema={tool.inputSchema} empty="No parameters." />
      </section>
      {usageHint !== undefined && (
        <section>
          <h2>When to use it</h2>
          <p>{usageHint}</p>
        </section>
      )}
      <section>
        <h2>Examples</h2>
        {examples.length === 0 ? (
          <p className="soft">No examples.</p>
        ) : (
          <ul className="examples">
            {examples.map((example, index) => (
              <li key={index}>
                <div>
                  <p>{example.description}</p>
                  <Json label={`Input of example ${index + 1}`} value={example.input} />
                  {example.output !== undefined && (
                    <>
                      <p className="small soft">Output</p>
                      <Json label={`Output of example ${index + 1}`} value={example.output} />
                    </>
                  )}
                  {example.usage !== undefined && (
                    <p className="small soft">
                      Then: <code>{example.usage}</code>
                    </p>
                  )}
                </div>
                <button type="button" onClick={() => onUse(index)}>
                  Use this
                </button>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h2>Output</h2>
        {tool.outputSchema === undefined ? (
          <p className="soft">Text without a schema.</p>
        ) : (
          <Parameters label="Output" schema={tool.outputSchema} empty="A value without properties." />
        )}
      </section>
      <section>
        <h2>Details</h2>
        <Facts tool={tool} />
      </section>
      {tool.wrappers !== undefined && tool.wrappers.length > 0 && (
        <section>
          <h2>Wrappers</h2>
          <p className="code">{tool.wrappers.join(" › ")}</p>
        </section>
      )}
      <details>
        <summary>Raw data</summary>
        <Json
          label="The definition"
          value={{ inputSchema: tool.inputSchema, outputSchema: tool.outputSchema, metadata: tool.metadata, hash: tool.hash }}
        />
      </details>
    </div>
  );
}
