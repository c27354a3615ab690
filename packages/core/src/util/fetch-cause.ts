/**
 * Why a `fetch` failed: the platform says only "fetch failed", or "terminated" for a body that breaks off, and keeps the reason in `cause`.
 * "fetch failed: connect ECONNREFUSED 127.0.0.1:9"; any other message as it is.
 */
export function withFetchCause(message: string, error: object): string {
  if (message !== "fetch failed" && message !== "terminated") return message;
  const reason = reasonOf((error as { cause?: unknown }).cause);
  return reason === "" ? message : `${message}: ${reason}`;
}

function reasonOf(cause: unknown, depth = 0): string {
  if (typeof cause !== "object" || cause === null) return typeof cause === "string" ? cause : "";
  const { message, code, errors, socket } = cause as {
    message?: unknown;
    code?: unknown;
    errors?: unknown;
    socket?: { remoteAddress?: unknown; remotePort?: unknown };
  };
  // One for each address that was tried.
  if (Array.isArray(errors) && errors.length > 0 && depth < 3)
    return [...new Set(errors.slice(0, 4).map((error) => reasonOf(error, depth + 1)))].join(", ");
  const text = typeof message === "string" && message !== "" ? message : typeof code === "string" ? code : "";
  return socket?.remoteAddress === undefined ? text : `${text} (${String(socket.remoteAddress)}:${String(socket.remotePort)})`;
}
