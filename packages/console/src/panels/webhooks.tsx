import { type ReactNode, useState } from "react";
import { ask } from "../api/client.ts";
import type { DeliveryInfo, EndpointInfo } from "../api/types.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { Badge, type Meaning } from "../parts/badge.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";

/** Webhooks that are sent, with the health of their receivers, and those that are taken. */
export function Webhooks(): ReactNode {
  const sent = useApi("/webhooks", { refetchInterval: 10_000 });
  const taken = useApi("/hooks");
  const [chosen, setChosen] = useState<string>();
  const error = sent.error ?? taken.error;
  if (error !== null && (sent.data === undefined || taken.data === undefined))
    return <Failed error={error} onRetry={() => void Promise.all([sent.refetch(), taken.refetch()])} />;
  if (sent.data === undefined || taken.data === undefined) return <Loading what="the webhooks" />;
  return (
    <>
      <h2>Sent</h2>
      {sent.data.webhooks.length === 0 ? (
        <Nothing title="None is sent">
          A webhook tells another system what happened. Add one with: <code>toolrack hooks send</code>
        </Nothing>
      ) : (
        <Table label="Webhooks that are sent" columns={["Webhook", "State", "To", "Delivered", "Waiting", "Dead"]} hasActions>
          {sent.data.webhooks.map((one) => (
            <Sent key={one.id} webhook={one} onShow={() => setChosen(one.id)} />
          ))}
        </Table>
      )}
      {chosen !== undefined && <Deliveries key={chosen} id={chosen} onClose={() => setChosen(undefined)} />}
      <h2>Taken</h2>
      {taken.data.hooks.length === 0 ? (
        <Nothing title="None is taken">
          A hook calls a tool when another system sends a request. Add one with: <code>toolrack hooks take</code>
        </Nothing>
      ) : (
        <Table label="Webhooks that are taken" columns={["Hook", "Path", "Calls", "As", "Proof"]}>
          {taken.data.hooks.map(({ name, path, spec }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                <code>{path}</code>
              </td>
              <td>
                <code>{spec.tool}</code>
              </td>
              <td>{spec.agent}</td>
              <td>{spec.verify ?? "signature"}</td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

function stateOf({ state, health }: EndpointInfo): { readonly word: string; readonly meaning: Meaning } {
  if (state !== "active") return { word: state, meaning: state === "disabled" ? "bad" : "quiet" };
  return health.state === "failing" ? { word: "failing", meaning: "bad" } : { word: health.state, meaning: "good" };
}

function Sent({ webhook, onShow }: { readonly webhook: EndpointInfo; readonly onShow: () => void }): ReactNode {
  const { id, spec, health, state, origin, reason } = webhook;
  const test = useChange(() => ask("POST /webhooks/{id}/test", { params: { id } }), ["/webhooks"]);
  const pause = useChange(() => ask("POST /webhooks/{id}/pause", { params: { id } }), ["/webhooks"]);
  const resume = useChange(() => ask("POST /webhooks/{id}/resume", { params: { id } }), ["/webhooks"]);
  const remove = useChange(() => ask("DELETE /webhooks/{id}", { params: { id } }), ["/webhooks"]);
  const failed = test.error ?? pause.error ?? resume.error ?? remove.error;
  const { word, meaning } = stateOf(webhook);
  return (
    <tr>
      <th scope="row">
        <code>{id}</code>
      </th>
      <td>
        <Badge meaning={meaning}>{word}</Badge> <span className="small">{reason ?? health.lastError}</span>
      </td>
      <td>
        <code>{spec.url}</code>
      </td>
      <td>{health.delivered}</td>
      <td>{health.waiting}</td>
      <td>{health.dead}</td>
      <td className="buttons">
        <button type="button" onClick={onShow}>
          Deliveries<span className="only-read"> of {id}</span>
        </button>
        <button type="button" disabled={test.isPending} onClick={() => test.mutate(undefined)}>
          Test<span className="only-read"> {id}</span>
        </button>
        {state === "active" ? (
          <button type="button" disabled={pause.isPending} onClick={() => pause.mutate(undefined)}>
            Pause<span className="only-read"> {id}</span>
          </button>
        ) : (
          <button type="button" disabled={resume.isPending} onClick={() => resume.mutate(undefined)}>
            Resume<span className="only-read"> {id}</span>
          </button>
        )}
        {origin === "api" && (
          <ConfirmButton verb="Remove" what={`the webhook ${id}`} isPending={remove.isPending} onConfirm={() => remove.mutate(undefined)} />
        )}
        {failed !== null && <span role="alert">{failed.message}</span>}
      </td>
    </tr>
  );
}

const meanings: Readonly<Record<DeliveryInfo["state"], Meaning>> = {
  waiting: "warn",
  running: "warn",
  done: "good",
  dead: "bad",
  cancelled: "quiet",
};

function Deliveries({ id, onClose }: { readonly id: string; readonly onClose: () => void }): ReactNode {
  const { data, error, refetch } = useApi("/webhooks/{id}/deliveries", { params: { id }, query: { limit: 100 }, refetchInterval: 5_000 });
  const replay = useChange(
    (delivery: string) => ask("POST /webhooks/{id}/deliveries/{delivery}/replay", { params: { id, delivery } }),
    ["/webhooks"],
  );
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the deliveries" />;
  return (
    <section aria-label={`Deliveries of ${id}`}>
      <div className="buttons">
        <h3>Deliveries of {id}</h3>
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      {data.deliveries.length === 0 ? (
        <Nothing title="Nothing was sent">What it sends appears here.</Nothing>
      ) : (
        <Table label={`Deliveries of ${id}`} columns={["Event", "State", "Since", "Tries", "Answer"]} hasActions>
          {data.deliveries.map((one) => (
            <tr key={one.id}>
              <td>{one.type}</td>
              <td>
                <Badge meaning={meanings[one.state]}>{one.state}</Badge>
              </td>
              <td className="small">
                <Time at={one.createdAt} />
              </td>
              <td>{one.attempt}</td>
              <td>{one.status ?? one.error ?? ""}</td>
              <td>
                {one.state === "dead" && (
                  <button type="button" disabled={replay.isPending} onClick={() => replay.mutate(one.id)}>
                    Replay<span className="only-read"> {one.messageId}</span>
                  </button>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      {replay.error !== null && <p role="alert">{replay.error.message}</p>}
    </section>
  );
}
