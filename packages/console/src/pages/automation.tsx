import type { ReactNode } from "react";
import { useSearchParams } from "wouter";
import { Jobs } from "../panels/jobs.tsx";
import { Schedules } from "../panels/schedules.tsx";
import { Triggers } from "../panels/triggers.tsx";
import { Webhooks } from "../panels/webhooks.tsx";
import { type Tab, Tabs } from "../parts/tabs.tsx";

const tabs: readonly Tab[] = [
  { id: "jobs", name: "Jobs", content: () => <Jobs /> },
  { id: "schedules", name: "Schedules", content: () => <Schedules /> },
  { id: "triggers", name: "Triggers", content: () => <Triggers /> },
  { id: "webhooks", name: "Webhooks", content: () => <Webhooks /> },
];

/** What runs by itself: at times, after events, on requests of other systems. */
export default function Automation(): ReactNode {
  const [place, setPlace] = useSearchParams();
  return (
    <>
      <h1>Automation</h1>
      <Tabs label="Automation" tabs={tabs} current={place.get("tab") ?? "jobs"} onChange={(tab) => setPlace({ tab })} />
    </>
  );
}
