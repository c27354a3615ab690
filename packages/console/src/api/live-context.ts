import { createContext, useContext, useEffect } from "react";
import type { Live, LiveListener } from "./live.ts";

export const LiveContext: React.Context<Live | undefined> = createContext<Live | undefined>(undefined);

/** Hears everything that happens while the component is on the page. `listener` should be stable. */
export function useLiveEvents(listener: LiveListener): void {
  const live = useContext(LiveContext);
  useEffect(() => live?.subscribe(listener), [live, listener]);
}
