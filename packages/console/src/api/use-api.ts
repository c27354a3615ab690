import { QueryClient, useMutation, type UseMutationResult, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, type AskArguments, type AskOptions, pathOf, request } from "./client.ts";
import type { Live } from "./live.ts";
import type { ApiAnswers, ApiOperation } from "./types.ts";

export function createQueries(): QueryClient {
  // What is on the page is kept in step by events; asking again on every focus would only make it flicker.
  return new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, refetchOnWindowFocus: false, retry: isWorthRetry } } });
}

/** A refusal stays one; a line that broke may hold the second time. */
function isWorthRetry(failures: number, error: Error): boolean {
  return failures < 1 && !(error instanceof ApiError);
}

/** The answer of a GET, asked once for all who want it, and again when an event says that it changed. */
export function useApi<Path extends ReadPath>(
  path: Path,
  ...[options = {}]: AskArguments<Path, ReadOptions>
): UseQueryResult<ApiAnswers[`GET ${Path}`], Error> {
  const { params, query = {}, ...more } = options;
  const address = pathOf(path, params);
  return useQuery<ApiAnswers[`GET ${Path}`], Error>({
    queryKey: [address, query],
    queryFn: ({ signal }) => request(`GET ${path}`, { ...(params && { params }), query, signal }),
    // Another question about the same thing keeps the answer in place until the new one is there; another thing does not.
    placeholderData: (before, asked) => (asked?.queryKey[0] === address ? before : undefined),
    ...more,
  });
}

/** A path that can be read: "/tools/{name}". */
type ReadPath = ApiOperation extends infer Operation ? (Operation extends `GET ${infer Path}` ? Path : never) : never;

interface ReadOptions extends Pick<AskOptions, "params" | "query"> {
  readonly enabled?: boolean;
  readonly refetchInterval?: number | false;
}

/** A change; what it says it touches is read again. */
export function useChange<Input, Answer = unknown>(
  work: (input: Input) => Promise<Answer>,
  touches: readonly string[],
): UseMutationResult<Answer, Error, Input> {
  const queries = useQueryClient();
  return useMutation<Answer, Error, Input>({
    mutationFn: work,
    onSuccess: () => void Promise.all(touches.map((path) => invalidate(queries, path))),
  });
}

function invalidate(queries: QueryClient, path: string): Promise<void> {
  return queries.invalidateQueries({
    predicate: ({ queryKey: [key] }) => typeof key === "string" && (key === path || key.startsWith(`${path}/`)),
  });
}

/** Which answers an event makes old. */
function touchedBy(event: string): readonly string[] {
  if (event.startsWith("tool-")) return ["/tools", "/policy", "/secrets", "/configs", "/lint", "/approvals", "/definitions"];
  if (event.startsWith("source-")) return ["/sources", "/tools", "/health", "/status"];
  if (event === "config-changed")
    return ["/config", "/settings", "/policy", "/agents", "/bundles", "/sources", "/tools", "/audit", "/health", "/status"];
  if (event === "call-end") return ["/calls", "/usage", "/running", "/approvals", "/programs", "/sessions", "/audit"];
  if (event.startsWith("job-")) return ["/jobs"];
  if (event === "call-start") return ["/running", "/approvals", "/programs", "/sessions"];
  if (event.startsWith("record-"))
    return [
      "/breadcrumbs",
      "/definitions",
      "/lifecycle",
      "/configs",
      "/secrets",
      "/settings",
      "/policy",
      "/bundles",
      "/agents",
      "/keys",
      "/tools",
      "/approvals",
      "/audit",
    ];
  return [];
}

/** Reads again what events touch: at most four times a second, however many there are. */
export function useLiveQueries(live: Live): void {
  const queries = useQueryClient();
  useEffect(() => {
    const touched = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = (): void => {
      timer = undefined;
      for (const path of touched) void invalidate(queries, path);
      touched.clear();
    };
    const leave = live.subscribe({
      onEvent({ event }) {
        for (const path of touchedBy(event)) touched.add(path);
        if (touched.size > 0) timer ??= setTimeout(flush, 250);
      },
      onResume: () => void queries.invalidateQueries(),
    });
    return () => {
      leave();
      clearTimeout(timer);
    };
  }, [live, queries]);
}
