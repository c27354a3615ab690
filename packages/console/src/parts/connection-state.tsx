import { type ReactNode, useEffect, useState } from "react";
import type { Live, LiveState } from "../api/live.ts";
import { Badge } from "./badge.tsx";

const words: Readonly<Record<LiveState, { readonly word: string; readonly meaning: "good" | "warn" | "quiet" }>> = {
  connecting: { word: "connecting", meaning: "quiet" },
  live: { word: "live", meaning: "good" },
  lost: { word: "connection lost", meaning: "warn" },
};

/** Whether what is on the page is kept in step with the server. */
export function ConnectionState({ live }: { readonly live: Live }): ReactNode {
  const [state, setState] = useState(live.state);
  useEffect(() => {
    setState(live.state);
    return live.subscribe({ onState: setState });
  }, [live]);
  const { word, meaning } = words[state];
  return (
    <span role="status">
      <Badge meaning={meaning}>{word}</Badge>
    </span>
  );
}
