/** The name under which a worker holds jobs: two workers of one server are two holders. "3f9a…-4711-k3Jx0Q/2" */
export function nextHolder(server: () => string): () => string {
  workers += 1;
  const suffix = `/${workers}`;
  return () => server() + suffix;
}

/** The server that a holder works in. */
export function serverOf(holder: string): string {
  return holder.slice(0, holder.lastIndexOf("/"));
}

let workers = 0;
