import type { ReactNode } from "react";
import type { ToolDetails } from "../api/types.ts";

/** What else is known of a tool, in words. */
export function Facts({ tool }: { readonly tool: ToolDetails }): ReactNode {
  return (
    <dl className="facts">
      {rowsOf(tool).map(([name, value]) => (
        <div key={name} className="fact">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function rowsOf({ metadata = {}, ...tool }: ToolDetails): readonly (readonly [string, string])[] {
  const { readOnly, destructive, idempotent, openWorld } = tool.annotations ?? {};
  const traits = [
    readOnly === true ? "read-only" : "",
    destructive === true ? "destructive" : "",
    idempotent === true ? "idempotent" : "",
    openWorld === true ? "reaches external systems" : "",
  ].filter((trait) => trait !== "");
  const rows: readonly (readonly [string, unknown])[] = [
    ["Title", tool.title],
    ["Category", tool.category],
    ["Source", tool.source],
    ["Overlay", tool.overlay && `of ${tool.overlay.sourceId}/${tool.overlay.tool}, ${tool.overlay.state}`],
    ["Optionality", tool.optionality],
    ["Tags", tool.tags],
    ["Groups", tool.groups],
    ["Traits", traits],
    ["Requires", metadata["requiresCapabilities"]],
    ["Services", metadata["services"]],
    ["Secrets", tool.secrets],
    ["Limits", metadata["limits"]],
    ...needRows(tool.needs),
    ["Parameter aliases", metadata["aliases"]],
    ["Produces", metadata["produces"]],
    ["Consumes", metadata["consumes"]],
    ["Models", metadata["models"]],
    ["Owner only", metadata["ownerOnly"] === true ? "yes" : undefined],
    ["Deprecated", metadata["deprecated"]],
    ["Fingerprint", tool.hash],
  ];
  return rows.flatMap(([name, value]) => {
    const text = show(value);
    return text === "" ? [] : [[name, text] as const];
  });
}

/** What a tool declares that it reaches for; each row says that this is not enforced. */
function needRows(needs: ToolDetails["needs"]): readonly (readonly [string, unknown])[] {
  if (needs === undefined) return [];
  const { status, memoryMb, hosts, files, programs, permissions } = needs;
  const rows: readonly (readonly [string, unknown])[] = [
    ["Memory", memoryMb === undefined ? undefined : `${memoryMb} MB`],
    ["Hosts", hosts],
    ["Reads files", files?.read],
    ["Writes files", files?.write],
    ["Programs", programs],
    ["Permissions", permissions],
  ];
  return rows.map(([name, value]) => [`${name} (${status})`, value]);
}

/** ["a", "b"] → "a, b"; { timeoutMs: 5 } → "timeoutMs 5" */
function show(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(String).join(", ");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([name, part]) => `${name} ${String(part)}`)
      .join(", ");
  return String(value);
}
