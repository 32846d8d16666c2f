import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';

import { LogInOnHostedPage, type LoggedIn } from './hosted-page/log-in-on-hosted-page.js';
import { LogInDto } from './log-in.dto.js';

interface ShownLogin extends Omit<LoggedIn, 'scanned'> {
  /** The request as the phone showed it. */
  readonly scanned: object;
}

@Controller('sandbox/v1/phones')
export class LogInController {
  constructor(private readonly logIn: LogInOnHostedPage) {}

  /**
   * Plays the hosted page in a browser and the phone together. Answers when the login or the signature has ended, with the address to which the page sends the browser:
   * open it in the browser that began the login. A refusal of `/login-ui/v1` or `/app/v1` is passed on with the same status and error.
   */
  @Post(':phoneId/login')
  @HttpCode(200)
  execute(@Param('phoneId') phoneId: string, @Body() { url }: LogInDto): Promise<ShownLogin> {
    return this.logIn.execute(phoneId, url);
  }
}
