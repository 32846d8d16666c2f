import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

// Two files run at a time: each keeps the files of its own processes apart, and searches no other's.
process.env['CONFORMANCE_RUN_DIR'] = mkdtempSync(join(process.env['CONFORMANCE_RUN_DIR'] ?? '', 'drill-'));
