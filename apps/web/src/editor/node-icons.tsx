/** The glyph of each type of node. Own glyphs only where the field has no common sign. */
import {
  Braces,
  CircleHelp,
  CircleSlash,
  CopyMinus,
  Cpu,
  Database,
  Dices,
  FileInput,
  FileOutput,
  Funnel,
  GitMerge,
  Globe,
  type LucideIcon,
  Merge,
  Replace,
  Sigma,
  Split,
  Timer,
  Webhook,
} from 'lucide-react';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  code: Braces,
  'operator/map': Replace,
  'operator/filter': Funnel,
  'operator/flatMap': Split,
  'operator/union': Merge,
  'operator/aggregate': Sigma,
  'operator/deduplicate': CopyMinus,
  'operator/intervalJoin': GitMerge,
  'injector/file': FileInput,
  'injector/generator': Dices,
  'injector/interval': Timer,
  'injector/host-metrics': Cpu,
  'injector/http': Webhook,
  'sink/file': FileOutput,
  'sink/postgres': Database,
  'sink/http': Globe,
  'sink/discard': CircleSlash,
};

export const iconOf = (type: string): LucideIcon =>
  Object.hasOwn(ICONS, type) ? (ICONS[type] ?? CircleHelp) : CircleHelp;
