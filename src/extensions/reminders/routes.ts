import { z } from 'zod'
import { anyText } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import * as schema from './schema.ts'
import { changeRules, preview, reminderRules, remindersOfKit, sendTest } from './service.ts'

const tag = 'Reminders'

export const getReminderRules = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/reminders',
  tag,
  summary: 'Get the rules of reminders',
  scope: 'settings:read',
  answers: { 200: schema.ReminderRules },
  handler: async ({ tx }) => ({ status: 200, body: await reminderRules(tx) }),
})

export const replaceReminderRules = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/reminders',
  tag,
  summary: 'Replace the rules of reminders',
  effects: ['changes-who-is-told'],
  grants: ['reminders'],
  description:
    'In this mode only. E-mails go to people whose order has `isNotifyReceiver`, never twice, and in live between 9 and 20 o’clock where the person lives. A new or changed rule counts from now on.',
  scope: 'settings:write',
  body: schema.ReminderRulesInput,
  answers: { 200: schema.ReminderRules },
  handler: async ({ tx, body }) => ({ status: 200, body: await changeRules(tx, body) }),
})

export const previewReminder = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/reminders/preview',
  tag,
  summary: 'See a reminder',
  description: 'As it would look, with a made-up kit.',
  scope: 'settings:read',
  query: schema.ReminderLook,
  answers: { 200: schema.ReminderPreview },
  handler: async ({ tx, query }) => ({ status: 200, body: await preview(tx, query) }),
})

export const sendTestReminder = defineRoute({
  audience: 'business',
  method: 'POST',
  path: '/reminders/test',
  tag,
  summary: 'Send a reminder to yourself',
  effects: [],
  description: 'To `contactEmail` of the settings, with a made-up kit. One of the sandbox is kept and not sent.',
  scope: 'settings:write',
  body: schema.ReminderLook,
  answers: { 200: schema.ReminderTest },
  errors: ['CONTACT_EMAIL_MISSING'],
  handler: async ({ tx, body }) => ({ status: 200, body: await sendTest(tx, body) }),
})

export const getKitReminders = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/kits/:kitID/reminders',
  tag,
  summary: 'Get the reminders about a kit',
  description: 'What was sent, and what comes next, or why nothing does.',
  scope: 'kits:read',
  params: z.object({ kitID: anyText(64) }),
  answers: { 200: schema.KitReminders },
  errors: ['KIT_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: await remindersOfKit(tx, params.kitID) }),
})
