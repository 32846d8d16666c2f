import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a directory for this run: data, logs, process ids and the journal of secrets of every process that the suite starts. */
export default (): void => {
  process.env['CONFORMANCE_RUN_DIR'] ??= mkdtempSync(join(tmpdir(), 'countersign-run-'));
};
