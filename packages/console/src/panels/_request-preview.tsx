import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { ask } from "../api/client.ts";
import { useChange } from "../api/use-api.ts";
import { Failed, Loading } from "../parts/states.tsx";

const SchemaForm = lazy(() => import("../parts/schema-form.tsx"));

interface RequestPreviewProps {
  readonly given: { readonly openapi: Readonly<Record<string, unknown>>; readonly document?: string; readonly source: string };
  /** "GET /pets" */
  readonly operation: string;
  readonly onClose: () => void;
}

/** The form of one operation, and the request that it would send. Nothing is sent: a call goes through a saved tool and its policy. */
export function RequestPreview({ given, operation, onClose }: RequestPreviewProps): ReactNode {
  const [input, setInput] = useState<unknown>({});
  const show = useChange((value: unknown) => ask("POST /openapi/preview", { body: { ...given, operation, input: value } }), []);
  const first = useChange(() => ask("POST /openapi/preview", { body: { ...given, operation } }), []);
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
              issues={[]}
              onChange={setInput}
              onSubmit={(value) => show.mutate(value)}
            >
              <div className="buttons">
                <button type="submit" className="primary" disabled={show.isPending}>
                  Show the request
                </button>
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
          <p className="small soft">Nothing was sent. Save the source to call it, under your policy and with its secrets.</p>
        </>
      )}
    </section>
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
