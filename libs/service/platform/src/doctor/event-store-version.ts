import type { DoctorFinding } from './finding.js';

/** The first release of each line that loses no events through the checkpoints of filtered subscriptions. Later lines have none that does. */
const FLOORS = [
  [23, 10, 7],
  [24, 10, 5],
  [25, 0, 1],
] as const;

type Version = readonly [major: number, minor: number, patch: number];

/** What an operator should know of an event store by the version that it tells: its name, and the release to install when it is below the floor. */
export const judgeEventStore = (told: string): Pick<DoctorFinding, 'note' | 'problem'> => {
  const [, major, minor, patch = '0'] = /^v?(\d+)\.(\d+)(?:\.(\d+))?/.exec(told) ?? [];
  if (major === undefined || minor === undefined) return { note: 'a server that does not tell its version' };
  const version: Version = [Number(major), Number(minor), Number(patch)];
  const server = `${version[0] < 25 ? 'EventStoreDB' : 'KurrentDB'} ${version.join('.')}`;
  const floor = FLOORS.find(([line]) => version[0] <= line);
  if (!floor || !isBelow(version, floor)) return { note: server };
  return { note: server, problem: `${server} loses events in subscriptions. Install ${floor.join('.')} or later.` };
};

const isBelow = (version: Version, floor: Version): boolean => {
  const place = version.findIndex((part, index) => part !== floor[index]);
  return place >= 0 && version[place]! < floor[place]!;
};
