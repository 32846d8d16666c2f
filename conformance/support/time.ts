import { pause, type Service, ServiceProcess, startsProcesses } from './service.js';

/** How many real seconds a test may wait on a target without a movable clock. */
const PATIENCE = 20;

/** Moves the time of a service of one's own: by the sandbox clock, or, where there is none, by waiting. */
export interface TimeMachine {
  readonly service: Service;
  pass(seconds: number): Promise<void>;
  end(): Promise<void>;
}

/** Whether so many seconds can pass within a test. */
export const canPass = (seconds: number): boolean => startsProcesses || seconds <= PATIENCE;

/**
 * A service whose time a file may move. The clock is one for all, so it is a process of the file's own; a target
 * elsewhere is only waited for, and should have been started with short lifetimes.
 */
export const timeMachine = async (name: string, shared: () => Promise<Service>): Promise<TimeMachine> => {
  if (!startsProcesses) {
    return { service: await shared(), pass: (seconds) => pause(seconds * 1000), end: async () => undefined };
  }
  const service = await ServiceProcess.start(name);
  const pass = async (seconds: number): Promise<void> => {
    const answer = await service.send({ method: 'POST', path: '/sandbox/v1/clock', json: { advance_seconds: seconds } });
    if (answer.status !== 200) throw new Error(`the clock does not move: ${answer.status} ${answer.text}`);
  };
  return { service, pass, end: () => service.stop() };
};
