import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { ask, pageOf } from "../api/client.ts";
import type { DefinitionInfo, RecordAnswer } from "../api/types.ts";
import { useChange } from "../api/use-api.ts";

type Kind = "code" | "chain";

interface Written {
  readonly name: string;
  readonly description: string;
  readonly kind: Kind;
  readonly source: string;
  readonly tools: string;
  readonly chain: string;
  readonly inputSchema: string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const empty: Written = {
  name: "",
  description: "",
  kind: "code",
  source: "return { fahrenheit: input.celsius * 1.8 + 32 };\n",
  tools: "",
  chain: json({
    steps: [
      { id: "a", tool: "random", input: {} },
      { id: "b", tool: "calculator", input: { expression: "${a.numbers[0]} + 1" } },
    ],
  }),
  inputSchema: json({ type: "object", properties: {}, required: [], additionalProperties: false }),
};

/** Writes a tool that is a program or a chain. With a record, changes that one. */
export function StoredForm({ record }: { readonly record?: RecordAnswer }): ReactNode {
  const [written, setWritten] = useState(() => (record === undefined ? empty : fromRecord(record)));
  const set = (change: Partial<Written>): void => setWritten((before) => ({ ...before, ...change }));
  const save = useChange(async (): Promise<DefinitionInfo | undefined> => {
    const id = `tool-def-${written.name}`;
    const headers: Readonly<Record<string, string>> = record === undefined ? {} : { "if-match": `"${record.version}"` };
    await ask("PUT /breadcrumbs/{id}", { params: { id }, body: toRecord(written, record), headers });
    return (await ask("GET /lifecycle")).definitions.find((one) => one.id === id);
  }, ["/breadcrumbs", "/lifecycle", "/tools", "/approvals"]);
  return (
    <form
      className="draft"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(undefined);
      }}
    >
      <label>
        Name
        <input
          required
          readOnly={record !== undefined}
          pattern="[A-Za-z][A-Za-z0-9_\-]{0,63}"
          value={written.name}
          onChange={({ target }) => set({ name: target.value })}
          placeholder="to_fahrenheit"
        />
      </label>
      <label>
        Description, by which models select the tool
        <input required value={written.description} onChange={({ target }) => set({ description: target.value })} />
      </label>
      <label>
        Kind
        <select value={written.kind} onChange={({ target }) => set({ kind: target.value as Kind })}>
          <option value="code">Program</option>
          <option value="chain">Chain of calls</option>
        </select>
      </label>
      <label>
        Input, as a JSON Schema
        <textarea rows={6} spellCheck={false} value={written.inputSchema} onChange={({ target }) => set({ inputSchema: target.value })} />
      </label>
      {written.kind === "code" ? (
        <>
          <label>
            Program: “input” holds the parameters, “return” gives the result
            <textarea rows={12} spellCheck={false} value={written.source} onChange={({ target }) => set({ source: target.value })} />
          </label>
          <label>
            Tools that it may call, separated by commas
            <input value={written.tools} onChange={({ target }) => set({ tools: target.value })} placeholder="random, calculator" />
          </label>
        </>
      ) : (
        <label>
          Chain, as JSON
          <textarea rows={16} spellCheck={false} value={written.chain} onChange={({ target }) => set({ chain: target.value })} />
        </label>
      )}
      <p className="buttons">
        <button type="submit" className="primary" disabled={save.isPending}>
          {record === undefined ? "Save" : "Save the change"}
        </button>
      </p>
      {save.error !== null && (
        <pre role="alert" className="reason">
          {save.error.message}
        </pre>
      )}
      {save.data !== undefined && (
        <p role="status">
          {save.data.state === "approved" ? (
            <>
              Saved and approved: <Link href={pageOf(save.data.name, "?tab=try")}>try it</Link>
            </>
          ) : (
            <>
              Saved as a draft. It can be called once it is approved:{" "}
              <Link href={`/changes?open=${encodeURIComponent(save.data.name)}`}>review it</Link>
            </>
          )}
        </p>
      )}
    </form>
  );
}

function fromRecord({ context = {} }: RecordAnswer): Written {
  const { kind, source, tools, ...chain } = (context["implementation"] ?? {}) as Readonly<Record<string, unknown>>;
  return {
    ...empty,
    name: String(context["name"]),
    description: String(context["description"]),
    inputSchema: json(context["inputSchema"]),
    ...(kind === "chain"
      ? { kind, chain: json(chain) }
      : { kind: "code", source: String(source), tools: Array.isArray(tools) ? tools.join(", ") : "" }),
  };
}

/** Throws, with the name of the field, where a text is not JSON. */
function toRecord(written: Written, record: RecordAnswer | undefined): object {
  const { name, description, kind, source, tools } = written;
  const implementation =
    kind === "code"
      ? { kind, source, tools: tools.split(/[\s,]+/).filter((tool) => tool !== "") }
      : { ...(parse(written.chain, "The chain") as object), kind };
  // What was decided about the earlier content does not hold for this one.
  const { state: _state, review: _review, ...before } = record?.context ?? {};
  return {
    schema_name: "tool.definition.v1",
    title: record?.title ?? name,
    tags: record?.tags ?? ["tool:definition"],
    context: { ...before, name, description, inputSchema: parse(written.inputSchema, "The input schema"), implementation },
  };
}

function parse(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${what} is not JSON: ${(error as Error).message}`);
  }
}
