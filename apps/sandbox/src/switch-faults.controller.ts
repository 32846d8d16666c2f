import { Body, Controller, HttpCode, Post } from '@nestjs/common';

import { type JsonObject } from '#kernel';

import { SwitchFaults } from './faults/switch-faults.js';

@Controller('sandbox/v1/faults')
export class SwitchFaultsController {
  constructor(private readonly switchFaults: SwitchFaults) {}

  /** Makes something fail, or work again: a field for each fault. Answers how the named ones stand. */
  @Post()
  @HttpCode(200)
  switch(@Body() wanted: JsonObject): object {
    return this.switchFaults.execute(wanted);
  }
}
