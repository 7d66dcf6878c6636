/** Places in shared code that keep their meaning while others type, as text that can be sent. */
import type { PipelineDocument } from '@millrace/document';
import * as Y from 'yjs';

export function placeIn(document: PipelineDocument, code: string, offset: number): string | undefined {
  const text = document.code(code);
  if (text === undefined) return undefined;
  return JSON.stringify(Y.relativePositionToJSON(Y.createRelativePositionFromTypeIndex(text, offset)));
}

/** Undefined where it is no place, or names what this page has not got yet. */
export function offsetOf(document: PipelineDocument, place: string): number | undefined {
  try {
    const position = Y.createRelativePositionFromJSON(JSON.parse(place));
    return Y.createAbsolutePositionFromRelativePosition(position, document.doc)?.index;
  } catch {
    return undefined;
  }
}
