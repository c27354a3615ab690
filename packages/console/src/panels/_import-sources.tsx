import { type ReactNode, useState } from "react";
import { ask } from "../api/client.ts";
import type { SourceImport } from "../api/types.ts";
import { useChange } from "../api/use-api.ts";
import { Badge, type Meaning } from "../parts/badge.tsx";
import { readNamedValues } from "../parts/named-values.ts";
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
  const [values, setValues] = useState("");
  const [hosts, setHosts] = useState("");
  const [allowUnpinned, setAllowUnpinned] = useState(false);
  const send = useChange(
    async (dryRun: boolean) =>
      ask("POST /sources/import", {
        body: { text, replace, dryRun, ...toAllowed(values, hosts), ...(allowUnpinned && { allowUnpinned }) },
      }),
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
      <label>
        Values that the file may use
        <textarea
          rows={2}
          spellCheck={false}
          value={values}
          onChange={({ target }) => setValues(target.value)}
          placeholder={"GITHUB_TOKEN=…\nNODE_OPTIONS"}
        />
      </label>
      <label>
        Private hosts that its servers may reach
        <input value={hosts} onChange={({ target }) => setHosts(target.value)} placeholder="localhost:8080, 10.0.0.5" />
      </label>
      <label className="choice">
        <input type="checkbox" checked={replace} onChange={({ target }) => setReplace(target.checked)} /> replace sources that exist
        already, and their secrets
      </label>
      <label className="choice">
        <input type="checkbox" checked={allowUnpinned} onChange={({ target }) => setAllowUnpinned(target.checked)} /> allow packages without
        an exact version
      </label>
      <p className="soft small">
        Of the environment, the file gets the values above and no others: in each line <code>NAME=value</code> for a placeholder such as{" "}
        <code>{"${env:NAME}"}</code>, or a name alone, which it may then set although it can change what code runs.
      </p>
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

/** "A=1\nB" → the value of A, and both as allowed. Throws what is wrong with a line. */
function toAllowed(text: string, hosts: string): object {
  const lines = text.split("\n").map((line) => line.trim());
  const { values, wrong } = readNamedValues(lines.filter((line) => line.includes("=")).join("\n"), "=");
  const alone = lines.filter((line) => line !== "" && !line.includes("="));
  const odd = wrong[0] ?? alone.find((line) => !/^[A-Za-z_]\w*$/.test(line));
  if (odd !== undefined) throw new Error("A line of the values is neither “NAME=value” nor a name alone.");
  const allowed = [...Object.keys(values), ...alone];
  const allowHosts = hosts.split(/[\s,]+/).filter((host) => host !== "");
  return { ...(allowed.length > 0 && { variables: values, allowVariables: allowed }), ...(allowHosts.length > 0 && { allowHosts }) };
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
