import { PortalPersons } from '#domain/identity';

/** A portal without members. */
export class NoPortalPersons extends PortalPersons {
  override isMember = async (): Promise<boolean> => false;
  override phoneRevoked = async (): Promise<void> => undefined;
}
