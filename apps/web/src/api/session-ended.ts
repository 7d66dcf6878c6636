/** Tells whoever listens that the server no longer knows this session: any call may find it out. */
let listener: () => void = () => undefined;

export const sessionEnded = {
  report: (): void => listener(),
  listen: (next: () => void): void => {
    listener = next;
  },
};
