// `npm run build`
import { buildAll } from './lib/build-all.mjs';

process.exitCode = await buildAll();
