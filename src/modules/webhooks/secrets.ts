import { randomBytes } from 'node:crypto'
import type { Local } from '../../platform/database/local.ts'

const SECRET_BYTES = 32

/** A new signing secret in the form of Standard Webhooks. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

const place = (realmId: number, endpointId: string) => `webhook_endpoints.secret/${realmId}/${endpointId}`

export const sealSecret = (local: Local, realmId: number, endpointId: string, secret: string): Buffer =>
  local.seal(secret, place(realmId, endpointId))

export const openSecret = (local: Local, realmId: number, endpointId: string, sealed: Buffer): string =>
  local.open(sealed, place(realmId, endpointId))
