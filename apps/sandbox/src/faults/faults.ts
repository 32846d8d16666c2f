import { InterruptibleTimestampAuthority, type Platform } from '#platform';

import type { Fault, Faults } from './switch-faults.js';

/** What can be made to fail. A service that offers a fault adds its line. */
export const faultsOf = ({ trustServices: { timestampAuthority } }: Platform): Faults => ({
  ...(timestampAuthority instanceof InterruptibleTimestampAuthority && { time_stamp_down: onOff((down) => (timestampAuthority.interrupted = down)) }),
});

const onOff = (set: (on: boolean) => void): Fault => ({
  expected: 'true or false',
  accepts: (value) => typeof value === 'boolean',
  set: (value) => set(value === true),
});
