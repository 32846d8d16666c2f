import { connect } from 'node:net';

/** Whether something accepts connections there. A frozen process does. */
export const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect({ host: '127.0.0.1', port });
    const end = (answer: boolean): void => {
      probe.destroy();
      resolve(answer);
    };
    probe.once('connect', () => end(true)).once('error', () => end(false));
  });
