import { type ReactNode, useState } from "react";
import { ask } from "../api/client.ts";
import { useChange } from "../api/use-api.ts";
import { HostsField, readHosts } from "../parts/hosts-field.tsx";
import { readNamedValues, splitWords } from "../parts/named-values.ts";

interface Written {
  readonly id: string;
  readonly target: string;
  readonly headers: string;
  readonly env: string;
  readonly allowHosts: string;
  readonly replaceSecrets: boolean;
}

const empty: Written = { id: "", target: "", headers: "", env: "", allowHosts: "", replaceSecrets: false };

/** An MCP server by its address, with headers, or as a program, with variables. */
export function AddSource(): ReactNode {
  const [written, setWritten] = useState(empty);
  const set = (change: Partial<Written>): void => setWritten({ ...written, ...change });
  const isAddress = /^https?:/.test(written.target.trim());
  const add = useChange(
    async () => ask("PUT /sources/{id}", { params: { id: written.id.trim() }, body: toSource(written, isAddress) }),
    ["/sources", "/tools", "/secrets"],
  );
  return (
    <form
      className="draft"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(undefined, { onSuccess: () => setWritten(empty) });
      }}
    >
      <h2>Add an MCP server</h2>
      <label>
        Name
        <input required value={written.id} onChange={({ target }) => set({ id: target.value })} placeholder="docs" />
      </label>
      <label>
        URL, or a program with its arguments
        <input
          required
          value={written.target}
          onChange={({ target }) => set({ target: target.value })}
          placeholder="https://docs.example.com/mcp"
        />
      </label>
      {isAddress ? (
        <>
          <label>
            Headers
            <textarea
              rows={2}
              spellCheck={false}
              value={written.headers}
              onChange={({ target }) => set({ headers: target.value })}
              placeholder="Authorization: Bearer …"
            />
          </label>
          <HostsField value={written.allowHosts} onChange={(allowHosts) => set({ allowHosts })} />
        </>
      ) : (
        <label>
          Variables
          <textarea
            rows={2}
            spellCheck={false}
            value={written.env}
            onChange={({ target }) => set({ env: target.value })}
            placeholder="API_TOKEN=…"
          />
        </label>
      )}
      <label className="choice">
        <input type="checkbox" checked={written.replaceSecrets} onChange={({ target }) => set({ replaceSecrets: target.checked })} />{" "}
        overwrite secrets that exist already
      </label>
      <p className="soft small">
        {isAddress
          ? "One header in each line."
          : "One variable in each line. A program starts only after you approve exactly this command."}{" "}
        Credentials are stored as secrets; write <code>secret:name</code> for one that is stored already.
      </p>
      <p className="buttons">
        <button type="submit" className="primary" disabled={add.isPending}>
          Add
        </button>
        <span role="status">{add.data === undefined ? "" : `Added ${add.data.id}.`}</span>
      </p>
      {add.error !== null && <p role="alert">{add.error.message}</p>}
    </form>
  );
}

/** As the API takes it. Throws what is wrong with a line. */
function toSource({ target, headers, env, allowHosts, replaceSecrets }: Written, isAddress: boolean): object {
  const stored = { storeSecrets: true, ...(replaceSecrets && { replaceSecrets }) };
  const read = (text: string, separator: "=" | ":", form: string): object => {
    const { values, wrong } = readNamedValues(text, separator);
    if (wrong.length > 0) throw new Error(`This line is not of the form “${form}”: ${wrong[0]}`);
    return values;
  };
  if (isAddress) {
    return {
      url: target.trim(),
      ...(headers.trim() !== "" && { headers: read(headers, ":", "Name: value") }),
      ...readHosts(allowHosts),
      ...stored,
    };
  }
  const [command = "", ...args] = splitWords(target);
  return { command, args, ...(env.trim() !== "" && { env: read(env, "=", "NAME=value"), ...stored }) };
}
