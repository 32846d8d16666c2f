import { pause, type Service } from './service.js';
import { StandaloneService } from './standalone-service.js';
import { retireSharedService, sharedService, startsProcesses } from './shared-service.js';

/** How many real seconds a test may wait on a target without a movable clock. */
const TIME_LIMIT = 20;

/** The lifetimes of the specification's table "Limits", in seconds; a target with others names them by the same settings. */
export const LIFETIMES = {
  session: Number(process.env['SESSION_TTL'] ?? 120),
  pushSession: Number(process.env['PUSH_SESSION_TTL'] ?? 300),
  code: Number(process.env['CODE_TTL'] ?? 60),
  handoff: Number(process.env['HANDOFF_TTL'] ?? 60),
};

/** Moves the time of a test file's own service by the sandbox clock, or waits if there is no such clock. */
export interface TimeMachine {
  readonly service: Service;
  pass(seconds: number): Promise<void>;
  end(): Promise<void>;
}

/** Whether so many seconds can pass within a test. */
export const canPass = (seconds: number): boolean => startsProcesses || seconds <= TIME_LIMIT;

/**
 * A service whose clock a test file may move. All tests on a service share its clock, so the file has its own process. A target elsewhere has no such
 * clock: there the test waits.
 */
export const timeMachine = async (name: string): Promise<TimeMachine> => {
  if (!startsProcesses) return { service: await sharedService(), pass: wait, end: async () => undefined };
  await retireSharedService();
  const service = await StandaloneService.start(name);
  const pass = async (seconds: number): Promise<void> => {
    const answer = await service.send({ method: 'POST', path: '/sandbox/v1/clock', json: { advance_seconds: seconds } });
    if (answer.status !== 200) throw new Error(`the clock does not move: ${answer.status} ${answer.text}`);
  };
  return { service, pass, end: () => service.stop() };
};

const wait = (seconds: number): Promise<void> => pause(seconds * 1000);
