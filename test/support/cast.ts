import type { Phone } from './phone.js';
import { RelyingParty } from './relying-party.js';
import type { Service } from './service.js';
import { sharedService } from './shared-service.js';
import { Staff } from './staff.js';

/** The parties of the tests of one file. */
export interface Cast {
  readonly service: Service;
  readonly staff: Staff;
  /** A client of its own. */
  readonly shop: RelyingParty;
  /** The phone of a new person. */
  readonly phone: Phone;
}

/** The shared service with a new client and a new person's phone. */
export const newCast = async (): Promise<Cast> => {
  const service = await sharedService();
  const staff = new Staff(service);
  return { service, staff, shop: await RelyingParty.register(service), phone: await staff.newPhone() };
};
