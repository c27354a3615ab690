import { type ReactNode, useState } from "react";
import { ask } from "../api/client.ts";
import type { SourceImport } from "../api/types.ts";
import { useChange } from "../api/use-api.ts";
import { Badge, type Meaning } from "../parts/badge.tsx";
import { Table } from "../parts/table.tsx";

const meanings: ReadonlyMap<string, Meaning> = new Map([
  ["added", "good"],
  ["replaced", "good"],
  ["planned", "quiet"],
  ["skipped", "quiet"],
  ["failed", "bad"],
]);

/** Takes over the MCP servers of a client's file: first it tells what would come, then it does it. */
export function ImportSources(): ReactNode {
  const [text, setText] = useState("");
  const [replace, setReplace] = useState(false);
  const send = useChange(
    (dryRun: boolean) => ask("POST /sources/import", { body: { text, replace, dryRun } }),
    ["/sources", "/tools", "/secrets"],
  );
  return (
    <form
      className="draft"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate(false);
      }}
    >
      <h2>Import from another client</h2>
      <label>
        File of the client
        <input type="file" accept=".json,.jsonc,.toml,.yaml,.yml" onChange={({ target }) => void target.files?.[0]?.text().then(setText)} />
      </label>
      <label>
        Or its text
        <textarea
          rows={6}
          required
          spellCheck={false}
          value={text}
          onChange={({ target }) => setText(target.value)}
          placeholder={'{ "mcpServers": { … } }'}
        />
      </label>
      <label className="choice">
        <input type="checkbox" checked={replace} onChange={({ target }) => setReplace(target.checked)} /> replace sources that exist already
      </label>
      <p className="soft small">
        JSON, TOML or YAML, as Claude Desktop, Cursor, Visual Studio Code, Codex, Zed and others keep it. Credentials are stored as secrets,
        and programs start only after you approve them.
      </p>
      <p className="buttons">
        <button type="button" disabled={send.isPending || text.trim() === ""} onClick={() => send.mutate(true)}>
          Show what would come
        </button>
        <button type="submit" className="primary" disabled={send.isPending}>
          Import
        </button>
      </p>
      {send.error !== null && <p role="alert">{send.error.message}</p>}
      {send.data !== undefined && <Outcomes of={send.data.sources} />}
    </form>
  );
}

function Outcomes({ of: sources }: { readonly of: SourceImport["sources"] }): ReactNode {
  if (sources.length === 0) return <p role="status">The file names no MCP server.</p>;
  return (
    <Table label="What became of each server" columns={["Server", "Outcome", "Note"]}>
      {sources.map(({ name, outcome, reason, secrets, missing }) => (
        <tr key={name}>
          <th scope="row">
            <code>{name}</code>
          </th>
          <td>
            <Badge meaning={meanings.get(outcome) ?? "quiet"}>{outcome}</Badge>
          </td>
          <td className="small">
            {[
              reason,
              secrets.length > 0 ? `secrets: ${secrets.join(", ")}` : undefined,
              missing.length > 0 ? `set these secrets: ${missing.join(", ")}` : undefined,
            ]
              .filter((part) => part !== undefined)
              .join("; ")}
          </td>
        </tr>
      ))}
    </Table>
  );
}
