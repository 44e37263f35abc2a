import { z } from 'zod'
import { anyOfOr, anyText, Pagination, pagination, paging, timestamp } from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { type AlarmRow, selectAlarms } from './queries.ts'
import { alarmKinds } from './rules.ts'
import { acknowledge } from './service.ts'

const shared = { tag: 'Operator: audit', scope: 'audit' } as const

const Alarm = z
  .object({
    id: z.string(),
    kind: z.enum(alarmKinds),
    subject: z
      .string()
      .describe(
        'The caller (`token:…`, `user:…`, `operator:…`), `network:…`, or what is broken. The audit has the rest.',
      ),
    amount: z.int().describe('Refused attempts, or people whose data was read.'),
    raisedDate: timestamp,
    lastDate: timestamp.describe('When it was last seen to go on.'),
    acknowledgedDate: timestamp.optional(),
    acknowledgedBy: z.string().optional(),
  })
  .meta({ id: 'Alarm' })

const AlarmsQuery = z.object({ ...paging(50, 250), state: anyOfOr(['open', 'all'], 'open') })
const AlarmPage = z.object({ data: z.array(Alarm), pagination: Pagination })

function shownAlarm({ raisedAt, lastAt, acknowledgedAt, acknowledgedBy, ...row }: AlarmRow): z.infer<typeof Alarm> {
  const { id, kind, subject, amount } = row
  return {
    id,
    kind,
    subject,
    amount,
    raisedDate: raisedAt.toISOString(),
    lastDate: lastAt.toISOString(),
    ...(acknowledgedAt && { acknowledgedDate: acknowledgedAt.toISOString() }),
    ...(acknowledgedBy !== null && { acknowledgedBy }),
  }
}

export const listAlarms = defineRoute({
  audience: 'operator',
  ...shared,
  method: 'GET',
  path: '/alarms',
  summary: 'List alarms, newest first',
  description:
    'Bursts of refused attempts, callers that read the data of many people, sign-ins from new places, a broken seal, a review of access that is due. One that goes on is one alarm until somebody acknowledges it.',
  query: AlarmsQuery,
  answers: { 200: AlarmPage },
  handler: async ({ tx, query }) => {
    const { rows, total } = await selectAlarms(tx, query)
    const body = { data: rows.map(shownAlarm), pagination: pagination(query.page, query.size, total) }
    return { status: 200, body }
  },
})

export const acknowledgeAlarm = defineRoute({
  audience: 'operator',
  ...shared,
  method: 'POST',
  path: '/alarms/:alarmID/acknowledge',
  summary: 'Acknowledge an alarm',
  effects: [],
  description: 'What happens after this raises a new one.',
  params: z.object({ alarmID: anyText(64) }),
  answers: { 200: Alarm },
  errors: ['ALARM_NOT_FOUND'],
  handler: async ({ tx, params: { alarmID } }) => ({ status: 200, body: shownAlarm(await acknowledge(tx, alarmID)) }),
})
