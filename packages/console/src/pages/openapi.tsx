import type { ReactNode } from "react";
import { Link } from "wouter";
import { AddApi } from "../panels/add-api.tsx";

/** From an OpenAPI document to a source: read it, choose operations, see a request, save. */
export default function OpenApi(): ReactNode {
  return (
    <div className="overview">
      <p className="small">
        <Link href="/system">Sources</Link>
      </p>
      <h1>Add an API</h1>
      <p>
        Each operation of an OpenAPI or Swagger document becomes a tool, under the same policy as every other. Nothing is imported before
        you save.
      </p>
      <AddApi />
    </div>
  );
}
