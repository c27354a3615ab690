import { type ReactNode, useId } from "react";
import type { Caller } from "../api/types.ts";
import { useApi } from "../api/use-api.ts";
import "./caller-form.css";

type Fact = "provider" | "model" | "channel" | "group" | "sender" | "session";

const facts: readonly { readonly name: Fact; readonly label: string; readonly example: string }[] = [
  { name: "provider", label: "Provider", example: "anthropic" },
  { name: "model", label: "Model", example: "any" },
  { name: "channel", label: "Channel", example: "chat" },
  { name: "group", label: "Group of the channel", example: "team-a" },
  { name: "sender", label: "Sender", example: "ada@example.com" },
  { name: "session", label: "Session", example: "s-1" },
];

/** Who asks: any agent, known or not, and what else a policy may look at. What is left empty is unknown. */
export function CallerForm(props: {
  readonly label: string;
  readonly caller: Caller;
  readonly placeholder: string;
  readonly onChange: (caller: Caller) => void;
}): ReactNode {
  const { label, caller, placeholder, onChange } = props;
  const id = useId();
  const agents = useApi("/agents");
  const set = (name: "agent" | Fact, value: string): void => {
    const { [name]: _, ...others } = caller;
    onChange(value === "" ? others : { ...others, [name]: value });
  };
  return (
    <div className="caller-form">
      <label>
        {label}
        <input
          list={id}
          value={caller.agent ?? ""}
          placeholder={placeholder}
          onChange={({ target }) => set("agent", target.value.trim())}
        />
      </label>
      <datalist id={id}>
        {agents.data?.agents.map((agent) => (
          <option key={agent.id} value={agent.id}>
            {agent.description}
          </option>
        ))}
      </datalist>
      <details>
        <summary>More about the caller</summary>
        <div className="caller-facts">
          {facts.map((fact) => (
            <label key={fact.name}>
              {fact.label}
              <input value={caller[fact.name] ?? ""} placeholder={fact.example} onChange={({ target }) => set(fact.name, target.value)} />
            </label>
          ))}
        </div>
      </details>
    </div>
  );
}
