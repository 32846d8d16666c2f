import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory of this run: data, logs and the journal of secrets of every process that the suite starts. */
export default () => {
  process.env.CONFORMANCE_RUN_DIR ??= mkdtempSync(join(tmpdir(), 'countersign-conformance-'));
};
