/** The type that is being dragged from the palette: a browser does not tell before it is dropped. */
let dragged: string | undefined;

export const draggedType = {
  get: (): string | undefined => dragged,
  set: (type: string | undefined): void => {
    dragged = type;
  },
};
