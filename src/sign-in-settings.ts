import { z } from 'zod'
import { secondFactorPolicies } from './domain/second-factor.ts'

/** How people sign in; config.ts includes it. The demo prints its password, so it demands no second factor by itself. */
export const signInSettings = {
  SECOND_FACTOR: {
    schema: z.enum(secondFactorPolicies),
    must: 'operators or optional',
    example: 'optional',
    help: 'operators: staff must have a second factor; optional: they may (default: operators)',
  },
}
