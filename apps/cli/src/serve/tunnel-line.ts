/** How to reach a server that listens on loopback from the machine one sits at. */
import os from 'node:os';

export interface TunnelQuestion {
  readonly host: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/** Undefined: there is a desktop here, so a browser too; or the address works from elsewhere anyway. */
export function tunnelLine({ host, port, env, platform }: TunnelQuestion): string | undefined {
  if (!['127.0.0.1', 'localhost', '::1'].includes(host)) return undefined;
  const hasDesktop = platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  if (hasDesktop && !env.SSH_CONNECTION) return undefined;
  // Client address and port, then the address by which the client reached this machine.
  const reached = env.SSH_CONNECTION?.split(' ')[2] ?? os.hostname();
  const inner = host === '::1' ? '[::1]' : '127.0.0.1';
  return `From your own machine: ssh -L ${port}:${inner}:${port} ${env.USER ?? 'user'}@${reached}`;
}
