import type { ReactNode } from "react";
import { Link } from "wouter";
import { Badge, type Meaning } from "./badge.tsx";
import { nameOf, type SessionFacts } from "./session-facts.ts";
import { Time } from "./time.tsx";
import "./session-tree.css";

/** Sessions with those that they spawned below them; the newest first. */
export function SessionTree({
  sessions,
  current,
}: {
  readonly sessions: readonly SessionFacts[];
  readonly current: string | undefined;
}): ReactNode {
  const known = new Set(sessions.map(({ session }) => session));
  const roots = sessions.filter(({ parent }) => parent === undefined || !known.has(parent));
  return <Branch among={sessions} shown={roots} current={current} depth={0} />;
}

function Branch(props: {
  readonly among: readonly SessionFacts[];
  readonly shown: readonly SessionFacts[];
  readonly current: string | undefined;
  readonly depth: number;
}): ReactNode {
  const { among, shown, current, depth } = props;
  return (
    <ul className="session-tree" {...(depth === 0 && { "aria-label": "Sessions" })}>
      {shown.map((one) => {
        const children = depth < maxDepth ? among.filter(({ parent }) => parent === one.session) : [];
        return (
          <li key={one.session}>
            <Link href={`/sessions?session=${encodeURIComponent(one.session)}`} aria-current={one.session === current ? "true" : undefined}>
              <span className="session-name" title={one.key}>
                <strong>{one.agent}</strong> {nameOf(one)}
              </span>
              <span className="session-state">
                <SessionStatus status={one.status} />
                <span className="small soft">
                  <Time at={one.updated_at} />
                </span>
              </span>
            </Link>
            {children.length > 0 && <Branch among={among} shown={children} current={current} depth={depth + 1} />}
          </li>
        );
      })}
    </ul>
  );
}

/** A parent is never below its child; what claims otherwise does not hang the page. */
const maxDepth = 20;

const meanings: Readonly<Record<SessionFacts["status"], Meaning>> = { idle: "quiet", running: "good", waiting: "warn", ended: "quiet" };

export function SessionStatus({ status }: { readonly status: SessionFacts["status"] }): ReactNode {
  return <Badge meaning={meanings[status]}>{status === "waiting" ? "waits for a person" : status}</Badge>;
}
