import type { Cluster, Command, Redis } from 'ioredis';

import type { EngineCalls } from '#telemetry';

type Send = (command: Command, ...rest: readonly unknown[]) => unknown;

/** Commands that wait or subscribe. They are not measured: their time does not show how fast Redis is. */
const WAITS = /^(b[lrz]|xread|wait|[ps]?subscribe)/;
const SCRIPTS = /^(eval|fcall)/;

/** Measures each command that the client sends from now on, from the call to its answer. A duplicate of the client is not measured. */
export const measureCommands = (client: Redis | Cluster, calls: EngineCalls): void => {
  const send = client.sendCommand.bind(client) as Send;
  // ioredis calls `sendCommand` more than once for a command that waits for a connection or is repeated on another one.
  const measured = new WeakSet<Command>();
  const sendMeasured: Send = (command, ...rest) => {
    const name = command.name.toLowerCase();
    if (!measured.has(command) && !WAITS.test(name)) {
      measured.add(command);
      const end = calls.begin(SCRIPTS.test(name) ? 'script' : 'command');
      command.promise.then(
        () => end('done'),
        () => end('failed'),
      );
    }
    return send(command, ...rest);
  };
  Object.assign(client, { sendCommand: sendMeasured });
};
