import type { ReactNode } from "react";

interface HostsFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Hosts that a source may reach although their address is private. */
export function HostsField({ value, onChange }: HostsFieldProps): ReactNode {
  return (
    <label>
      Private hosts that it may reach
      <input value={value} onChange={({ target }) => onChange(target.value)} placeholder="localhost:8080, 10.0.0.5" />
    </label>
  );
}

/** As the API takes them: nothing for a field that is empty. */
export function readHosts(value: string): { readonly allowHosts?: readonly string[] } {
  const allowHosts = value.split(/[\s,]+/).filter((host) => host !== "");
  return allowHosts.length > 0 ? { allowHosts } : {};
}
