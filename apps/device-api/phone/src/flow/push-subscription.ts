import type { PhoneApi, Prover, PushKeys } from '#clients/device';

export interface PushSubscriptionParts {
  readonly api: Pick<PhoneApi, 'pushes' | 'takePushes'>;
  /** Undefined in a browser that takes no pushes. */
  readonly manager: () => Promise<PushManager | undefined>;
}

/** Answers false where no pushes will come. A service that does not answer at present is asked again at the next visit. Throws what the browser's push service throws. */
export const subscribeToPushes = async ({ api, manager: find }: PushSubscriptionParts, prover: Prover): Promise<boolean> => {
  const state = await api.pushes(prover);
  if (state.kind !== 'OK') return true;
  const { publicKey, subscribed } = state.body;
  const manager = publicKey === '' ? undefined : await find();
  const keys = manager && keysOf(await subscriptionOf(manager, publicKey, subscribed));
  return keys !== undefined && (await api.takePushes(prover, keys)).kind !== 'REFUSED';
};

/** The subscription under this key of the service. One that the service no longer has, or under another key, is of no use any more. */
const subscriptionOf = async (manager: PushManager, publicKey: string, isKnown: boolean): Promise<PushSubscription> => {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  if (!isKnown) await (await manager.getSubscription())?.unsubscribe();
  try {
    return await manager.subscribe(options);
  } catch (error) {
    const earlier = await manager.getSubscription();
    if (!earlier) throw error;
    await earlier.unsubscribe();
    return manager.subscribe(options);
  }
};

const keysOf = (subscription: PushSubscription): PushKeys | undefined => {
  const { endpoint, keys: { p256dh, auth } = {} } = subscription.toJSON();
  return endpoint !== undefined && p256dh !== undefined && auth !== undefined ? { endpoint, keys: { p256dh, auth } } : undefined;
};
