import { shellWord } from "@toolrack/core/internal/shell-word";
import type { ReactNode } from "react";
import { addressOf, ask } from "../api/client.ts";
import { useChange } from "../api/use-api.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Failed } from "../parts/states.tsx";

/** For platforms that take an OpenAPI document instead of an MCP server. */
export function AgentDocument({ agent, tools }: { readonly agent: string; readonly tools: number }): ReactNode {
  const params = { id: agent };
  const download = useChange(async () => {
    const document = await ask("GET /agents/{id}/openapi.json", { params });
    saveFile(`${agent}-openapi.json`, JSON.stringify(document, undefined, 2));
  }, []);
  const address = `${location.origin}${addressOf("/agents/{id}/openapi.json", { params })}`;
  const command = `toolrack --url ${shellWord(location.origin)} export openapi --agent ${shellWord(agent)}`;
  return (
    <section aria-label="OpenAPI">
      <h2>Platforms that take OpenAPI</h2>
      <p>
        The tools of {agent} as an OpenAPI document: one operation for each tool, called with a key of {agent}.
      </p>
      <p className="buttons">
        <button type="button" disabled={download.isPending} onClick={() => download.mutate(undefined)}>
          Download openapi.json
        </button>
      </p>
      {download.error !== null && <Failed error={download.error} />}
      <pre tabIndex={0} aria-label="Where the document is, and the command that prints it">
        {address}
        {"\n"}
        {command}
      </pre>
      <CopyButton text={address} what="the address of the document" />
      {tools > maxOperations && (
        <p className="reason">
          It has {tools} operations, and ChatGPT takes {maxOperations}. Choose fewer with a bundle: add ?bundle=… to the address.
        </p>
      )}
      {location.protocol !== "https:" && <p className="small soft">Platforms call HTTPS addresses only: set server.publicUrl.</p>}
    </section>
  );
}

const maxOperations = 30;

function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
