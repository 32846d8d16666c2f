/** SessionCreated with its envelope, as it is stored. */
export const STORED_CREATION = {
  type: 'SessionCreated',
  data: {
    clientId: '11111111-1111-4111-8111-111111111111',
    signatureType: 'AUTHENTICATION',
    pushStatus: 'NOT_REQUESTED',
    sealed: '',
    at: 1_000,
    expiresAt: 121_000,
  },
  metadata: { v: 2, clientId: '11111111-1111-4111-8111-111111111111', signatureType: 'AUTHENTICATION', status: 'PENDING' },
};
