import { type DragEvent, type ReactNode, useState } from "react";
import { Link } from "wouter";
import { ask } from "../api/client.ts";
import type { OpenApiPlan, SourceInfo } from "../api/types.ts";
import { useChange } from "../api/use-api.ts";
import { HostsField, readHosts } from "../parts/hosts-field.tsx";
import { Failed } from "../parts/states.tsx";
import { Operations } from "./_operations.tsx";
import { PlanSummary } from "./_plan-summary.tsx";
import { RequestPreview } from "./_request-preview.tsx";
import "./add-api.css";

interface Written {
  readonly id: string;
  readonly url: string;
  readonly text: string;
  readonly baseUrl: string;
  readonly allowHosts: string;
}

const empty: Written = { id: "", url: "", text: "", baseUrl: "", allowHosts: "" };

/** A plan with what it was made from, so that what is saved is what was shown. */
interface Planned {
  readonly plan: OpenApiPlan;
  readonly given: GivenApi;
}

/** As the API takes it. */
export interface GivenApi {
  readonly openapi: Readonly<Record<string, unknown>>;
  readonly document?: string;
  readonly source: string;
}

export function AddApi(): ReactNode {
  const [written, setWritten] = useState(empty);
  const [isOver, setIsOver] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [shown, setShown] = useState<string | undefined>();
  const set = (change: Partial<Written>): void => setWritten((before) => ({ ...before, ...change }));
  const read = useChange(async (): Promise<Planned> => {
    const given = toGiven(written);
    return { given, plan: await ask("POST /openapi/plan", { body: given }) };
  }, []);
  const save = useChange(
    async ({ plan, given: { source, openapi, document } }: Planned) => {
      const isAll = chosen.size === plan.tools.length;
      const whole = { ...openapi, ...secretsOf(plan), ...(!isAll && { include: [...chosen] }) };
      const body = { openapi: whole, ...(document !== undefined && { document }) };
      const saved = await ask("PUT /sources/{id}", { params: { id: source }, body });
      return agreeToOperations(saved);
    },
    ["/sources", "/tools", "/approvals"],
  );
  const takeFile = (file: File | undefined): void => void file?.text().then((text) => set({ text, url: "" }));
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    takeFile(event.dataTransfer.files[0]);
  };
  const planned = read.data;
  return (
    <>
      <form
        className={`draft add-api${isOver ? " is-over" : ""}`}
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={onDrop}
        onSubmit={(event) => {
          event.preventDefault();
          setShown(undefined);
          save.reset();
          read.mutate(undefined, { onSuccess: ({ plan }) => setChosen(new Set(plan.tools.map(({ operation }) => operation))) });
        }}
      >
        <h2>1. Read the document</h2>
        <label>
          Name
          <input required value={written.id} onChange={({ target }) => set({ id: target.value })} placeholder="petstore" />
        </label>
        <label>
          Address of the document
          <input
            type="url"
            value={written.url}
            onChange={({ target }) => set({ url: target.value, ...(target.value !== "" && { text: "" }) })}
            placeholder="https://api.example.com/openapi.json"
          />
        </label>
        <label>
          Or a file
          <input type="file" accept=".json,.yaml,.yml" onChange={({ target }) => takeFile(target.files?.[0])} />
        </label>
        <label>
          Or its text: paste it, or drop the file here
          <textarea
            rows={6}
            spellCheck={false}
            value={written.text}
            onChange={({ target }) => set({ text: target.value, ...(target.value !== "" && { url: "" }) })}
            placeholder="openapi: 3.1.0 …"
          />
        </label>
        <label>
          Address of the API, if the document names none or another
          <input
            type="url"
            value={written.baseUrl}
            onChange={({ target }) => set({ baseUrl: target.value })}
            placeholder="https://api.example.com/v1"
          />
        </label>
        <HostsField value={written.allowHosts} onChange={(allowHosts) => set({ allowHosts })} />
        <p className="buttons">
          <button type="submit" className="primary" disabled={read.isPending || (written.url.trim() === "" && written.text.trim() === "")}>
            {read.isPending ? "Reading …" : "Read"}
          </button>
        </p>
        {read.error !== null && <p role="alert">{read.error.message}</p>}
      </form>
      {planned !== undefined && (
        <>
          <section aria-label="Plan">
            <h2>2. Choose operations</h2>
            <PlanSummary plan={planned.plan} />
            <Operations tools={planned.plan.tools} chosen={chosen} onChange={setChosen} onShow={setShown} />
          </section>
          {shown !== undefined && (
            <RequestPreview
              key={shown}
              given={{ ...planned.given, openapi: { ...planned.given.openapi, ...secretsOf(planned.plan) } }}
              operation={shown}
              isReadOnly={planned.plan.tools.some(({ operation, readOnly }) => operation === shown && readOnly)}
              onClose={() => setShown(undefined)}
            />
          )}
          <section aria-label="Save">
            <h2>3. Save</h2>
            <p className="buttons">
              <button type="button" className="primary" disabled={save.isPending || chosen.size === 0} onClick={() => save.mutate(planned)}>
                Save as {planned.given.source}
              </button>
              <span role="status">{save.data === undefined ? "" : savedWords(save.data)}</span>
            </p>
            {save.error !== null && <Failed error={save.error} />}
            {save.data !== undefined && (
              <ul aria-label="Try the tools">
                {save.data.served.slice(0, 10).map((name) => (
                  <li key={name}>
                    <Link href={`/tools/${encodeURIComponent(name)}?tab=try`}>Try {name}</Link>
                  </li>
                ))}
                {save.data.waiting > 0 && (
                  <li>
                    <Link href="/approvals">Look at what waits</Link>
                  </li>
                )}
                <li>
                  <Link href="/system?tab=sources">See the source</Link>
                </li>
              </ul>
            )}
          </section>
        </>
      )}
    </>
  );
}

function toGiven({ id, url, text, baseUrl, allowHosts }: Written): GivenApi {
  const openapi = {
    ...(url.trim() !== "" && { url: url.trim() }),
    ...(baseUrl.trim() !== "" && { baseUrl: baseUrl.trim() }),
    ...readHosts(allowHosts),
  };
  return { source: id.trim(), openapi, ...(url.trim() === "" && { document: text }) };
}

/** The page names the secrets that calls need: calling and saving give them to this API. */
function secretsOf({ secrets }: OpenApiPlan): { readonly secrets?: Readonly<Record<string, string>> } {
  return secrets.length === 0 ? {} : { secrets: Object.fromEntries(secrets.map(({ secret }) => [secret, secret])) };
}

/** What became of a source that was saved. */
interface Saved {
  readonly served: readonly string[];
  /** How many operations wait until somebody has looked at them. */
  readonly waiting: number;
  readonly error?: string;
}

function savedWords({ served, waiting, error }: Saved): string {
  const counted = (count: number): string => (count === 1 ? "One tool" : `${count} tools`);
  if (error !== undefined) return `Saved, but its tools could not be read: ${error}`;
  const held = waiting === 0 ? "" : ` ${counted(waiting)} must be looked at first.`;
  return `Saved. ${counted(served.length)} can be called.${held}`;
}

/** Saving counts as approval of the operations that were chosen; those in whose words something was found wait for a look at each. */
async function agreeToOperations(saved: SourceInfo): Promise<Saved> {
  const params = { source: `openapi:${saved.id}` };
  let source = saved;
  while (source.state === "starting") {
    await new Promise((resolve) => setTimeout(resolve, 200));
    source = (await ask("GET /sources")).sources.find(({ id }) => id === saved.id) ?? { ...source, state: "failed" };
  }
  if (source.state === "failed") return { served: [], waiting: 0, error: source.error ?? "the source failed." };
  const { definitions, digest } = await ask("GET /definitions/sources/{source}", { params });
  if (definitions.length > 0) {
    await ask("POST /definitions/sources/{source}/approve", { params, body: { digest } });
    source = await ask("POST /sources/{id}/refresh", { params: { id: saved.id } });
  }
  const { definitions: waiting } = await ask("GET /approvals", { query: { limit: 200 } });
  return { served: source.tools, waiting: waiting.filter((one) => one.source === params.source).length };
}
