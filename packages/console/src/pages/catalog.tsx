import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { ApiError, pageOf } from "../api/client.ts";
import type { BundleInfo, DefinitionInfo, SearchHits, ToolSummary, ToolUsageReport, UsageReport } from "../api/types.ts";
import { useApi } from "../api/use-api.ts";
import { ServerWarnings } from "../panels/server-warnings.tsx";
import { Badge, StateBadge } from "../parts/badge.tsx";
import { Sparkline } from "../parts/sparkline.tsx";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { VirtualList, type VirtualListHandle } from "../parts/virtual-list.tsx";
import "./catalog.css";

/** Every tool: found by words, narrowed by where it comes from and how it is doing. */
export default function Catalog(): ReactNode {
  const everything = useApi("/tools", { query: { all: true } });
  // Callers who may not see all tools see their own.
  const isRefused = everything.error instanceof ApiError && everything.error.status === 403;
  const own = useApi("/tools", { enabled: isRefused });
  const tools = isRefused ? own : everything;
  const drafts = useApi("/lifecycle");
  const usage = useApi("/usage");
  const bundles = useApi("/bundles");
  // The search is part of the URL, so that going back from a tool restores it.
  const [place, setPlace] = useSearchParams();
  const [text, setText] = useState(place.get("q") ?? "");
  const facet = useMemo(() => new Map(facets.map(({ name }) => [name, place.get(name) ?? ""])), [place]);
  const wanted = useDeferredValue(text.trim());
  const found = useApi("/search", { query: { q: wanted, limit: 200 }, enabled: wanted.length > 1 });
  const list = useRef<VirtualListHandle>(null);
  const members = useMemo(() => membersOf(bundles.data?.bundles ?? []), [bundles.data]);
  const set = (name: string, value: string): void =>
    setPlace(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const field = useSlash();
  const [, go] = useLocation();

  const showsUnavailable = place.get("unavailable") === "shown";
  const known = tools.data?.tools;
  const all = useMemo(() => known && ownFirst(withDrafts(known, drafts.data?.definitions ?? [])), [known, drafts.data]);
  const unavailable = useMemo(() => all?.filter(isUnavailable).length ?? 0, [all]);
  // A search, and a filter by state, look at everything; otherwise only what can be used is listed.
  const isFolded = !showsUnavailable && wanted === "" && facet.get("state") === "";
  const listed = useMemo(() => (isFolded ? all?.filter((tool) => !isUnavailable(tool)) : all) ?? [], [all, isFolded]);
  const shown = useMemo(() => narrow(listed, wanted, facet, members, found.data), [listed, wanted, facet, members, found.data]);
  const byTool = useMemo(() => new Map(usage.data?.tools.map((one) => [one.tool, one])), [usage.data]);

  if (tools.error !== null && all === undefined) return <Failed error={tools.error} onRetry={() => void tools.refetch()} />;
  if (all === undefined) return <Loading what="the tools" />;
  return (
    <>
      <div className="catalog-head">
        <h1>Catalog</h1>
        <p className="soft" role="status">
          {shown.length === listed.length ? listed.length : `${shown.length} of ${listed.length}`} {listed.length === 1 ? "tool" : "tools"}
        </p>
        <Link href="/stored-tool">Write a tool</Link>
      </div>
      <ServerWarnings />
      <form
        className="catalog-filter"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          if (shown[0] !== undefined) go(addressOf(shown[0]));
        }}
      >
        <input
          ref={field}
          type="search"
          aria-label="Search tools"
          placeholder="Search by what a tool does  ( / )"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            set("q", target.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown") return;
            event.preventDefault();
            list.current?.focusFirst();
          }}
        />
        {facets.map(({ name, label }) => (
          <select key={name} aria-label={label} value={facet.get(name)} onChange={({ target }) => set(name, target.value)}>
            <option value="">{label}: all</option>
            {countsOf(all, name, members).map(([value, count]) => (
              <option key={value} value={value}>
                {value} ({count})
              </option>
            ))}
          </select>
        ))}
      </form>
      {shown.length === 0 ? (
        <Nothing title={all.length === 0 ? "No tools yet" : "No matching tool"}>
          {all.length === 0 ? "Add a source on the System page, or write a definition." : "Use fewer words, or remove a filter."}
        </Nothing>
      ) : (
        <>
          <div className="tool-row tool-columns">
            <span>Tool</span>
            <span>What it does</span>
            <span>Category · source</span>
            <span>State</span>
            <span>Last 24 hours</span>
          </div>
          <VirtualList
            ref={list}
            items={shown}
            rowHeight={52}
            label="Tools"
            keyOf={(tool) => `${tool.name}@${tool.version ?? ""}`}
            row={(tool, isCurrent) => <Row tool={tool} isCurrent={isCurrent} usage={byTool.get(tool.name)} day={usage.data} />}
          />
        </>
      )}
      {unavailable > 0 && (
        <p className="catalog-folded soft small">
          <span>
            {unavailable === 1 ? "One tool is" : `${unavailable} tools are`} unavailable
            {showsUnavailable ? ", at the end of the list." : "."}
          </span>
          <button type="button" aria-pressed={showsUnavailable} onClick={() => set("unavailable", showsUnavailable ? "" : "shown")}>
            {showsUnavailable ? "Hide them" : "Show them"}
          </button>
        </p>
      )}
    </>
  );
}

function Row(props: {
  readonly tool: ToolSummary;
  readonly isCurrent: boolean;
  readonly usage: ToolUsageReport | undefined;
  readonly day: UsageReport | undefined;
}): ReactNode {
  const { tool, isCurrent, usage, day } = props;
  return (
    <Link className="tool-row" href={addressOf(tool)} tabIndex={isCurrent ? 0 : -1}>
      <span className="tool-name">
        <span className="code">{tool.name}</span>
        {tool.version !== undefined && <span className="soft small"> {tool.version}</span>}
      </span>
      <span className="tool-text">{tool.title === undefined ? tool.description : `${tool.title} – ${tool.description}`}</span>
      <span className="tool-facts small soft">
        {tool.category ?? "no category"} · {tool.source}
      </span>
      <span className="tool-state">
        <StateBadge state={tool.state} reason={tool.reason} />
        {tool.sourceFailed === true && <Badge meaning="bad">source failed</Badge>}
        {tool.asks && <Badge meaning="warn">approval</Badge>}
      </span>
      <span className="tool-usage">
        <Sparkline usage={usage} from={day?.from ?? 0} bucketMs={day?.bucketMs ?? 3_600_000} />
      </span>
    </Link>
  );
}

function addressOf({ name, state }: ToolSummary): string {
  return state === "draft" ? `/changes?open=${encodeURIComponent(name)}` : pageOf(name);
}

/** Definitions that are not approved yet are listed among the tools. */
function withDrafts(tools: readonly ToolSummary[], definitions: readonly DefinitionInfo[]): readonly ToolSummary[] {
  const known = new Set(tools.map(({ name }) => name));
  const waiting = definitions.filter(({ name, state }) => !known.has(name) && (state === "draft" || state === "validated"));
  const common = { description: "Waiting for review.", source: "records", state: "draft", hash: "" } as const;
  return [...tools, ...waiting.map(({ name }) => ({ name, ...common, allowed: false, asks: false, configurable: false }))];
}

/** What was added to this server comes first, then what is built in, and what cannot be used last; the order stays otherwise. */
function ownFirst(tools: readonly ToolSummary[]): readonly ToolSummary[] {
  const place = (tool: ToolSummary): number => (isUnavailable(tool) ? 2 : tool.source === "packs" ? 1 : 0);
  return tools.toSorted((a, b) => place(a) - place(b));
}

function isUnavailable({ state }: ToolSummary): boolean {
  return state === "unavailable";
}

type Facet = "category" | "source" | "state" | "group" | "bundle";
/** Tool → the bundles that it is in. */
type Members = ReadonlyMap<string, readonly string[]>;
const facets: readonly { readonly name: Facet; readonly label: string }[] = [
  { name: "category", label: "Category" },
  { name: "source", label: "Source" },
  { name: "state", label: "State" },
  { name: "group", label: "Group" },
  { name: "bundle", label: "Bundle" },
];

function membersOf(bundles: readonly BundleInfo[]): Members {
  const members = new Map<string, string[]>();
  for (const { name, required, optional } of bundles) {
    for (const tool of new Set([...required, ...optional])) members.set(tool, [...(members.get(tool) ?? []), name]);
  }
  return members;
}

function valuesOf(tool: ToolSummary, facet: Facet, members: Members): readonly string[] {
  if (facet === "group") return tool.groups ?? [];
  if (facet === "bundle") return members.get(tool.name) ?? [];
  const value = tool[facet];
  return value === undefined ? [] : [value];
}

function countsOf(tools: readonly ToolSummary[], facet: Facet, members: Members): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const tool of tools) for (const value of valuesOf(tool, facet, members)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}

/** By the server's own search, the best first; what holds the words as they are comes in any case, also where it is not on offer. */
function narrow(
  tools: readonly ToolSummary[],
  words: string,
  facet: ReadonlyMap<Facet, string>,
  members: Members,
  found: SearchHits | undefined,
): readonly ToolSummary[] {
  const wanted = [...facet].filter(([, value]) => value !== "");
  const kept = tools.filter((tool) => wanted.every(([name, value]) => valuesOf(tool, name, members).includes(value)));
  if (words === "") return kept;
  const lower = words.toLowerCase();
  const rank = new Map(found?.hits.map(({ tool }, index) => [tool, index]));
  const isMeant = ({ name, description }: ToolSummary): boolean => rank.has(name) || `${name} ${description}`.toLowerCase().includes(lower);
  const place = ({ name }: ToolSummary): number => (name.toLowerCase() === lower ? -1 : (rank.get(name) ?? tools.length));
  return kept.filter(isMeant).sort((a, b) => place(a) - place(b));
}

/** "/" brings the keyboard to the search, from wherever it is not typing. */
function useSlash(): React.RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event;
      if (event.key !== "/" || (target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable]"))) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  return field;
}
