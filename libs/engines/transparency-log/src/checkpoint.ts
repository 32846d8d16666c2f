import { fromBase64 } from '#kernel';

import type { LogHead } from './known-leaf.js';
import { headLine, isHeadLine, parseHead } from './log-heads.js';
import { HASH_LENGTH } from './merkle-hashes.js';
import { NoteRefused } from './signed-note.js';

/** What the history is at one moment (C2SP tlog-checkpoint). */
export interface LogCheckpoint {
  /** Names the log: of which service in which environment. */
  readonly origin: string;
  /** Leaves. */
  readonly size: number;
  readonly root: Buffer;
  /** When it was made, epoch milliseconds. */
  readonly at: number;
  /** The newest leaves of some streams, of those that have one. */
  readonly heads: readonly LogHead[];
  /** Further lines, in their order. */
  readonly extensions: readonly string[];
}

/** The text that is signed. The lines from the fourth one on are extensions of ours; a reader that knows them not skips them. */
export const checkpointText = ({ origin, size, root, at, heads, extensions }: LogCheckpoint): string =>
  [origin, size, root.toString('base64'), `time ${at}`, ...heads.map(headLine), ...extensions, ''].join('\n');

/** Throws {@link NoteRefused} for a text that is no checkpoint of the origin. */
export const parseCheckpoint = (text: string, origin: string): LogCheckpoint => {
  const [name, size = '', encoded = '', ...extensions] = text.slice(0, -1).split('\n');
  const root = fromBase64(encoded);
  if (name !== origin) throw new NoteRefused('the checkpoint is that of another log');
  if (!/^(0|[1-9]\d{0,14})$/.test(size) || root?.length !== HASH_LENGTH) throw new NoteRefused('the text is no checkpoint');
  const [, at = ''] = /^time (\d{1,15})$/m.exec(extensions.join('\n')) ?? [];
  if (at === '') throw new NoteRefused('the checkpoint has no time');
  const heads = extensions.filter(isHeadLine).map((line) => headOf(line, Number(size)));
  const further = extensions.filter((line) => !line.startsWith('time ') && !isHeadLine(line));
  return { origin, size: Number(size), root, at: Number(at), heads, extensions: further };
};

const headOf = (line: string, size: number): LogHead => {
  const head = parseHead(line);
  if (!head || head.index >= size) throw new NoteRefused('the checkpoint names a head that it cannot have');
  return head;
};
