import { route } from '../../platform/http/route.ts'
import { type Settings, SettingsChange, ShownSettings } from './schema.ts'
import { changeSettings, settings } from './service.ts'

const tag = 'Settings'

const shown = ({ lowCreditThreshold, brandColor, logoUrl, contactEmail, ...rest }: Settings): ShownSettings => ({
  ...rest,
  ...(lowCreditThreshold !== null && { lowCreditThreshold }),
  ...(brandColor !== null && { brandColor }),
  ...(logoUrl !== null && { logoUrl }),
  ...(contactEmail !== null && { contactEmail }),
})

export const getSettings = route({
  method: 'GET',
  path: '/settings',
  id: 'getSettings',
  tag,
  summary: 'Get the settings',
  scope: 'settings:read',
  responses: { 200: ShownSettings },
  handler: async ({ tx }) => ({ status: 200, body: shown(await settings(tx)) }),
})

export const patchSettings = route({
  method: 'PATCH',
  path: '/settings',
  id: 'changeSettings',
  tag,
  summary: 'Change settings',
  description:
    "Only what is sent is changed, and only in the mode of the token; null unsets. `uploadsEnabled` is the operator's.",
  scope: 'settings:write',
  body: SettingsChange,
  responses: { 200: ShownSettings },
  handler: async ({ tx, body }) => ({ status: 200, body: shown(await changeSettings(tx, body)) }),
})
