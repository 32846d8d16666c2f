import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';

import { ActOnScan, type Acted } from './phones/act-on-scan.js';
import { ScanDto } from './scan.dto.js';

interface ShownOutcome extends Omit<Acted, 'scanned'> {
  /** The request as the phone showed it. */
  readonly scanned: object;
}

@Controller('sandbox/v1/phones')
export class ScanController {
  constructor(private readonly actOnScan: ActOnScan) {}

  /**
   * The phone scans the code and acts as its persona. Answers when it is done, with the shown request and the
   * session's status. A refusal of `/app/v1` is passed on with the same status and error.
   */
  @Post(':phoneId/scan')
  @HttpCode(200)
  scan(@Param('phoneId') phoneId: string, @Body() { qr }: ScanDto): Promise<ShownOutcome> {
    return this.actOnScan.execute(phoneId, qr);
  }
}
