import { Body, Controller, HttpCode, Post } from '@nestjs/common';

import { epochSeconds } from '#kernel';
import { MovableClock } from '#service/platform';

import { MoveClockDto } from './move-clock.dto.js';

interface MovedClock {
  /** Epoch seconds. */
  readonly now: number;
}

@Controller('sandbox/v1/clock')
export class MoveClockController {
  constructor(private readonly clock: MovableClock) {}

  /** Sets the service's clock forward, for good. Answers its new time in epoch seconds. */
  @Post()
  @HttpCode(200)
  async move(@Body() { advance_seconds: seconds }: MoveClockDto): Promise<MovedClock> {
    await this.clock.advance(seconds * 1000);
    return { now: epochSeconds(this.clock.now()) };
  }
}
