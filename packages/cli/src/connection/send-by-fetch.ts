import type { Send } from "./send.ts";

/** To a server at a URL such as "http://127.0.0.1:7333". */
export function sendByFetch(url: string, key: string | undefined): Send {
  return async ({ method, path, query, headers, body, signal }) => {
    const response = await fetch(`${url}${path}${query === "" ? "" : `?${query}`}`, {
      method,
      // Followed, it would take along what is sent: the value of a secret, the input of a call.
      redirect: "manual",
      headers: key === undefined ? headers : { authorization: `Bearer ${key}`, ...headers },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    return {
      status: response.status,
      contentType: response.headers.get("content-type") ?? "",
      isToolrack: response.headers.has("toolrack-api"),
      header: (name) => response.headers.get(name) ?? undefined,
      text: () => response.text(),
      stream: () => response.body ?? undefined,
    };
  };
}
