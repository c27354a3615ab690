import type { ReactNode } from "react";
import { ask } from "../api/client.ts";
import type { ToolDetails } from "../api/types.ts";
import { useChange } from "../api/use-api.ts";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Json } from "../parts/json.tsx";

/** What is changed here about the tool of its source, whether that still fits, and a way back. */
export default function Overlay({
  overlay,
  tool,
}: {
  readonly overlay: NonNullable<ToolDetails["overlay"]>;
  readonly tool: string;
}): ReactNode {
  const paths = ["/tools", "/tools/{name}", "/overlays"] as const;
  const confirm = useChange(() => ask("POST /tools/{name}/overlay/confirmation", { params: { name: tool } }), paths);
  const remove = useChange(() => ask("DELETE /tools/{name}/overlay", { params: { name: tool } }), paths);
  const failed = confirm.error ?? remove.error;
  return (
    <section aria-label="Overlay" className="overview">
      <h2>Overlay</h2>
      <p>
        This tool is <code>{overlay.tool}</code> of <code>{overlay.sourceId}</code>, changed by {overlay.origin}
        {overlay.over !== undefined && ` over ${overlay.over}`}
        {overlay.by !== undefined && ` (${overlay.by})`}.{overlay.reason !== undefined && ` Reason: ${overlay.reason}`}
      </p>
      <Json label="What is changed" value={overlay.overlay} />
      {overlay.loosens.length > 0 && (
        <p className="reason">
          Allows what {overlay.over ?? "was said before"} does not: {overlay.loosens.join(", ")}.
        </p>
      )}
      {overlay.stale.length > 0 && (
        <p className="reason">
          Stale: {overlay.stale.join(", ")} changed at the source.{" "}
          <button type="button" disabled={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
            Still right
          </button>
        </p>
      )}
      {overlay.unconfirmed === true && (
        <p className="reason">
          No admin has confirmed its name and groups, so lists that allow go by what the source says.{" "}
          <button type="button" disabled={confirm.isPending} onClick={() => confirm.mutate(undefined)}>
            Confirm
          </button>
        </p>
      )}
      {overlay.origin.startsWith("record ") && (
        <p className="buttons">
          <ConfirmButton
            verb="Remove"
            what={`the overlay of ${tool}`}
            isPending={remove.isPending}
            onConfirm={() => remove.mutate(undefined)}
          />
        </p>
      )}
      {failed !== null && <p role="alert">{failed.message}</p>}
    </section>
  );
}
