import { useEffect } from 'react';
import { RouterProvider } from 'react-router';
import { Toasts } from '../ui/toasts.tsx';
import { TooltipProvider } from '../ui/tooltip.tsx';
import { router } from './routes.tsx';
import { askWhoIAm } from './session-store.ts';

export function App() {
  useEffect(() => void askWhoIAm(), []);
  return (
    <TooltipProvider>
      <RouterProvider router={router} />
      <Toasts />
    </TooltipProvider>
  );
}
