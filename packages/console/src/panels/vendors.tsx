import { type ReactNode, useState } from "react";
import {} from "../api/client.ts";
import type { ToolDetails } from "../api/types.ts";
import { useApi } from "../api/use-api.ts";
import { Badge } from "../parts/badge.tsx";
import { Json } from "../parts/json.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";

/** Exactly what each vendor receives for this tool, and what had to be given up. */
export default function Vendors({ tool }: { readonly tool: ToolDetails }): ReactNode {
  const known = useApi("/exports");
  const [vendor, setVendor] = useState("openai-chat");
  if (known.error !== null && known.data === undefined) return <Failed error={known.error} onRetry={() => void known.refetch()} />;
  if (known.data === undefined) return <Loading what="the vendors" />;
  return (
    <Tabs
      label="Vendor"
      current={vendor}
      onChange={setVendor}
      tabs={known.data.vendors.map((name) => ({ id: name, name, content: () => <Received tool={tool.name} vendor={name} /> }))}
    />
  );
}

function Received({ tool, vendor }: { readonly tool: string; readonly vendor: string }): ReactNode {
  const { data, error, refetch } = useApi("/exports/{target}", { params: { target: vendor } });
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the export" />;
  const name = Object.keys(data.names).find((one) => data.names[one] === tool);
  if (name === undefined) return <Nothing title="Not exported">It is not available to you: see who may use it.</Nothing>;
  const losses = data.losses.filter((loss) => loss.tool === tool);
  const found = data.diagnostics.filter((one) => one.tool === tool);
  return (
    <div className="overview">
      <p className="badges">
        {losses.length === 0 ? <Badge meaning="good">no losses</Badge> : <Badge meaning="warn">{losses.length} losses</Badge>}
        {name !== tool && (
          <span className="small">
            Exported as <code>{name}</code>.
          </span>
        )}
      </p>
      {losses.length > 0 && (
        <Table label="Lost constraints" columns={["Path", "Keyword", "Note"]}>
          {losses.map((loss, position) => (
            <tr key={position}>
              <th scope="row">
                <code>{loss.path}</code>
              </th>
              <td>
                <Badge meaning="warn">{loss.keyword}</Badge>
              </td>
              <td>{loss.note}</td>
            </tr>
          ))}
        </Table>
      )}
      {losses.length > 0 && <p className="small soft">Each call is still validated against the complete schema.</p>}
      {found.map(({ message, severity }) => (
        <p key={message} className="reason">
          {severity}: {message}
        </p>
      ))}
      <Json label={`${tool} as ${vendor} receives it`} value={partOf(data.tools, name)} />
    </div>
  );
}

/** The part of an export that is about one tool: an element of the list, or of a list inside of it. */
function partOf(tools: readonly unknown[], name: string): unknown {
  for (const one of tools) {
    if (isNamed(one, name)) return one;
    for (const [key, list] of Object.entries((one ?? {}) as object)) {
      const found = Array.isArray(list) ? (list as readonly unknown[]).find((inner) => isNamed(inner, name)) : undefined;
      if (found !== undefined) return { [key]: [found] };
    }
  }
  return tools;
}

/** { name }, { function: { name } } and { toolSpec: { name } } are the forms that vendors use. */
function isNamed(value: unknown, name: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { name: own, function: inner, toolSpec } = value as Readonly<Record<string, { readonly name?: unknown } | undefined>>;
  return [own, inner?.name, toolSpec?.name].includes(name as never);
}
