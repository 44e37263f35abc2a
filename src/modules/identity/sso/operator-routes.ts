import { z } from 'zod'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import * as businesses from '../../businesses/service.ts'
import { changeConnection, createConnection, removeConnection, verifyDomain } from './connections.ts'
import { type ConnectionRow, selectAllConnections, selectConnections } from './queries.ts'
import * as schema from './schema.ts'

// The operator's own connections belong to no business.
const side = null
const shared = { audience: 'operator', tag: 'Operator: staff', scope: 'staff' } as const

const shown = (tx: SystemTx, row: ConnectionRow) =>
  schema.OperatorConnection.parse(schema.shownConnection(row, tx.context.publicUrl))

export const listOperatorSsoConnections = defineRoute({
  ...shared,
  method: 'GET',
  path: '/sso-connections',
  summary: 'List the single sign-on of the operator',
  answers: { 200: z.array(schema.OperatorConnection) },
  handler: async ({ tx }) => ({
    status: 200,
    body: (await selectConnections(tx, side)).map((row) => shown(tx, row)),
  }),
})

export const createOperatorSsoConnection = defineRoute({
  ...shared,
  method: 'POST',
  path: '/sso-connections',
  summary: 'Let the staff sign in at an identity provider',
  effects: ['lets-in'],
  description:
    'With OpenID Connect. The caller needs all that the roles of the group table hold. Nobody signs in before a domain is verified.',
  body: schema.NewOperatorConnection,
  answers: { 201: schema.OperatorConnection },
  errors: ['EMERGENCY_ACCOUNT_REQUIRED'],
  needsProof: true,
  handler: async ({ tx, body, access }) => ({
    status: 201,
    body: shown(tx, await createConnection(tx, side, body, access)),
  }),
})

export const changeOperatorSsoConnection = defineRoute({
  ...shared,
  method: 'PATCH',
  path: '/sso-connections/:connectionID',
  summary: 'Change a single sign-on of the operator',
  effects: ['lets-in'],
  description: 'Only what is sent is changed. Another issuer ends its sessions.',
  params: schema.connectionParams,
  body: schema.ChangeOperatorConnection,
  answers: { 200: schema.OperatorConnection },
  errors: ['CONNECTION_NOT_FOUND', 'EMERGENCY_ACCOUNT_REQUIRED'],
  needsProof: true,
  handler: async ({ tx, params, body, access }) => ({
    status: 200,
    body: shown(tx, await changeConnection(tx, side, params.connectionID, body, access)),
  }),
})

export const removeOperatorSsoConnection = defineRoute({
  ...shared,
  method: 'DELETE',
  path: '/sso-connections/:connectionID',
  summary: 'Remove a single sign-on of the operator',
  effects: ['deletes'],
  description: 'Ends the sessions that it began. Roles that it gave stay.',
  params: schema.connectionParams,
  answers: { 200: schema.OperatorConnection },
  errors: ['CONNECTION_NOT_FOUND'],
  needsProof: true,
  handler: async ({ tx, params }) => ({
    status: 200,
    body: shown(tx, await removeConnection(tx, side, params.connectionID)),
  }),
})

async function shownAny(tx: SystemTx, row: ConnectionRow): Promise<z.infer<typeof schema.AnyConnection>> {
  const { id, name, issuer, isEnforced } = row
  const business = row.side === null ? undefined : await businesses.find(tx, row.side)
  return {
    id,
    name,
    issuer,
    domains: schema.shownDomains(row),
    enforced: isEnforced,
    ...(business && { business: { id: business.id, name: business.name } }),
  }
}

export const listAllSsoConnections = defineRoute({
  audience: 'operator',
  tag: 'Operator: staff',
  scope: 'access',
  method: 'GET',
  path: '/sso-domains',
  summary: 'List every single sign-on, with the domains that it claims',
  answers: { 200: z.array(schema.AnyConnection) },
  handler: async ({ tx }) => {
    const rows = await selectAllConnections(tx)
    const body: z.infer<typeof schema.AnyConnection>[] = []
    for (const row of rows) body.push(await shownAny(tx, row))
    return { status: 200, body }
  },
})

export const verifySsoDomain = defineRoute({
  audience: 'operator',
  tag: 'Operator: staff',
  scope: ['staff', 'access'],
  method: 'PATCH',
  path: '/sso-connections/:connectionID/domains/:domain',
  summary: 'Verify a domain of a single sign-on, or take it back',
  effects: ['lets-in'],
  description:
    'Verify it only once you know that the domain belongs to the business: its provider then signs in anybody with such an address. `staff` for the operator’s own, `access` for those of businesses; the caller needs all that the group table gives.',
  params: schema.domainParams,
  body: z.object({ verified: z.boolean() }),
  answers: { 200: schema.AnyConnection },
  errors: ['CONNECTION_NOT_FOUND', 'DOMAIN_TAKEN'],
  needsProof: true,
  handler: async ({ tx, params, body, access }) => {
    const asked = { connectionId: params.connectionID, domain: params.domain, isVerified: body.verified }
    return { status: 200, body: await shownAny(tx, await verifyDomain(tx, asked, access)) }
  },
})
