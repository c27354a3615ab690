/** Builds the console to static files: into dist, or into another folder. */
export declare function buildConsole(options?: { readonly outDir?: string }): Promise<void>;
