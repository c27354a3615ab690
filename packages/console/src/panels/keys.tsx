import { type ReactNode, useState } from "react";
import { ask } from "../api/client.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";

const roles = ["emitter", "subscriber", "curator", "admin", "owner"] as const;

/** Who may sign in. A new key is shown once. */
export function Keys(): ReactNode {
  const { data, error, refetch } = useApi("/keys");
  const [agent, setAgent] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const create = useChange(() => ask("POST /keys", { body: { agent, roles: chosen } }), ["/keys", "/agents"]);
  const revoke = useChange((id: string) => ask("DELETE /keys/{id}", { params: { id } }), ["/keys", "/agents"]);
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the keys" />;
  return (
    <div className="overview">
      {data.keys.length === 0 ? (
        <Nothing title="No keys">
          There are no API keys, so only this machine can use the server. After the first key is created, every request needs a key: create
          one with the role admin for yourself first.
        </Nothing>
      ) : (
        <Table label="Keys" columns={["Key", "Agent", "Roles", "Expires"]} hasActions>
          {data.keys.map((key) => (
            <tr key={key.id}>
              <th scope="row">
                <code>{key.id}</code>
              </th>
              <td>{key.agent}</td>
              <td>{key.roles.join(", ") || "none"}</td>
              <td className="small">{key.expiresAt === undefined ? "never" : <Time at={key.expiresAt} />}</td>
              <td>
                <ConfirmButton
                  verb="Revoke"
                  what={`the key of ${key.agent}`}
                  isPending={revoke.isPending}
                  onConfirm={() => revoke.mutate(key.id)}
                />
              </td>
            </tr>
          ))}
        </Table>
      )}
      <form
        className="draft"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(undefined);
        }}
      >
        <h2>Create a key</h2>
        <label>
          Agent
          <input required value={agent} onChange={({ target }) => setAgent(target.value)} placeholder="support" />
        </label>
        <fieldset>
          <legend>Roles</legend>
          {roles.map((role) => (
            <label key={role} className="choice">
              <input
                type="checkbox"
                checked={chosen.includes(role)}
                onChange={({ target }) => setChosen(target.checked ? [...chosen, role] : chosen.filter((one) => one !== role))}
              />{" "}
              {role}
            </label>
          ))}
        </fieldset>
        <p className="buttons">
          <button type="submit" className="primary" disabled={create.isPending}>
            Create
          </button>
        </p>
        {create.data !== undefined && (
          <p role="status">
            Save it now, it is not shown again: <code>{create.data.secret}</code>
          </p>
        )}
        {(create.error ?? revoke.error) !== null && <p role="alert">{(create.error ?? revoke.error)?.message}</p>}
      </form>
    </div>
  );
}
