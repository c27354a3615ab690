import { lazy, type ReactNode, useState } from "react";
import { ApiError, ask } from "../api/client.ts";
import type { ConfigAnswer, ToolDetails } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Failed, Loading } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";

const SchemaForm = lazy(() => import("../parts/schema-form.tsx"));

/** The tool's settings, as a form made from its schema. */
export default function Configuration({ tool }: { readonly tool: ToolDetails }): ReactNode {
  const { data: config, error, refetch } = useApi("/configs/{tool}", { params: { tool: tool.name } });
  if (error !== null && config === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (config === undefined) return <Loading what="the settings" />;
  return <Settings key={config.version ?? 0} tool={tool} config={config} />;
}

function Settings({ tool, config }: { readonly tool: ToolDetails; readonly config: ConfigAnswer }): ReactNode {
  const [values, setValues] = useState<unknown>(config.values);
  const save = useChange(
    (next: unknown) =>
      ask("PUT /configs/{tool}", {
        params: { tool: tool.name },
        body: next,
        ...(config.version !== undefined && { headers: { "if-match": `"${config.version}"` } }),
      }),
    ["/configs", "/tools"],
  );
  const issues = save.error instanceof ApiError ? save.error.issues : [];
  return (
    <div className="overview">
      {config.missing.length > 0 && <p className="reason">Missing: {config.missing.join(", ")}</p>}
      <SchemaForm
        schema={config.schema ?? {}}
        value={values}
        issues={issues}
        secrets={tool.secrets ?? []}
        onChange={setValues}
        onSubmit={(next) => save.mutate(next)}
      >
        <div className="buttons">
          <button type="submit" className="primary" disabled={save.isPending}>
            Save
          </button>
          <span role="status">{save.isSuccess ? "Saved. It applies from the next call on." : ""}</span>
          {save.error !== null && issues.length === 0 && <span role="alert">{save.error.message}</span>}
        </div>
      </SchemaForm>
      {config.updated_by !== undefined && (
        <p className="small soft">
          Saved by {config.updated_by}
          {config.updated_at !== undefined && (
            <>
              , <Time at={config.updated_at} />
            </>
          )}
          . Write a secret as <code>secret:name</code>, and set it on the System page.
        </p>
      )}
    </div>
  );
}
