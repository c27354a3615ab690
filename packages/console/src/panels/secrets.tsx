import { type ReactNode, useState } from "react";
import { ask } from "../api/client.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Badge } from "../parts/badge.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";

/** Names of secrets. Values can be set, but not read. */
export function Secrets(): ReactNode {
  const { data, error, refetch } = useApi("/secrets");
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const touched = ["/secrets", "/tools", "/configs"];
  const set = useChange(() => ask("PUT /secrets/{name}", { params: { name }, body: { value } }), touched);
  const remove = useChange((old: string) => ask("DELETE /secrets/{name}", { params: { name: old } }), touched);
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the secrets" />;
  const problem = set.error ?? remove.error;
  return (
    <div className="overview">
      {data.secrets.length + data.wanted.length === 0 ? (
        <Nothing title="No secrets">No tool needs one.</Nothing>
      ) : (
        <Table label="Secrets" columns={["Secret", "State"]} hasActions>
          {data.wanted.map((one) => (
            <tr key={one.name}>
              <th scope="row">
                <code>{one.name}</code>
              </th>
              <td>
                <Badge meaning="warn">missing</Badge> <span className="small">needed by {one.tools.join(", ")}</span>
              </td>
              <td>
                <button type="button" onClick={() => setName(one.name)}>
                  Set<span className="only-read"> {one.name}</span>
                </button>
              </td>
            </tr>
          ))}
          {data.secrets.map((one) => (
            <tr key={one.name}>
              <th scope="row">
                <code>{one.name}</code>
              </th>
              <td>
                {one.unreadable === true ? <Badge meaning="warn">unreadable</Badge> : <Badge meaning="good">set</Badge>}{" "}
                <span className="small soft">
                  {one.unreadable === true && "set "}by {one.updated_by}, {one.updated_at.slice(0, 16).replace("T", " ")}
                </span>
              </td>
              <td>
                <ConfirmButton verb="Remove" what={one.name} isPending={remove.isPending} onConfirm={() => remove.mutate(one.name)} />
              </td>
            </tr>
          ))}
        </Table>
      )}
      {data.secrets.some((one) => one.unreadable === true) && (
        <p className="small">
          No available master key decrypts what is unreadable. Add the key of before to <code>TOOLRACK_PREVIOUS_KEYS</code> and restart the
          server. Only if that key is lost: <code>toolrack secrets rewrap --forget-unreadable</code>, and set them again.
        </p>
      )}
      <form
        className="draft"
        onSubmit={(event) => {
          event.preventDefault();
          set.mutate(undefined, { onSuccess: () => setValue("") });
        }}
      >
        <h2>Set a secret</h2>
        <label>
          Name
          <input required value={name} onChange={({ target }) => setName(target.value)} placeholder="openrouter-api-key" />
        </label>
        <label>
          Value
          <input required type="password" autoComplete="off" value={value} onChange={({ target }) => setValue(target.value)} />
        </label>
        <p className="buttons">
          <button type="submit" className="primary" disabled={set.isPending}>
            Set
          </button>
          <span role="status">{set.isSuccess && value === "" ? "Set. The value cannot be read here." : ""}</span>
        </p>
        {problem !== null && <p role="alert">{problem.message}</p>}
      </form>
    </div>
  );
}
