import { z } from 'zod'
import { accountScope } from '../../../domain/scopes.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { changeConnection, createConnection, removeConnection } from './connections.ts'
import { type ConnectionRow, selectConnections } from './queries.ts'
import * as schema from './schema.ts'

const shared = { audience: 'business', tag: 'Users', scope: accountScope, acrossRealms: true } as const

const shown = (tx: SystemTx, row: ConnectionRow) =>
  schema.BusinessConnection.parse(schema.shownConnection(row, tx.context.publicUrl))

export const listSsoConnections = defineRoute({
  ...shared,
  method: 'GET',
  path: '/sso-connections',
  summary: 'List the single sign-on of the business',
  answers: { 200: z.array(schema.BusinessConnection) },
  handler: async ({ tx }) => ({
    status: 200,
    body: (await selectConnections(tx, tx.realm.businessId)).map((row) => shown(tx, row)),
  }),
})

export const createSsoConnection = defineRoute({
  ...shared,
  method: 'POST',
  path: '/sso-connections',
  summary: 'Let users sign in at your identity provider',
  effects: ['lets-in'],
  grants: ['signOn'],
  description:
    'With OpenID Connect. People of verified domains get the role of their groups. The operator verifies domains; until then nobody signs in with it.',
  body: schema.NewBusinessConnection,
  answers: { 201: schema.BusinessConnection },
  errors: ['EMERGENCY_ACCOUNT_REQUIRED'],
  needsProof: true,
  handler: async ({ tx, body, access }) => ({
    status: 201,
    body: shown(tx, await createConnection(tx, tx.realm.businessId, body, access)),
  }),
})

export const changeSsoConnection = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/sso-connections/:connectionID',
  summary: 'Change a single sign-on',
  effects: ['lets-in'],
  grants: ['signOn'],
  description: 'Only what is sent is changed. Another issuer ends its sessions.',
  params: schema.connectionParams,
  body: schema.ChangeBusinessConnection,
  answers: { 200: schema.BusinessConnection },
  errors: ['CONNECTION_NOT_FOUND', 'EMERGENCY_ACCOUNT_REQUIRED'],
  needsProof: true,
  handler: async ({ tx, params, body, access }) => ({
    status: 200,
    body: shown(tx, await changeConnection(tx, tx.realm.businessId, params.connectionID, body, access)),
  }),
})

export const removeSsoConnection = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/sso-connections/:connectionID',
  summary: 'Remove a single sign-on',
  effects: ['deletes'],
  description: 'Ends the sessions that it began. Roles that it gave stay.',
  params: schema.connectionParams,
  answers: { 200: schema.BusinessConnection },
  errors: ['CONNECTION_NOT_FOUND'],
  needsProof: true,
  handler: async ({ tx, params }) => ({
    status: 200,
    body: shown(tx, await removeConnection(tx, tx.realm.businessId, params.connectionID)),
  }),
})
