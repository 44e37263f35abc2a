import { route } from '../../platform/http/route.ts'
import { Settings, SettingsChange } from './schema.ts'
import { changeSettings, settings } from './service.ts'

const tag = 'Settings'

export const getSettings = route({
  method: 'GET',
  path: '/settings',
  id: 'getSettings',
  tag,
  summary: 'Get the settings',
  scope: 'settings:read',
  responses: { 200: Settings },
  handler: async ({ tx }) => ({ status: 200, body: await settings(tx) }),
})

export const patchSettings = route({
  method: 'PATCH',
  path: '/settings',
  id: 'changeSettings',
  tag,
  summary: 'Change settings',
  description: "Only what is sent is changed, and only in the mode of the token. `uploadsEnabled` is the operator's.",
  scope: 'settings:write',
  body: SettingsChange,
  responses: { 200: Settings },
  handler: async ({ tx, body }) => ({ status: 200, body: await changeSettings(tx, body) }),
})
