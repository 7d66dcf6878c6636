import './ui/style-nonce.ts';
import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './ui/fonts/hyphen.css';
import './ui/tokens.css';
import './ui/base.css';
import { createRoot } from 'react-dom/client';
import { App } from './shell/app.tsx';

const root = document.getElementById('app');
if (!root) throw new Error('index.html has no #app');
createRoot(root).render(<App />);
