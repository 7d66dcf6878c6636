/** What an issue says where it is shown: beside the node it needs no ids, at the field not even the field's name. */
import type { Issue } from '@millrace/graph';
import { problemWords } from '../../text/strings/problems.ts';

export function issueWords({ message, node, stream }: Issue): string {
  let words = message;
  for (const id of [node, stream]) if (id !== undefined) words = words.replaceAll(` (${id})`, '');
  // Of which stream is said beside it; its id is nobody's word for it.
  if (stream !== undefined) words = words.replace(/^stream '[^']*'(?:: | (?=brings|comes|goes))/, '');
  // As the field is called where a stream has it.
  words = words.replace(/^(?:keyBy|KeyBy) of stream '[^']*': /, problemWords.keyOfStream);
  return sentence(words.replace(/^(node '[^']*') \([a-z]+\/[A-Za-z-]+\):/, '$1:'));
}

export function fieldWords(issue: Issue): string {
  const words = issueWords(issue).replace(ABOUT, '');
  return sentence(
    words
      .replace(/^is missing \(expected [^)]*\)$/, problemWords.mustBeFilledIn)
      .replace(/^invalid discriminator value\. Expected /i, problemWords.mustBeOneOf),
  );
}

/** What an issue is about, where that is the field it stands at. */
const ABOUT =
  /^(Key of a stream: |Node '[^']*': setting '[^']*':? |(Expression|Timestamp|The type|KeyBy) of (stream )?'[^']*'(: | (?=must )))/;

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
