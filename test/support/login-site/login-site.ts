import type { Phone } from '../phone.js';
import type { Service } from '../service.js';

/** A server of a relying party that logs in by the middleware of the SDK. Its start page says "You are logged in as …." or "You are not logged in.". */
export interface LoginSite {
  readonly origin: string;
  readonly service: Service;
  readonly phone: Phone;
}
