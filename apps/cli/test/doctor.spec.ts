import { examineStart } from '../src/store/doctor.js';

describe('the command doctor', () => {
  it('reads the settings of the service, and answers one finding for each wrong one', async () => {
    const found = await examineStart({ ENVIRONMENT: 'Production!', LOG_LEVEL: 'loud' });
    expect(found).toEqual([
      { subject: 'settings', problem: expect.stringContaining('LOG_LEVEL') },
      { subject: 'settings', problem: expect.stringContaining('ENVIRONMENT') },
    ]);
  });
});
