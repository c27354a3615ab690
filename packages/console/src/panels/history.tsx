import { type ReactNode, useState } from "react";
import { ask } from "../api/client.ts";
import type { RecordHistory } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Diff } from "../parts/diff.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";

/** The revisions of a record: any two side by side, and the way back to one. */
export default function History({ id }: { readonly id: string }): ReactNode {
  const { data, error, refetch } = useApi("/breadcrumbs/{id}/history", { params: { id } });
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  const restore = useChange(
    (version: number) => ask("POST /breadcrumbs/{id}/restore", { params: { id }, body: { version } }),
    ["/breadcrumbs", "/lifecycle", "/tools"],
  );
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the history" />;
  const [newest] = data.changes;
  if (newest === undefined) return <Nothing title="No stored history">This tool is defined in code.</Nothing>;
  const shown = data.changes.find(({ record }) => record.version === chosen) ?? newest;
  const before = data.changes.find(({ record }) => record.version < shown.record.version);
  return (
    <div className="overview">
      <Table label="Versions" columns={["Version", "When", "By", "Title and tags"]} hasActions>
        {data.changes.map(({ type, record }) => (
          <tr key={record.version}>
            <th scope="row">
              <button type="button" aria-pressed={record.version === shown.record.version} onClick={() => setChosen(record.version)}>
                {record.version}
              </button>
            </th>
            <td>
              <Time at={record.updated_at} />
            </td>
            <td>
              {record.updated_by} <span className="soft small">{type}</span>
            </td>
            <td>
              {record.title} <span className="soft small">{record.tags.join(", ")}</span>
            </td>
            <td>
              {record.version !== newest.record.version && (
                <button type="button" disabled={restore.isPending} onClick={() => restore.mutate(record.version)}>
                  Restore<span className="only-read"> version {record.version}</span>
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {restore.error !== null && <p role="alert">{restore.error.message}</p>}
      <section>
        <h2>
          {before === undefined ? `Version ${shown.record.version}` : `From version ${before.record.version} to ${shown.record.version}`}
        </h2>
        <Diff before={before && contentOf(before)} after={contentOf(shown)} />
      </section>
    </div>
  );
}

function contentOf({ record: { title, tags, context } }: RecordHistory["changes"][number]): unknown {
  return { title, tags, context };
}
