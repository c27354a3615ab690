/** The categories everybody shares; any other text is a category of your own. */
export const standardCategories: readonly { readonly name: string; readonly description: string }[] = Object.freeze(
  [
    { name: "code", description: "Code manipulation and analysis" },
    { name: "vcs", description: "Version control operations" },
    { name: "build", description: "Build and test operations" },
    { name: "research", description: "Information gathering" },
    { name: "publish", description: "Content publishing" },
    { name: "utility", description: "General utilities" },
  ].map((category) => Object.freeze(category)),
);
