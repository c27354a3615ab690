import { Component, type ReactNode } from "react";
import { Failed } from "./states.tsx";

/** A page that breaks leaves the others standing. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {};

  static getDerivedStateFromError(error: unknown): { readonly error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : <Failed error={error} onRetry={() => this.setState({ error: undefined })} />;
  }
}
