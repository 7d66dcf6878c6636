/** Keys a worker asks for at a time; the host ends one that asks for more. */
export const MOST_SUSPECTS = 1024;
