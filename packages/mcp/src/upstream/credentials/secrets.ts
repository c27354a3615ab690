import { ToolError } from "@toolrack/core";
import { decodeUri } from "@toolrack/core/internal";
import type { UpstreamOptions } from "../upstream.ts";

/** Values with their secrets filled in, and the secrets alone. */
export interface FilledValues {
  readonly values: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

/** { authorization: "Bearer ${secret:token}" } → { authorization: "Bearer t0k3n" }. A secret that is not set is an error. */
export async function fillSecrets(
  values: Readonly<Record<string, string>>,
  { name: server, secret }: UpstreamOptions,
): Promise<FilledValues> {
  const filled: [string, string][] = [];
  const secrets: string[] = [];
  const read = async (name: string): Promise<string> => {
    const value = await secret?.(name);
    if (value === undefined)
      throw new ToolError("SECRET_MISSING", `The secret "${name}" of MCP server "${server}" is not set. Set it, then connect again.`);
    secrets.push(value);
    return value;
  };
  for (const [key, value] of Object.entries(values)) {
    const whole = /^secret:([A-Za-z0-9_.-]+)$/.exec(value);
    filled.push([key, whole === null ? await fillText(value, read) : await read(whole[1]!)]);
  }
  return { values: Object.fromEntries(filled), secrets };
}

async function fillText(text: string, read: (name: string) => Promise<string>): Promise<string> {
  const parts = text.split(/\$\{secret:([A-Za-z0-9_.-]+)\}/);
  // Every second part is a name.
  const filled = await Promise.all(parts.map((part, index) => (index % 2 === 1 ? read(part) : part)));
  return filled.join("");
}

/** "https://host/${secret:path}/mcp" → the address with its secrets. Each stays inside its part of the path or of the query. */
export async function fillUrl(text: string, options: UpstreamOptions): Promise<{ readonly url: URL; readonly secrets: readonly string[] }> {
  const names = [...text.matchAll(reference)].map(([, name]) => name!);
  const { values, secrets } = await fillSecrets(Object.fromEntries(names.map((name) => [name, `secret:${name}`])), options);
  const url = new URL(text.replace(reference, (_whole, name: string) => inUrl(values[name]!)));
  return { url, secrets: [...secrets, ...secrets.map(inUrl)] };
}

const reference = /\$\{secret:([A-Za-z0-9_.-]+)\}/g;

/** As one part of a path or a query; what needs no escape there is kept as a server may compare it. */
function inUrl(value: string): string {
  return encodeURIComponent(value).replace(/%(?:3A|40|2C|3D)/g, decodeURIComponent);
}

/** { authorization: "Bearer t0k3n", accept: "text/html" } → ["Bearer t0k3n", "t0k3n"]: what must not be seen again. */
export function credentialsIn(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(headers)
    .filter(([name]) => secretName.test(name))
    .flatMap(([, value]) => [value, ...value.split(/\s+/).slice(1)]);
}

/** "https://me:pw@host/?token=t0k3n" → ["me", "pw", "t0k3n"], as they are written and as they are meant. */
export function credentialsInUrl(url: URL): readonly string[] {
  const written = [url.username, url.password].flatMap((text) => [text, decodeUri(text)]);
  const values = [...url.searchParams].flatMap(([name, value]) => (secretName.test(name) ? [value, encodeURIComponent(value)] : []));
  return [...new Set([...written, ...values])].filter((text) => text !== "");
}

const secretName = /auth|key|token|secret|cookie|password|sig/i;
