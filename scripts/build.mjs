// `npm run build`
import { build } from './lib/build-if-stale.mjs';

process.exitCode = await build();
