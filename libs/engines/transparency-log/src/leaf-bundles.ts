import { NoteRefused } from './signed-note.js';

/** Leaves of a full bundle (C2SP tlog-tiles). */
export const BUNDLE = 256;

const LENGTH_BYTES = 2;

/** Where the bundle lies of which `count` leaves exist: `tile/entries/x001/234`, and with `.p/17` while it has 17 (C2SP tlog-tiles). */
export const bundlePath = (number: number, count = BUNDLE): string => {
  const digits = `${number}`.padStart(Math.ceil(`${number}`.length / 3) * 3, '0');
  const groups = digits.match(/\d{3}/g) ?? [];
  const folders = groups.slice(0, -1).map((group) => `x${group}/`);
  return `tile/entries/${folders.join('')}${groups.at(-1)}${count === BUNDLE ? '' : `.p/${count}`}`;
};

/** The leaves one after the other, each behind its length. */
export const bundleBytes = (leaves: readonly string[]): Buffer =>
  Buffer.concat(
    leaves.flatMap((leaf) => {
      const bytes = Buffer.from(leaf);
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt16BE(bytes.length);
      return [length, bytes];
    }),
  );

/** Throws {@link NoteRefused} for bytes that are no bundle. */
export const leavesIn = (bytes: Buffer): readonly string[] => {
  const leaves: string[] = [];
  for (let at = 0; at < bytes.length;) {
    if (at + LENGTH_BYTES > bytes.length) throw new NoteRefused('a bundle of leaves is cut');
    const end = at + LENGTH_BYTES + bytes.readUInt16BE(at);
    if (end > bytes.length) throw new NoteRefused('a bundle of leaves is cut');
    leaves.push(bytes.toString('utf8', at + LENGTH_BYTES, end));
    at = end;
  }
  return leaves;
};
