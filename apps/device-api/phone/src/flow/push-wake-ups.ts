import type { PhoneApi, Prover, PushKeys } from '#clients/device';

export interface PushWakeUpsParts {
  readonly api: Pick<PhoneApi, 'pushKey' | 'takePushes'>;
  /** Undefined in a browser that takes no pushes. */
  readonly manager: () => Promise<PushManager | undefined>;
  readonly permission: () => NotificationPermission;
  readonly ask: () => Promise<NotificationPermission>;
}

/** Lets the service wake this phone when its page is closed. A browser or a service without pushes changes nothing: the open page asks its inbox. */
export class PushWakeUps {
  private renewed = false;

  constructor(private readonly parts: PushWakeUpsParts) {}

  /** Whether the person may still be asked for notifications. */
  get mayAsk(): boolean {
    return this.parts.permission() === 'default';
  }

  /** Asks the person, by a tap. */
  async allow(prover: Prover): Promise<void> {
    if ((await this.parts.ask()) === 'granted') await this.renew(prover);
  }

  /** Once a visit: tells the service where this browser takes pushes, if the person allowed notifications. Browsers change the address now and then. */
  async renew(prover: Prover): Promise<void> {
    if (this.parts.permission() !== 'granted' || this.renewed) return;
    this.renewed = true;
    try {
      const key = await this.parts.api.pushKey(prover);
      const manager = await this.parts.manager();
      if (key.kind !== 'OK' || key.body === '' || !manager) return;
      const keys = keysOf(await subscribed(manager, key.body));
      if (keys) await this.parts.api.takePushes(prover, keys);
    } catch {
      // The browser has no push service, or none that answers.
    }
  }
}

/** The subscription under this key of the service; one under another key is of no use any more. */
const subscribed = async (manager: PushManager, publicKey: string): Promise<PushSubscription> => {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
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
