const { runningSandbox } = require('@countersign/sandbox/jest');

test('a person of its own has a phone', async () => {
  const { persona, identity } = await runningSandbox().createPhone({ persona: 'minor' });
  expect([persona, identity.givenName]).toEqual(['minor', 'Sandra']);
});
