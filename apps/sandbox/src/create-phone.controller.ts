import { Body, Controller, Post } from '@nestjs/common';

import { InvalidRequest } from '#kernel';

import { CreatePhoneDto } from './create-phone.dto.js';
import { CreatePhone, type CreatedPhone } from './phones/create-phone.js';

@Controller('sandbox/v1/phones')
export class CreatePhoneController {
  constructor(private readonly createPhone: CreatePhone) {}

  /** A new person with a phone that is enrolled and acts by itself. */
  @Post()
  create(@Body() { persona, delay_seconds: delaySeconds }: CreatePhoneDto): Promise<CreatedPhone> {
    if (delaySeconds !== undefined && persona !== 'slow') throw new InvalidRequest('`delay_seconds` belongs to the persona slow; leave it out');
    return this.createPhone.execute(persona, delaySeconds);
  }
}
