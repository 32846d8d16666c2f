import { pause, type Service } from './service.js';
import { StandaloneService } from './standalone-service.js';
import { retireSharedService, sharedService, startOwn, startsProcesses } from './shared-service.js';
import { topology } from './topology.js';

/** How many real seconds a test may wait on a target without a movable clock. */
const TIME_LIMIT = 20;

const lifetimes = (settings: Readonly<Record<string, string | undefined>>) => ({
  session: Number(settings['SESSION_TTL'] ?? 120),
  pushSession: Number(settings['PUSH_SESSION_TTL'] ?? 300),
  code: Number(settings['CODE_TTL'] ?? 60),
  handoff: Number(settings['HANDOFF_TTL'] ?? 60),
});

/** Short enough to wait for, on replicas of a topology. The handoff token ends well before its session, as it does with the real ones. */
const SHORT = { SESSION_TTL: '8', PUSH_SESSION_TTL: '6', CODE_TTL: '6', HANDOFF_TTL: '4' };

/** The lifetimes of the specification's table "Limits", in seconds; a target with others names them by the same settings. */
export const LIFETIMES = lifetimes(process.env);

/** Those of the service whose time a file may move. */
export const SHIFTED_LIFETIMES = topology ? lifetimes(SHORT) : LIFETIMES;

/** Moves the time of a service of one's own: by the sandbox clock, or, where there is none, by waiting. */
export interface TimeMachine {
  readonly service: Service;
  pass(seconds: number): Promise<void>;
  end(): Promise<void>;
}

/** Whether so many seconds can pass within a test. */
export const canPass = (seconds: number): boolean => startsProcesses || seconds <= TIME_LIMIT;

/**
 * A service whose time a file may move. The clock is one for all, so it is a process of the file's own. Replicas of a topology have
 * no such clock: they are given {@link SHIFTED_LIFETIMES} and waited for, as is a target elsewhere.
 */
export const timeMachine = async (name: string): Promise<TimeMachine> => {
  if (topology) {
    const short = await startOwn(name, SHORT, ['session-api', 'device-api']);
    return { service: short, pass: wait, end: () => short.stop() };
  }
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
