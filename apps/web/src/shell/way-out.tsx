import { useNavigate } from 'react-router';
import { shellWords } from '../text/strings/shell.ts';
import { Button } from '../ui/button.tsx';

/** From where there is nothing, to where there is something. */
export function WayOut() {
  const navigate = useNavigate();
  return <Button onClick={() => navigate('/')}>{shellWords.goToThePipelines}</Button>;
}
