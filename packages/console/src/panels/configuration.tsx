import { lazy, type ReactNode, useState } from "react";
import { ApiError, ask, segment } from "../api/client.ts";
import type { JsonSchema, ToolDetails } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Failed, Loading } from "../parts/states.tsx";

const SchemaForm = lazy(() => import("../parts/schema-form.tsx"));

interface Config {
  readonly schema?: JsonSchema;
  readonly values: Readonly<Record<string, unknown>>;
  readonly missing: readonly string[];
  readonly version?: number;
  readonly updated_by?: string;
  readonly updated_at?: string;
}

/** The tool's settings, as a form made from its schema. */
export default function Configuration({ tool }: { readonly tool: ToolDetails }): ReactNode {
  const place = `/configs/${segment(tool.name)}`;
  const { data: config, error, refetch } = useApi<Config>(place);
  if (error !== null && config === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (config === undefined) return <Loading what="the settings" />;
  return <Settings key={config.version ?? 0} tool={tool} place={place} config={config} />;
}

function Settings({ tool, place, config }: { readonly tool: ToolDetails; readonly place: string; readonly config: Config }): ReactNode {
  const [values, setValues] = useState<unknown>(config.values);
  const save = useChange(
    (next: unknown) =>
      ask("PUT", place, { body: next, ...(config.version !== undefined && { headers: { "if-match": `"${config.version}"` } }) }),
    ["/configs", "/tools"],
  );
  const issues = save.error instanceof ApiError ? save.error.issues : [];
  return (
    <div className="overview">
      {config.missing.length > 0 && <p className="reason">Still needed: {config.missing.join(", ")}</p>}
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
          <span role="status">{save.isSuccess ? "Saved. It holds from the next call on." : ""}</span>
          {save.error !== null && issues.length === 0 && <span role="alert">{save.error.message}</span>}
        </div>
      </SchemaForm>
      {config.updated_by !== undefined && (
        <p className="small soft">
          Last saved by {config.updated_by}, {config.updated_at?.slice(0, 16).replace("T", " ")}. A secret is written as{" "}
          <code>secret:name</code>, and set on the System page.
        </p>
      )}
    </div>
  );
}
