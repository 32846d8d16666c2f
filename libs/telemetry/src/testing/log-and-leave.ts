import { PinoLog } from '../pino-log.js';

/** A process of its own that logs three lines to its standard output, and then does what its argument says. */
const log = new PinoLog('info');
for (const message of ['one', 'two', 'three']) log.info(message);

switch (process.argv[2] ?? '') {
  case 'warn':
    log.warn('four');
    process.kill(process.pid, 'SIGKILL');
    break;
  case 'exit':
    process.exit();
    break;
  case 'throw':
    throw new Error('nobody catches this');
  case 'stay':
    setInterval(() => undefined, 60_000);
    break;
  case 'outlive':
    // Its output closed, and more to say.
    setInterval(() => log.warn('four'), 1);
    setTimeout(() => process.exit(7), 300);
    break;
}
