import { PinoLog } from '#telemetry';

/** A process that logs three lines to its standard output, and then ends or goes on as its argument says. */
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
    throw new Error('not caught');
  case 'stay':
    setInterval(() => undefined, 60_000);
    break;
  case 'outlive':
    // Goes on logging after its output was closed.
    setInterval(() => log.warn('four'), 1);
    setTimeout(() => process.exit(7), 300);
    break;
}
