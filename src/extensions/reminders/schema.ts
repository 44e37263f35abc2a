import { z } from 'zod'
import { languages } from '../../domain/translations/translator.ts'
import { anyText, timestamp } from '../../platform/http/fields.ts'

export const stages = ['register', 'post', 'parcel', 'sample', 'retest'] as const
export type Stage = (typeof stages)[number]

const MOST_DAYS = 1100
const MOST_TIMES = 10

const Stage = z
  .enum(stages)
  .describe(
    'register: the kit arrived and is not registered. post: it is registered, and the sample is not on its way. parcel: the kit, sample: the sample is on its way and does not arrive. retest: after a published report.',
  )

const rule = {
  stage: Stage,
  panel: anyText(64).optional().describe('Only kits of this type. Absent: those that have no rule of their own.'),
  afterDays: z
    .int()
    .min(1)
    .max(MOST_DAYS)
    .describe('Days in which nothing happened with the kit; of `retest`, days since the report was published.'),
  everyDays: z.int().min(1).max(365).optional().describe('Days until the next one; needed where `times` is above 1.'),
  by: z
    .enum(['email', 'text'])
    .default('email')
    .describe('text: a text message to people tested who agreed to them; everybody else gets the e-mail.'),
  times: z.int().min(1).max(MOST_TIMES).default(1).describe('How many in all, about one kit.'),
}

export const ReminderRules = z
  .object({
    rules: z
      .array(z.object({ ...rule, sinceDate: timestamp.describe('What was due before is not made up for.') }))
      .describe('None: nobody is reminded.'),
  })
  .meta({ id: 'ReminderRules' })
export type ReminderRules = z.infer<typeof ReminderRules>

export const ReminderRulesInput = z
  .object({
    rules: z
      .array(z.object(rule).meta({ id: 'ReminderRuleInput' }))
      .max(200)
      .describe('All of them; none: nobody is reminded.'),
  })
  .meta({ id: 'ReminderRulesInput' })
export type ReminderRulesInput = z.infer<typeof ReminderRulesInput>

export const ReminderLook = z.object({
  stage: z.enum(stages).default('register'),
  language: z.enum(languages).default('en').describe('The e-mail itself is in the language of the person.'),
})
export type ReminderLook = z.infer<typeof ReminderLook>

export const ReminderPreview = z
  .object({ subject: z.string(), text: z.string(), html: z.string() })
  .meta({ id: 'ReminderPreview' })
export type ReminderPreview = z.infer<typeof ReminderPreview>

export const ReminderTest = z
  .object({ to: z.string().describe('The contact address of the business.') })
  .meta({ id: 'ReminderTest' })

const reasons = ['noRule', 'notWanted', 'stopped', 'done', 'notDue'] as const

export const KitReminders = z
  .object({
    sent: z
      .array(
        z.object({
          stage: Stage,
          number: z.int().describe('1: the first of its stage.'),
          sentDate: timestamp,
          by: z.enum(['email', 'text']).describe('text: as a text message.'),
          to: z.enum(['recipient', 'person']).describe('To whom the kit was sent, or who is tested.'),
        }),
      )
      .describe('The oldest first.'),
    next: z
      .object({ stage: Stage, number: z.int(), dueDate: timestamp.describe('At night it waits for the morning.') })
      .optional()
      .describe('Absent: see `why`.'),
    why: z
      .enum(reasons)
      .optional()
      .describe(
        'noRule: no rule fits where the kit stands. notWanted: the order asked for no e-mails (`isNotifyReceiver`). stopped: the person wants none. done: all were sent. notDue: due before the rule was made, or over 14 days ago.',
      ),
  })
  .meta({ id: 'KitReminders' })
export type KitReminders = z.infer<typeof KitReminders>
