import type { Faults } from './switch-faults.js';

/** What can be made to fail. A service that offers a fault adds its line. */
export const faults: Faults = {};
