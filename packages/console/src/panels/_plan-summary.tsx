import type { ReactNode } from "react";
import type { OpenApiPlan } from "../api/types.ts";

/** What a document holds, in counts, and what stands in the way. */
export function PlanSummary({ plan }: { readonly plan: OpenApiPlan }): ReactNode {
  const { title, version, format, servers, operations, tools, refused, warnings, tokens, secrets, searched } = plan;
  return (
    <>
      <p role="status">
        {title} {version}, {format}: {operations} operations, {tools.length} can be tools, {refused.length} refused.
      </p>
      <dl className="facts">
        <div className="fact">
          <dt>Requests go to</dt>
          <dd>{servers.length === 0 ? "an address that you have to give above" : servers.join(", ")}</dd>
        </div>
        <div className="fact">
          <dt>Tokens</dt>
          <dd>about {tokens.map((one) => `${one.tokens} for ${one.vendor}`).join(", ")}</dd>
        </div>
        {secrets.map(({ secret, isSet, tools: count }) => (
          <div key={secret} className="fact">
            <dt>Secret {secret}</dt>
            <dd>
              for {count === 1 ? "one operation" : `${count} operations`}, {isSet ? "set" : "not set yet: set it under System, Secrets"}
            </dd>
          </div>
        ))}
      </dl>
      {searched && (
        <p className="reason">
          These are many: models will find them by search, instead of having all of them listed. Choose fewer to list them.
        </p>
      )}
      <Lines
        title={refused.length === 1 ? "1 refused operation" : `${refused.length} refused operations`}
        lines={refused.map(({ operation, reason }) => `${operation}: ${reason}`)}
      />
      <Lines title={warnings.length === 1 ? "1 warning" : `${warnings.length} warnings`} lines={warnings} />
    </>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <details>
      <summary>{title}</summary>
      <ul className="small">
        {lines.slice(0, 200).map((line) => (
          <li key={line}>{line}</li>
        ))}
        {lines.length > 200 && <li>and {lines.length - 200} more; the command `toolrack openapi plan` shows all of them</li>}
      </ul>
    </details>
  );
}
