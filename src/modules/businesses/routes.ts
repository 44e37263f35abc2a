import type { Tx } from '../../platform/database/tx.ts'
import { route } from '../../platform/http/route.ts'
import { type Settings, SettingsChange, ShownSettings } from './schema.ts'
import { changeSettings, nameOf, settings } from './service.ts'

const tag = 'Settings'

async function shown(tx: Tx, settings: Settings): Promise<ShownSettings> {
  const { lowCreditThreshold, brandColor, logoUrl, contactEmail, ...rest } = settings
  return {
    name: await nameOf(tx),
    ...rest,
    ...(lowCreditThreshold !== null && { lowCreditThreshold }),
    ...(brandColor !== null && { brandColor }),
    ...(logoUrl !== null && { logoUrl }),
    ...(contactEmail !== null && { contactEmail }),
  }
}

export const getSettings = route({
  method: 'GET',
  path: '/settings',
  id: 'getSettings',
  tag,
  summary: 'Get the settings',
  scope: 'settings:read',
  responses: { 200: ShownSettings },
  handler: async ({ tx }) => ({ status: 200, body: await shown(tx, await settings(tx)) }),
})

export const patchSettings = route({
  method: 'PATCH',
  path: '/settings',
  id: 'changeSettings',
  tag,
  summary: 'Change settings',
  description:
    "Only what is sent is changed, and only in the mode of the token, except the name; null unsets. `uploadsEnabled` is the operator's.",
  scope: 'settings:write',
  body: SettingsChange,
  responses: { 200: ShownSettings },
  handler: async ({ tx, body }) => ({ status: 200, body: await shown(tx, await changeSettings(tx, body)) }),
})
