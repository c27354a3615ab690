import type { ReactNode } from "react";
import type { ToolResult } from "../api/types.ts";
import { Badge } from "./badge.tsx";
import { Json } from "./json.tsx";

/** What a call gave: text, data and pictures, or why it failed and at which field. Everything is shown as text. */
export function ResultView({ result }: { readonly result: ToolResult }): ReactNode {
  const { ok, content, data, blocks = [], error, code, meta } = result;
  const images = blocks.filter(
    ({ type, data: bytes, mimeType }) =>
      type === "image" && typeof bytes === "string" && /^image\/(png|jpeg|gif|webp)$/.test(mimeType ?? ""),
  );
  return (
    <div className="result">
      <p>
        <Badge meaning={ok ? "good" : "bad"}>{ok ? "done" : (code ?? "failed")}</Badge>{" "}
        <span className="small soft">
          {meta.durationMs.toFixed(1)} ms {meta.callId !== "" && `· call ${meta.callId}`}
        </span>
      </p>
      {!ok && <pre tabIndex={0}>{error}</pre>}
      {ok && data === undefined && content !== undefined && content !== "" && <pre tabIndex={0}>{content}</pre>}
      {data !== undefined && <Json label="The result as data" value={data} />}
      {images.map(({ data: bytes, mimeType }, index) => (
        <img key={index} alt={`Picture ${index + 1} of the result`} src={`data:${mimeType};base64,${String(bytes)}`} />
      ))}
      {meta.warnings?.map((warning) => (
        <p key={warning} className="reason">
          {warning}
        </p>
      ))}
    </div>
  );
}
