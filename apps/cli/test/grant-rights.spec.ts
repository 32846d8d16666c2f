import { grantRights } from '../src/store/grant-rights.js';

describe('the command store grant', () => {
  it('refuses an address that is none of EventStoreDB, without repeating the credentials', async () => {
    const granting = grantRights({ esdbUrl: 'nonsense', credentials: { username: 'admin', password: 'secret' }, role: 'services' });
    await expect(granting).rejects.toMatchObject({ exitCode: 2, message: expect.stringMatching(/^ESDB_URL: (?!.*secret)/) });
  });
});
