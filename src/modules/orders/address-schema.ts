import { type Place, placeProblems, stateOf, zipOf } from '@kitlane/display/postal-address'
import { hasLetterOrDigit, NO_LETTER } from '@kitlane/display/text'
import { z } from 'zod'
import { wordsOfProblem } from '../../domain/addresses.ts'
import { anyLine, countryCode, line, optionalLine, postcode } from '../../platform/http/fields.ts'
import { isRecord } from '../../platform/http/lenient.ts'

/** An address by the rules of its country, alone or among other fields: a state by its letters, a postcode as it is written there. */
export const byCountry = <T extends z.ZodType<Place>>(schema: T): T =>
  schema
    .overwrite((given) => ({
      ...given,
      state: stateOf(given.state, given.country) ?? given.state,
      zip: zipOf(given.zip, given.country),
    }))
    .superRefine(
      (given, context) => {
        const isWrong = (name: string) => context.issues.some(({ path }) => path?.[0] === name)
        if (isWrong('country')) return
        const part = (name: 'state' | 'zip') => (isWrong(name) ? '' : given[name])
        for (const found of placeProblems({ country: given.country, state: part('state'), zip: part('zip') }))
          if (!isWrong(found.field))
            context.addIssue({ code: 'custom', message: wordsOfProblem(found), path: [found.field] })
      },
      // Told together with what else is wrong.
      { when: ({ value }) => isRecord(value) },
    )

export const Address = byCountry(
  z.object({
    street1: line(200).refine(hasLetterOrDigit, NO_LETTER),
    street2: optionalLine(200),
    city: line(100).refine(hasLetterOrDigit, NO_LETTER),
    state: anyLine(100).default('').describe('Needed in US, CA, AU, BR, IN and MX.'),
    zip: postcode(20).default('').describe('Needed where the country has postcodes.'),
    country: countryCode.default('US'),
  }),
).meta({ id: 'AddressInput' })
export type Address = z.infer<typeof Address>

export const RecipientAddress = z
  .object({
    street1: z.string(),
    street2: z.string().optional(),
    city: z.string(),
    state: z.string().describe('Empty where none was given.'),
    zip: z.string().describe('Empty where none was given.'),
    country: z.string(),
  })
  .meta({ id: 'RecipientAddress' })
