import { join } from 'node:path';
import { createWorkerLauncher } from '@millrace/sandbox';
import { packageFolder } from '../package-folder.ts';
import { sandboxedUserCode } from './sandboxed-user-code.ts';
import type { UserCode } from './user-code.ts';

/** Starts nothing yet; the first question starts a worker. */
export async function openUserCode(): Promise<UserCode> {
  const launcher = createWorkerLauncher({ bootFile: join(packageFolder, 'dist/user-code-boot.js') });
  const userCode = sandboxedUserCode(launcher);
  return {
    ...userCode,
    async close() {
      await userCode.close();
      await launcher.close();
    },
  };
}
