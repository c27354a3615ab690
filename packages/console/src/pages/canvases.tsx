import type { ReactNode } from "react";
import { Link, useSearchParams } from "wouter";
import { ask } from "../api/client.ts";
import { useApi, useChange } from "../api/use-api.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import "./canvases.css";

/** Pages that agents show: each in a frame that runs nothing, loads nothing and reaches nothing of this page. */
export default function Canvases(): ReactNode {
  const [place, setPlace] = useSearchParams();
  const { data, error, refetch } = useApi("/canvases", { refetchInterval: 5_000 });
  const chosen = place.get("canvas") ?? data?.canvases[0]?.id;
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the pages" />;
  return (
    <div className="overview">
      <h1>Pages that agents show</h1>
      {data.canvases.length === 0 && <Nothing title="No pages">An agent shows one with the tool canvas.</Nothing>}
      {data.canvases.length > 0 && (
        <ul className="canvas-list" aria-label="Pages">
          {data.canvases.map(({ id, title, caller, updatedAt }) => (
            <li key={id}>
              <Link href={`/canvases?canvas=${encodeURIComponent(id)}`} aria-current={id === chosen ? "true" : undefined}>
                {title}
              </Link>{" "}
              <span className="small soft">
                by {caller.agent ?? "unknown"}, <Time at={updatedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {chosen !== undefined && <Canvas key={chosen} id={chosen} onRemoved={() => setPlace({})} />}
    </div>
  );
}

function Canvas({ id, onRemoved }: { readonly id: string; readonly onRemoved: () => void }): ReactNode {
  const { data, error, refetch } = useApi("/canvases/{id}", { params: { id }, refetchInterval: 5_000 });
  const remove = useChange(() => ask("DELETE /canvases/{id}", { params: { id } }), ["/canvases"]);
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the page" />;
  return (
    <section aria-label={`Page ${data.title}`}>
      <p className="buttons">
        <span className="small soft">
          An agent made this page. It is only seen: nothing in it can be pressed, and nothing is sent. {data.name}
        </span>
        <ConfirmButton
          verb="Remove"
          what={data.title}
          isPending={remove.isPending}
          onConfirm={() => remove.mutate(undefined, { onSuccess: onRemoved })}
        />
      </p>
      {remove.error !== null && <p role="alert">{remove.error.message}</p>}
      <iframe className="canvas" title={data.title} sandbox="" referrerPolicy="no-referrer" srcDoc={data.document} />
    </section>
  );
}
