import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';

import { ActOnScan, type Acted } from './phones/act-on-scan.js';
import { ScanDto } from './scan.dto.js';

@Controller('sandbox/v1/phones')
export class ScanController {
  constructor(private readonly actOnScan: ActOnScan) {}

  /**
   * The phone scans the code and does what its persona does. Answers when it is done: what the phone showed, and
   * what became of the session. What `/app/v1` refuses the phone is answered with the same status and error.
   */
  @Post(':phoneId/scan')
  @HttpCode(200)
  scan(@Param('phoneId') phoneId: string, @Body() { qr }: ScanDto): Promise<Acted> {
    return this.actOnScan.execute(phoneId, qr);
  }
}
