import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { ApiError, segment } from "../api/client.ts";
import { follow } from "../api/sse.ts";
import type { AgentInfo, JsonSchema, ToolDetails, ToolResult } from "../api/types.ts";
import { useApi } from "../api/use-api.ts";
import { Badge } from "../parts/badge.tsx";
import { ResultView } from "../parts/result.tsx";
import { Loading } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import "./try-it.css";

const SchemaForm = lazy(() => import("../parts/schema-form.tsx"));
const JsonEditor = lazy(() => import("../parts/json-editor.tsx"));

interface Run {
  readonly progress: readonly string[];
  readonly callId?: string;
  readonly result?: ToolResult;
  readonly problem?: string;
  readonly isRunning: boolean;
}

const idle: Run = { progress: [], isRunning: false };

/** A form for the tool's input, as any agent; what happens is shown as it happens. */
export default function TryIt({ tool, example }: { readonly tool: ToolDetails; readonly example: number }): ReactNode {
  const [input, setInput] = useState<unknown>(() => tool.metadata?.examples?.[example]?.input ?? {});
  const [mode, setMode] = useState("form");
  const [agent, setAgent] = useState("");
  const [run, setRun] = useState<Run>(idle);
  const stop = useRef<AbortController | undefined>(undefined);
  const agents = useApi<{ readonly agents: readonly AgentInfo[] }>("/agents");

  async function start(value: unknown): Promise<void> {
    const controller = (stop.current = new AbortController());
    setRun({ ...idle, isRunning: true });
    try {
      const body = { input: value ?? {}, ...(agent !== "" && { run_as: { agent } }) };
      for await (const { event, data } of follow("POST", `/tools/${segment(tool.name)}/call`, { body, signal: controller.signal })) {
        if (event === "started") setRun((now) => ({ ...now, callId: (data as { callId: string }).callId }));
        if (event === "progress") setRun((now) => ({ ...now, progress: [...now.progress.slice(-50), showProgress(data)] }));
        if (event === "result") setRun((now) => ({ ...now, result: data as ToolResult, isRunning: false }));
      }
    } catch (error) {
      const problem = controller.signal.aborted ? "Cancelled." : (error as Error).message;
      const issues = error instanceof ApiError ? error.issues : [];
      setRun((now) => ({ ...now, isRunning: false, problem, ...(issues.length > 0 && { result: asResult(tool.name, problem, issues) }) }));
    }
  }

  const issues = run.result?.issues ?? [];
  const buttons = (
    <div className="buttons">
      <button type="submit" className="primary" disabled={run.isRunning} {...(mode === "json" && { onClick: () => void start(input) })}>
        {run.isRunning ? "Running …" : "Run"}
      </button>
      <button type="button" disabled={!run.isRunning} onClick={() => stop.current?.abort()}>
        Cancel
      </button>
      <label>
        as{" "}
        <select value={agent} onChange={({ target }) => setAgent(target.value)} aria-label="Run as agent">
          <option value="">myself</option>
          {agents.data?.agents.map(({ id }) => (
            <option key={id} value={id}>
              {id}
            </option>
          ))}
        </select>
      </label>
    </div>
  );

  return (
    <div className="try-it">
      <section aria-label="Input">
        <Suspense fallback={<Loading what="the form" />}>
          <Tabs
            label="How to write the input"
            current={mode}
            onChange={setMode}
            tabs={[
              {
                id: "form",
                name: "Form",
                content: () => (
                  <SchemaForm
                    schema={tool.inputSchema as JsonSchema}
                    value={input}
                    issues={issues}
                    onChange={setInput}
                    onSubmit={(value) => void start(value)}
                  >
                    {buttons}
                  </SchemaForm>
                ),
              },
              {
                id: "json",
                name: "JSON",
                content: () => (
                  <div className="try-json">
                    <JsonEditor label="Input as JSON" schema={tool.inputSchema} value={input} onChange={setInput} />
                    {buttons}
                  </div>
                ),
              },
            ]}
          />
        </Suspense>
      </section>
      <section aria-label="Result" aria-live="polite">
        <h2>Result</h2>
        {run.progress.length > 0 && (
          <ol className="progress small soft">
            {run.progress.slice(-5).map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ol>
        )}
        {run.isRunning && <Badge>running {run.callId}</Badge>}
        {run.result !== undefined && <ResultView result={run.result} />}
        {run.result === undefined && run.problem !== undefined && <p role="alert">{run.problem}</p>}
        {!run.isRunning && run.result === undefined && run.problem === undefined && <p className="soft">Run it to see what it gives.</p>}
      </section>
      <SameCall tool={tool.name} input={input} agent={agent} />
    </div>
  );
}

/** The same call for a terminal and for code. */
function SameCall({ tool, input, agent }: { readonly tool: string; readonly input: unknown; readonly agent: string }): ReactNode {
  const [form, setForm] = useState("curl");
  const json = JSON.stringify(input ?? {});
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  const body = JSON.stringify({ input: input ?? {}, ...(agent !== "" && { run_as: { agent } }) });
  const texts: Readonly<Record<string, string>> = {
    curl: `curl -s ${location.origin}/api/v1/tools/${segment(tool)}/call \\\n  -H 'content-type: application/json' \\\n  -d ${quoted(body)}`,
    cli: `npx toolrack --url ${location.origin} call ${tool} ${quoted(json)}${agent === "" ? "" : ` --agent ${quoted(agent)}`}`,
    typescript: `const result = await registry.invoke(${JSON.stringify(tool)}, ${json}${agent === "" ? "" : `, { caller: { agent: ${JSON.stringify(agent)} } }`});`,
  };
  return (
    <section aria-label="The same call elsewhere" className="same-call">
      <h2>The same call</h2>
      <Tabs
        label="Where"
        current={form}
        onChange={setForm}
        tabs={[
          { id: "curl", name: "curl", content: () => <pre tabIndex={0}>{texts["curl"]}</pre> },
          { id: "cli", name: "Command line", content: () => <pre tabIndex={0}>{texts["cli"]}</pre> },
          { id: "typescript", name: "TypeScript", content: () => <pre tabIndex={0}>{texts["typescript"]}</pre> },
        ]}
      />
    </section>
  );
}

function showProgress(data: unknown): string {
  const { message = "", progress, total } = data as { readonly message?: string; readonly progress?: number; readonly total?: number };
  const share = progress === undefined ? "" : total === undefined ? `${progress} ` : `${progress} of ${total} `;
  return `${share}${message}`;
}

/** What a refused request says, in the form of a failed call. */
function asResult(tool: string, error: string, issues: ApiError["issues"]): ToolResult {
  return { ok: false, error, issues, meta: { callId: "", tool, durationMs: 0 } };
}
