/** A request in one form: two that mean the same to a server are equal, however they are encoded. */
export function normalForm({ url, headers = {}, body }) {
  const parsed = new URL(url);
  return JSON.stringify({
    path: `${parsed.origin}${parsed.pathname.split("/").map(decoded).join("/")}`.replaceAll(/\/+/g, "/"),
    query: pairsOf(parsed.search.slice(1)),
    headers: headersOf(headers),
    body: body ?? null,
  });
}

export function pairsOf(text) {
  return text
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) =>
      pair
        .split("=")
        .map((part) => decoded(part.replaceAll("+", " ")))
        .join("="),
    )
    .toSorted();
}

function headersOf(headers) {
  return Object.entries(headers)
    .map(([name, value]) => [name.toLowerCase(), String(value)])
    .filter(([name]) => name !== "accept" && name !== "content-type" && name !== "cookie")
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
