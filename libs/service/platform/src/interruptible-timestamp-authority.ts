import { ServiceUnavailable } from '#kernel';
import { TimestampAuthority, type VerifiedTimeStamp } from '#signatures/pki';

/** For the sandbox: a time-stamping authority that can be made unavailable. */
export class InterruptibleTimestampAuthority extends TimestampAuthority {
  interrupted = false;

  constructor(private readonly authority: TimestampAuthority) {
    super();
  }

  override async stamp(data: Buffer): Promise<VerifiedTimeStamp> {
    if (this.interrupted) throw new ServiceUnavailable('the time-stamping authority is interrupted by the sandbox');
    return this.authority.stamp(data);
  }
}
