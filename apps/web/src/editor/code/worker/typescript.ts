/** The TypeScript that Monaco brings, as `typescript-js`: in the page the check runs with it (see vite.config.ts). */
import { typescript } from 'monaco-editor/languages/features/typescript/lib/typescriptServices';

export default typescript;
