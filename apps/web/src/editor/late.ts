/** Tells that something takes long, and that it is over: what is quick is not worth a word. Framework-free. */

/** Progress is shown of everything that takes longer. */
const LATE_MS = 300;

export interface Late {
  readonly begin: () => void;
  readonly end: () => void;
}

export function whenLate(tell: (isLate: boolean) => void): Late {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLate = false;
  return {
    begin: () => {
      if (isLate || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        isLate = true;
        tell(true);
      }, LATE_MS);
    },
    end: () => {
      clearTimeout(timer);
      timer = undefined;
      if (!isLate) return;
      isLate = false;
      tell(false);
    },
  };
}
