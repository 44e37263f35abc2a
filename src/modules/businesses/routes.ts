import type { Tx } from '../../platform/database/tx.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { grantsOf, type Settings, SettingsChange, ShownSettings } from './schema.ts'
import * as businesses from './service.ts'

const tag = 'Settings'

async function shown(tx: Tx, settings: Settings): Promise<ShownSettings> {
  const {
    lowCreditThreshold,
    brandColor,
    logoUrl,
    contactEmail,
    billingName,
    billingAddress,
    billingTaxNumber,
    ...rest
  } = settings
  return {
    name: await businesses.nameOf(tx),
    ...rest,
    ...(lowCreditThreshold !== null && { lowCreditThreshold }),
    ...(brandColor !== null && { brandColor }),
    ...(logoUrl !== null && { logoUrl }),
    ...(contactEmail !== null && { contactEmail }),
    ...(billingName !== null && { billingName }),
    ...(billingAddress !== null && { billingAddress }),
    ...(billingTaxNumber !== null && { billingTaxNumber }),
  }
}

export const getSettings = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/settings',
  tag,
  summary: 'Get the settings',
  scope: 'settings:read',
  answers: { 200: ShownSettings },
  handler: async ({ tx }) => ({ status: 200, body: await shown(tx, await businesses.settings(tx)) }),
})

export const changeSettings = defineRoute({
  audience: 'business',
  method: 'PATCH',
  path: '/settings',
  tag,
  summary: 'Change settings',
  effects: ['publishes', 'spends', 'changes-who-is-told'],
  grants: ({ body }) => grantsOf(body),
  description:
    "Only what is sent is changed, and only in the mode of the token, except the name; null unsets. `uploadsEnabled` is the operator's.",
  scope: 'settings:write',
  body: SettingsChange,
  answers: { 200: ShownSettings },
  needsProof: ({ body }) => body.publishing !== undefined,
  handler: async ({ tx, body }) => ({ status: 200, body: await shown(tx, await businesses.changeSettings(tx, body)) }),
})
