/** What the server and its engine host say to each other over the host's IPC channel. */
export const CONTROL_PROTOCOL = 1;
