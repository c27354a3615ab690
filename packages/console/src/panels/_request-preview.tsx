import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Link } from "wouter";
import { ApiError, ask } from "../api/client.ts";
import type { ToolSuccess } from "../api/types.ts";
import { useChange } from "../api/use-api.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { ResultView } from "../parts/result.tsx";
import { Failed, Loading } from "../parts/states.tsx";

const SchemaForm = lazy(() => import("../parts/schema-form.tsx"));

interface RequestPreviewProps {
  readonly given: { readonly openapi: Readonly<Record<string, unknown>>; readonly document?: string; readonly source: string };
  /** "GET /pets" */
  readonly operation: string;
  /** It changes nothing at the API. */
  readonly isReadOnly: boolean;
  readonly onClose: () => void;
}

/** The form of one operation, the request that it would send, and sending it: a real call under the policy, which is recorded. */
export function RequestPreview({ given, operation, isReadOnly, onClose }: RequestPreviewProps): ReactNode {
  const [input, setInput] = useState<unknown>({});
  const show = useChange((value: unknown) => ask("POST /openapi/preview", { body: { ...given, operation, input: value } }), []);
  const first = useChange(() => ask("POST /openapi/preview", { body: { ...given, operation } }), []);
  const call = useChange(() => ask("POST /openapi/try", { body: { ...given, operation, input } }), ["/calls", "/usage"]);
  const { mutate } = first;
  useEffect(() => mutate(undefined), [mutate]);
  return (
    <section aria-label={`Try ${operation}`} className="request-preview">
      <h2>
        Try <code>{operation}</code>
      </h2>
      {first.error !== null && <Failed error={first.error} />}
      {first.data === undefined && first.error === null && <Loading what="the operation" />}
      {first.data !== undefined && (
        <>
          <p>{first.data.description}</p>
          <Suspense fallback={<Loading what="the form" />}>
            <SchemaForm
              schema={first.data.inputSchema}
              value={input}
              issues={call.error instanceof ApiError ? call.error.issues : []}
              onChange={setInput}
              onSubmit={(value) => show.mutate(value)}
            >
              <div className="buttons">
                <button type="submit" className="primary" disabled={show.isPending}>
                  Show the request
                </button>
                {isReadOnly ? (
                  <button type="button" disabled={call.isPending} onClick={() => call.mutate(undefined)}>
                    {call.isPending ? "Calling …" : "Call it"}
                  </button>
                ) : (
                  <ConfirmButton verb="Call it" what={operation} isPending={call.isPending} onConfirm={() => call.mutate(undefined)} />
                )}
                <button type="button" onClick={onClose}>
                  Close
                </button>
              </div>
            </SchemaForm>
          </Suspense>
        </>
      )}
      {show.error !== null && <p role="alert">{show.error.message}</p>}
      {show.data?.request !== undefined && (
        <>
          <pre tabIndex={0} aria-label="Request">
            {textOf(show.data.request)}
          </pre>
          <p className="small soft">Nothing was sent. "Call it" sends it, under your policy and with the secrets of the plan.</p>
        </>
      )}
      <Called error={call.error} result={call.data} />
    </section>
  );
}

/** What the API answered, and where the call is on record. */
function Called({ error, result }: { readonly error: Error | null; readonly result: ToolSuccess | undefined }): ReactNode {
  if (error !== null) return <p role="alert">{error.message}</p>;
  if (result === undefined) return null;
  return (
    <div role="group" aria-label="Answer">
      <ResultView result={result} />
      <p className="small">
        <Link href={`/live?call=${encodeURIComponent(result.meta.callId)}`}>Show the call</Link>
      </p>
    </div>
  );
}

interface ShownRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function textOf({ method, url, headers, body }: ShownRequest): string {
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return [...lines, ...(body === undefined ? [] : ["", body])].join("\n");
}
