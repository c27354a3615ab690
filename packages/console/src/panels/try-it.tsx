import { shellWord } from "@toolrack/core/internal/shell-word";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { addressOf, ApiError, signIn } from "../api/client.ts";
import { follow } from "../api/sse.ts";
import type { Caller, ToolDetails, ToolResult } from "../api/types.ts";
import { useApi } from "../api/use-api.ts";
import { CallerForm } from "../parts/caller-form.tsx";
import { type Progress, ProgressView } from "../parts/progress.tsx";
import { Question } from "../parts/question.tsx";
import { ResultView } from "../parts/result.tsx";
import { Loading } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { check } from "../parts/validator.ts";
import "./try-it.css";

const SchemaForm = lazy(() => import("../parts/schema-form.tsx"));
const JsonEditor = lazy(() => import("../parts/json-editor.tsx"));

interface Run {
  readonly progress?: Progress;
  readonly callId?: string;
  readonly result?: ToolResult;
  readonly problem?: string;
  readonly isRunning: boolean;
}

const idle: Run = { isRunning: false };

/** A form for the tool's input, as any agent; what happens is shown as it happens. */
export default function TryIt({ tool, example }: { readonly tool: ToolDetails; readonly example: number }): ReactNode {
  const [input, setInput] = useState<unknown>(() => tool.metadata?.examples?.[example]?.input ?? {});
  const [mode, setMode] = useState("form");
  const [caller, setCaller] = useState<Caller>({});
  const [run, setRun] = useState<Run>(idle);
  const stop = useRef<AbortController | undefined>(undefined);
  const isOther = Object.keys(caller).length > 0;

  // Leaving the page cancels the call.
  useEffect(() => () => stop.current?.abort(), []);

  async function start(value: unknown): Promise<void> {
    const controller = (stop.current = new AbortController());
    setRun({ ...idle, isRunning: true });
    try {
      const body = { input: value ?? {}, ...(isOther && { runAs: caller }) };
      for await (const { event, data } of follow("POST /tools/{name}/call", {
        params: { name: tool.name },
        body,
        signal: controller.signal,
      })) {
        if (event === "started") setRun((now) => ({ ...now, callId: data.callId }));
        if (event === "progress") setRun((now) => ({ ...now, progress: data }));
        if (event === "result") setRun((now) => ({ ...now, result: data, isRunning: false }));
      }
    } catch (error) {
      const problem = controller.signal.aborted ? "Cancelled." : (error as Error).message;
      const refused = error instanceof ApiError && error.issues.length > 0 ? { result: asResult(tool.name, error) } : {};
      setRun((now) => ({ ...now, isRunning: false, problem, ...refused }));
    }
  }

  const issues = run.result?.ok === false ? (run.result.issues ?? []) : [];
  const buttons = (
    <div className="buttons">
      <button type="submit" className="primary" disabled={run.isRunning} {...(mode === "json" && { onClick: () => void start(input) })}>
        {run.isRunning ? "Running …" : "Run"}
      </button>
      <button type="button" disabled={!run.isRunning} onClick={() => stop.current?.abort()}>
        Cancel
      </button>
    </div>
  );

  return (
    <div className="try-it">
      <section aria-label="Input">
        <CallerForm label="Run as agent" placeholder="myself" caller={caller} onChange={setCaller} />
        <Suspense fallback={<Loading what="the form" />}>
          <Tabs
            label="Input format"
            current={mode}
            onChange={setMode}
            tabs={[
              {
                id: "form",
                name: "Form",
                content: () => (
                  <SchemaForm
                    schema={tool.inputSchema}
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
                    <ul className="field-errors" aria-label="Problems">
                      {check(tool.inputSchema, input).map(({ stack }, index) => (
                        <li key={index}>{stack}</li>
                      ))}
                    </ul>
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
        {run.isRunning && <p className="soft small">Running{run.callId === undefined ? "" : `: call ${run.callId}`} …</p>}
        {run.progress !== undefined && <ProgressView progress={run.progress} />}
        {run.isRunning && tool.asks && run.callId !== undefined && <Waiting callId={run.callId} />}
        {run.result !== undefined && <ResultView result={run.result} />}
        {run.result === undefined && run.problem !== undefined && <p role="alert">{run.problem}</p>}
        {!run.isRunning && run.result === undefined && run.problem === undefined && <p className="soft">Run it to see the result.</p>}
      </section>
      <SameCall tool={tool.name} input={input} caller={caller} />
    </div>
  );
}

/** If the call needs approval, it can be approved here. */
function Waiting({ callId }: { readonly callId: string }): ReactNode {
  const { data } = useApi("/approvals", { query: { callId }, refetchInterval: 1_000 });
  const own = data?.waiting.filter((one) => one.callId === callId) ?? [];
  return own.map((one) => <Question key={one.id} waiting={one} />);
}

/** The same call for a terminal and for code. */
function SameCall({ tool, input, caller }: { readonly tool: string; readonly input: unknown; readonly caller: Caller }): ReactNode {
  const [form, setForm] = useState("curl");
  const json = JSON.stringify(input ?? {});
  const facts = Object.entries(caller);
  const isOther = facts.length > 0;
  const body = JSON.stringify({ input: input ?? {}, ...(isOther && { runAs: caller }) });
  const key = signIn.key === null ? "" : `  -H "authorization: Bearer $TOOLRACK_KEY" \\\n`;
  const flags = facts.map(([fact, value]) => ` --${fact} ${shellWord(String(value))}`).join("");
  const texts: Readonly<Record<string, string>> = {
    curl: `curl -s ${location.origin}${addressOf("/tools/{name}/call", { params: { name: tool } })} \\\n${key}  -H 'content-type: application/json' \\\n  -d ${shellWord(body)}`,
    cli: `npx toolrack --url ${shellWord(location.origin)} call ${shellWord(tool)} ${shellWord(json)}${flags}`,
    typescript: `const result = await registry.invoke(${JSON.stringify(tool)}, ${json}${isOther ? `, { caller: ${JSON.stringify(caller)} }` : ""});`,
  };
  return (
    <section aria-label="The same call in other forms" className="same-call">
      <h2>The same call</h2>
      <Tabs
        label="Form"
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

/** What a refused request says, in the form of a failed call. */
function asResult(tool: string, { message, status, issues }: ApiError): ToolResult {
  return { ok: false, error: message, code: "INPUT_INVALID", status, issues, retryable: false, meta: { callId: "", tool, durationMs: 0 } };
}
