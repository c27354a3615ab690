import { FetchError } from "@toolrack/fetch";

/** "LOCALHOST:80" → "localhost:80", "127.1" → "127.0.0.1": the form that URLs have. */
export function readAllowedHost(entry: string): string {
  const [, host, port] = /^(\[[^\]]+\]|[^\s:/@?#\\*]+)(?::(\d{1,5}))?$/.exec(entry) ?? [];
  if (host === undefined || !URL.canParse(`http://${host}`))
    throw new FetchError(
      "URL_INVALID",
      `The allowed host ${JSON.stringify(entry)} must be a host, or a host and a port, such as "localhost:8080".`,
    );
  const { hostname } = new URL(`http://${host}`);
  return port === undefined ? hostname : `${hostname}:${Number(port)}`;
}
