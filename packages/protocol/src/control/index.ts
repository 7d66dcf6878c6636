export { CONTROL_PROTOCOL } from './control-protocol.ts';
