import { type ReactNode, useState } from "react";
import type { ToolResult, ToolSuccess } from "../api/types.ts";
import { Badge } from "./badge.tsx";
import { Took } from "./call-table.tsx";
import { Json } from "./json.tsx";
import { type Tab, Tabs } from "./tabs.tsx";

/** What a call gave: text, data and pictures, or why it failed and at which field. Everything is shown as text. */
export function ResultView({ result }: { readonly result: ToolResult }): ReactNode {
  const { ok, meta } = result;
  const forms = ok ? formsOf(result) : [];
  const [form, setForm] = useState<string | undefined>(undefined);
  return (
    <div className="result">
      <p>
        <Badge meaning={ok ? "good" : "bad"}>{ok ? "done" : result.code}</Badge>{" "}
        <span className="small soft">
          <Took call={meta} /> {meta.callId !== "" && `· call ${meta.callId}`}
        </span>
      </p>
      {!ok && <pre tabIndex={0}>{result.error}</pre>}
      {!ok && result.issues !== undefined && result.issues.length > 0 && (
        <ul className="field-errors">
          {result.issues.map((issue, index) => (
            <li key={index}>
              <code>{issue.path || "/"}</code> {issue.message}
            </li>
          ))}
        </ul>
      )}
      {ok && forms.length > 0 && <Tabs label="The result as" current={form ?? forms[0]!.id} onChange={setForm} tabs={forms} />}
      {ok && forms.length === 0 && <p className="soft">No content.</p>}
      {[...(meta.repairs ?? []), ...(meta.warnings ?? [])].map((notice) => (
        <p key={notice} className="reason">
          {notice}
        </p>
      ))}
    </div>
  );
}

/** The forms that a result has, the most telling first. */
function formsOf({ content, data, blocks = [] }: ToolSuccess): readonly Tab[] {
  const images = blocks.filter((block) => block.type === "image").filter(({ mimeType }) => /^image\/(png|jpeg|gif|webp)$/.test(mimeType));
  const picture = ({ data: bytes, mimeType }: (typeof images)[number], index: number): ReactNode => (
    <img key={index} alt={`Picture ${index + 1} of the result`} src={`data:${mimeType};base64,${bytes}`} />
  );
  return [
    ...(images.length > 0 ? [{ id: "image", name: "Picture", content: () => <div className="pictures">{images.map(picture)}</div> }] : []),
    ...(data !== undefined ? [{ id: "data", name: "Data", content: () => <Json label="The result as data" value={data} /> }] : []),
    ...(content !== "" ? [{ id: "text", name: "Text", content: () => <pre tabIndex={0}>{content}</pre> }] : []),
    ...(blocks.length > images.length
      ? [{ id: "blocks", name: "Blocks", content: () => <Json label="The result as blocks" value={blocks} /> }]
      : []),
  ];
}
