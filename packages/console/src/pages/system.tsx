import { lazy, type ReactNode, Suspense } from "react";
import { useSearchParams } from "wouter";
import { HealthLine } from "../panels/health.tsx";
import { Keys } from "../panels/keys.tsx";
import { PendingConfig } from "../panels/pending-config.tsx";
import { Secrets } from "../panels/secrets.tsx";
import { ServerWarnings } from "../panels/server-warnings.tsx";
import { Servers } from "../panels/servers.tsx";
import { Sources } from "../panels/sources.tsx";
import { Workers } from "../panels/workers.tsx";
import { mendLanguage } from "../parts/language.ts";
import { Loading } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";

const Plots = lazy(() => {
  mendLanguage();
  return import("../panels/plots.tsx");
});

/** Where tools come from, what they need, who may sign in, and how it all runs. */
export default function System(): ReactNode {
  const [place, setPlace] = useSearchParams();
  return (
    <>
      <h1>System</h1>
      <HealthLine />
      <ServerWarnings />
      <PendingConfig />
      <Tabs
        label="System"
        current={place.get("tab") ?? "sources"}
        onChange={(tab) => setPlace({ tab })}
        tabs={[
          { id: "sources", name: "Sources", content: () => <Sources /> },
          { id: "secrets", name: "Secrets", content: () => <Secrets /> },
          { id: "keys", name: "Keys", content: () => <Keys /> },
          { id: "servers", name: "Servers", content: () => <Servers /> },
          { id: "workers", name: "Workers", content: () => <Workers /> },
          {
            id: "metrics",
            name: "Metrics",
            content: () => (
              <Suspense fallback={<Loading what="the plots" />}>
                <Plots />
              </Suspense>
            ),
          },
        ]}
      />
    </>
  );
}
