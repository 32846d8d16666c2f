/** A block of code of a document, with what the comment above it says to do with it. */
export interface DocumentBlock {
  /** The heading of the second or third level above it; empty before the first one. */
  readonly section: string;
  /** The text of the comment: such as `run`, or `file` and a name. Blocks without a comment are for the reader's eyes. */
  readonly purpose: string;
  readonly code: string;
}

const BLOCK = /^###? (?<section>[^\n]+)$|^<!-- (?<purpose>run[\w ]*|file \S+) -->\n```\w+\n(?<code>.*?)^```$/gms;

/** The blocks of a document that a test runs or writes to files, in their order. */
export const documentBlocks = (document: string): readonly DocumentBlock[] => {
  const blocks: DocumentBlock[] = [];
  let section = '';
  for (const { groups = {} } of document.matchAll(BLOCK)) {
    if (groups['section'] !== undefined) section = groups['section'];
    else blocks.push({ section, purpose: groups['purpose'] ?? '', code: groups['code'] ?? '' });
  }
  return blocks;
};
