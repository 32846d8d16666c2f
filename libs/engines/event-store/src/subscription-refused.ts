const REMEDIES = {
  position:
    'the store does not know the position to go on after: it was restored from another copy. Restore the copy that belongs to the position, or let the consumer begin anew',
  restored: 'the store was restored from an older copy and lacks events that were handed over. Let the consumer begin anew',
  rights: 'the user may not read $all. Name a role of the user in acl.readRoles of the metadata of $all',
} as const;

/**
 * The subscription has stopped. After `position` or `rights` only an operator can repair it, and the store is no longer ready. After `restored`
 * the consumer that asked for `refuse` has to act. The message names the remedy.
 */
export class SubscriptionRefused extends Error {
  constructor(
    categories: readonly string[],
    readonly reason: keyof typeof REMEDIES,
  ) {
    super(`the subscription to ${categories.join(', ')} has stopped: ${REMEDIES[reason]}`);
    this.name = 'SubscriptionRefused';
  }
}
