/** Whose edits go out. */
export const DraftEditors = () => null;
