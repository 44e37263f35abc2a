import { z } from 'zod'
import { anyText, pagination } from '../../../platform/http/fields.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { selectAlarms } from './queries.ts'
import { Alarm, AlarmPage, AlarmsQuery, shownAlarm } from './schema.ts'
import { acknowledge } from './service.ts'

const shared = { tag: 'Operator: audit', scope: 'audit' } as const

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
