import { type ReactNode, useState } from "react";
import type { ToolDetails } from "../api/types.ts";
import { useApi } from "../api/use-api.ts";
import { Badge } from "../parts/badge.tsx";
import { Json } from "../parts/json.tsx";
import { Failed, Loading } from "../parts/states.tsx";

interface Exported {
  readonly tools: readonly unknown[];
  readonly names: Readonly<Record<string, string>>;
  readonly losses: readonly { readonly tool: string; readonly path: string; readonly keyword: string; readonly note: string }[];
  readonly diagnostics: readonly { readonly tool: string; readonly severity: string; readonly message: string }[];
}

/** Exactly what each vendor receives for this tool, and what had to be given up. */
export default function Vendors({ tool }: { readonly tool: ToolDetails }): ReactNode {
  const known = useApi<{ readonly vendors: readonly string[] }>("/exports");
  const [vendor, setVendor] = useState("openai-chat");
  const { data, error } = useApi<Exported>(`/exports/${vendor}`);
  if (error !== null && data === undefined) return <Failed error={error} />;
  if (data === undefined) return <Loading what="the export" />;
  const index = Object.values(data.names).indexOf(tool.name);
  const losses = data.losses.filter((loss) => loss.tool === tool.name);
  const found = data.diagnostics.filter((one) => one.tool === tool.name);
  return (
    <div className="overview">
      <label>
        Vendor
        <select value={vendor} onChange={({ target }) => setVendor(target.value)}>
          {(known.data?.vendors ?? [vendor]).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {index < 0 ? (
        <p className="soft">This tool is not on offer to you, so no vendor receives it.</p>
      ) : (
        <>
          {losses.length === 0 ? (
            <p>
              <Badge meaning="good">nothing lost</Badge>
            </p>
          ) : (
            <ul>
              {losses.map((loss, position) => (
                <li key={position}>
                  <Badge meaning="warn">{loss.keyword}</Badge> <code>{loss.path}</code> {loss.note}
                </li>
              ))}
            </ul>
          )}
          {found.map(({ message, severity }) => (
            <p key={message} className="reason">
              {severity}: {message}
            </p>
          ))}
          <Json label={`${tool.name} as ${vendor} receives it`} value={toolAt(data.tools, index)} />
        </>
      )}
    </div>
  );
}

/** Some vendors take one list of tools, others lists inside of objects: the one that belongs to this tool. */
function toolAt(tools: readonly unknown[], index: number): unknown {
  const only = tools.length === 1 ? (tools[0] as Readonly<Record<string, unknown>>) : undefined;
  const inside = only && Object.values(only).find((value): value is readonly unknown[] => Array.isArray(value) && value.length > 1);
  return inside?.[index] ?? tools[index] ?? tools;
}
