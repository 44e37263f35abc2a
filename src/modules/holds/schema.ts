import { z } from 'zod'
import { businessName, kitId } from '../../domain/id-fields.ts'
import {
  anyOf,
  anyOfTexts,
  commaParameter,
  dayOf,
  optionalText,
  Pagination,
  paging,
  said,
  text,
  timestamp,
} from '../../platform/http/fields.ts'
import { actionCodes, actors, causes, clocks, ends, states } from './decision.ts'

const Action = z.object({
  code: z.enum(actionCodes),
  by: z.array(z.enum(actors)).describe('Who may do it.'),
  cause: z.enum(causes).describe('What it mends.'),
})

/** A sample that waits for something that somebody can mend. */
export const HeldSample = z
  .object({
    kitID: z.string(),
    orderID: z.string(),
    state: z
      .enum(states)
      .describe('open: something is required. released: nothing is any more. discarded: it cannot be tested any more.'),
    causes: z.array(z.enum(causes)).describe('Everything that was missing, also what is mended.'),
    requiredActions: z
      .array(Action.extend({ sentence: said.describe('The same in words.') }))
      .describe('What is missing now; empty once it is released or discarded.'),
    since: timestamp,
    changedDate: timestamp,
    discardAt: timestamp.describe(
      'Until when the sample can be tested. Where its panel has `stabilityDays`, it is discarded then; else the laboratory decides.',
    ),
    clock: z
      .object({
        restsOn: z
          .enum(clocks)
          .describe(
            'The day of collection, the receipt where nobody knows that day, or an extension by the laboratory.',
          ),
        stabilityDays: z.int().describe('How long a sample of this panel can be tested.'),
      })
      .describe('What `discardAt` rests on.'),
    acknowledged: z.boolean().describe('The laboratory has seen that it was released or discarded.'),
    collectedDate: z.string().optional().describe('`YYYY-MM-DD`, where somebody gave it.'),
    hasResults: z.literal(true).optional().describe('Its report decides what becomes of it: it cannot be discarded.'),
    proposedName: z
      .object({ firstName: z.string(), lastName: z.string() })
      .optional()
      .describe('The name that the person gave, for the business, until it is approved or declined.'),
    endedBy: z
      .enum(ends)
      .optional()
      .describe(
        'tested: its results came. clock: nobody mended it in time. laboratory: it was discarded or rejected. erased: its person was.',
      ),
    replacedBy: z.string().optional(),
    business: businessName.optional().describe('For the operator.'),
    panelName: z.string().optional().describe('For the operator.'),
  })
  .meta({ id: 'HeldSample' })
export type HeldSample = z.input<typeof HeldSample>

/** The same as a business hears of it. */
export const HoldNews = HeldSample.omit({
  changedDate: true,
  acknowledged: true,
  hasResults: true,
  proposedName: true,
  business: true,
  panelName: true,
}).extend({ requiredActions: z.array(Action).describe('What is missing now.') })
export type HoldNews = z.infer<typeof HoldNews>

const filters = {
  state: anyOf(states).describe(
    'Default: open ones, and released ones and those of erased people that the laboratory has not acknowledged.',
  ),
}

export const HoldQuery = z.object({
  ...paging(50, 250),
  ...filters,
  kitID: commaParameter(50).pipe(z.array(kitId)).optional().describe('Of these kits, by comma.'),
})
export const HoldPage = z.object({ data: z.array(HeldSample), pagination: Pagination })

export const HoldOfAllQuery = z.object({
  ...paging(50, 250),
  ...filters,
  businessID: anyOfTexts(50).describe('Of these businesses, by comma.'),
})

const collectedDate = dayOf.describe('The day on which the sample was taken.')

export const HoldSample = z.object({
  causes: z.array(z.enum(causes)).min(1).max(causes.length).describe('What the laboratory misses.'),
  collectedDate: collectedDate.optional(),
  note: optionalText(300).describe('For the audit.'),
})

const mend = {
  collectedDate: collectedDate.optional(),
  identified: z.literal(true).optional().describe('The sample is of this kit.'),
}
export const MendAsBusiness = z.object({
  ...mend,
  name: z
    .enum(['confirm', 'approve', 'decline'])
    .optional()
    .describe('confirm: the registered name is right. approve, decline: the name that the person gave.'),
  isApprovedPerson: z
    .boolean()
    .optional()
    .describe('With `approve`, for an order that a provider approved: you made sure that it is the person approved.'),
})
export const MendAsOperator = z.object(mend)
export type Mend = z.infer<typeof MendAsBusiness>

export const ExtendHold = z.object({
  discardAt: timestamp.describe('Later than the sample is kept already, and by 90 days from now at most.'),
  reason: text(300),
})
export const DiscardSample = z.object({ reason: text(300) })

export const kitParam = z.object({ kitID: kitId })
