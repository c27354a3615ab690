import type { ReactNode } from "react";
import { useSearchParams } from "wouter";
import { useApi } from "../api/use-api.ts";
import { Matrix } from "../panels/matrix.tsx";
import { PolicyDraft } from "../panels/policy-draft.tsx";
import { Profiles } from "../panels/profiles.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";

/** Who may use what, why, and what a change would do. */
export default function Policy(): ReactNode {
  const [place, setPlace] = useSearchParams();
  const tab = place.get("tab") ?? "matrix";
  return (
    <>
      <h1>Policy</h1>
      <Tabs
        label="Policy"
        current={tab}
        onChange={(next) => setPlace({ tab: next })}
        tabs={[
          { id: "matrix", name: "Tools × agents", content: () => <Matrix /> },
          { id: "rules", name: "Rules in force", content: () => <Rules /> },
          { id: "profiles", name: "Profiles", content: () => <Profiles /> },
          { id: "draft", name: "Draft a change", content: () => <PolicyDraft /> },
        ]}
      />
    </>
  );
}

function Rules(): ReactNode {
  const { data, error, refetch } = useApi("/policy");
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading what="the rules" />;
  return (
    <div className="overview">
      {[...data.problems, ...data.warnings.map(({ message }) => message)].map((text) => (
        <p key={text} className="reason">
          {text}
        </p>
      ))}
      {data.settings.length === 0 ? (
        <Nothing title="No rules">Every caller may use every tool. Draft a change in the next tab.</Nothing>
      ) : (
        <Table label="Rules in force" columns={["Rule", "Value", "Defined in"]}>
          {data.settings.map(({ key, value, origin }) => (
            <tr key={key}>
              <th scope="row">
                <code>{key}</code>
              </th>
              <td>
                <code>{JSON.stringify(value)}</code>
              </td>
              <td className="small soft">{origin}</td>
            </tr>
          ))}
        </Table>
      )}
    </div>
  );
}
