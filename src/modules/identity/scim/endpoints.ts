import { AppError } from '../../../domain/errors.ts'
import { sha256 } from '../../../platform/crypto.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import type { ScimAnswer, ScimEndpoint, ScimRequest } from '../../../platform/http/scim.ts'
import { type ConnectionRow, selectConnection } from '../sso/queries.ts'
import { readFilter, selectAttributes } from './filters.ts'
import { createScimGroup, deleteScimGroupOf, findScimGroup, patchScimGroup, replaceScimGroup } from './groups.ts'
import {
  groupAttributes,
  lockConnectionOfToken,
  type ScimGroupRow,
  type ScimUserRow,
  selectScimGroups,
  selectScimUsers,
  userAttributes,
} from './queries.ts'
import { describedAt, serviceProviderConfig, shownGroup, shownList, shownUser } from './resources.ts'
import { readPaging, readPatch, readSearch } from './rules.ts'
import { createScimUser, deleteScimUserOf, findScimUser, patchScimUser, replaceScimUser } from './users.ts'

interface Context {
  tx: SystemTx
  connection: ConnectionRow
  request: ScimRequest
  /** The address below which the resources are. */
  base: string
  id: string
}

/** @throws UNAUTHORIZED */
async function connectionOf(tx: SystemTx, token: string): Promise<ConnectionRow> {
  const id = await lockConnectionOfToken(tx, sha256(token))
  const connection = id === undefined ? undefined : await selectConnection(tx, id)
  if (!connection) throw new AppError('UNAUTHORIZED', 'The token is unknown or was replaced')
  return connection
}

const endpoint = (
  method: ScimEndpoint['method'],
  path: string,
  handler: (context: Context) => Promise<ScimAnswer> | ScimAnswer,
): ScimEndpoint => ({
  method,
  path,
  async handler(tx, request) {
    const connection = await connectionOf(tx, request.token)
    const actor = { ...tx.actor, name: `scim:${connection.id}` }
    const base = `${tx.context.publicUrl ?? ''}/scim/v2`
    return handler({ tx: { ...tx, actor }, connection, request, base, id: request.params.id ?? '' })
  },
})

const ok = (body: object): ScimAnswer => ({ status: 200, body })
const made = (body: { meta: { location: string } }): ScimAnswer => ({ status: 201, body, location: body.meta.location })
const gone: ScimAnswer = { status: 204 }

function described(path: 'Schemas' | 'ResourceTypes', { base, request }: Context, id?: string): ScimAnswer {
  // RFC 7644, 4.
  if (request.query.filter) throw new AppError('FORBIDDEN', 'These documents cannot be filtered')
  const body = describedAt(path, id, base)
  if (!body) throw new AppError('ROUTE_NOT_FOUND', 'There is no such document')
  return ok(body)
}

type Query = ScimRequest['query']

async function listUsers({ tx, connection, base }: Context, query: Query): Promise<ScimAnswer> {
  const paging = readPaging(query)
  const filter = readFilter(query.filter, userAttributes)
  const page = await selectScimUsers(tx, connection.id, { filter, ...paging })
  return ok(shownList(page, paging, (row) => selectAttributes(shownUser(row, base), query)))
}

async function listGroups({ tx, connection, base }: Context, query: Query): Promise<ScimAnswer> {
  const paging = readPaging(query)
  const filter = readFilter(query.filter, groupAttributes)
  const page = await selectScimGroups(tx, connection.id, { filter, ...paging })
  return ok(shownList(page, paging, (row) => selectAttributes(shownGroup(row, base), query)))
}

const oneUser = (row: ScimUserRow, { base, request }: Context) => selectAttributes(shownUser(row, base), request.query)
const oneGroup = (row: ScimGroupRow, { base, request }: Context) =>
  selectAttributes(shownGroup(row, base), request.query)

/** Everything below /scim/v2. */
export const scimEndpoints: readonly ScimEndpoint[] = [
  endpoint('GET', '/ServiceProviderConfig', ({ base }) => ok(serviceProviderConfig(base))),
  endpoint('GET', '/Schemas', (context) => described('Schemas', context)),
  endpoint('GET', '/Schemas/:id', (context) => described('Schemas', context, context.id)),
  endpoint('GET', '/ResourceTypes', (context) => described('ResourceTypes', context)),
  endpoint('GET', '/ResourceTypes/:id', (context) => described('ResourceTypes', context, context.id)),

  endpoint('GET', '/Users', (context) => listUsers(context, context.request.query)),
  endpoint('POST', '/Users/.search', (context) => listUsers(context, readSearch(context.request.body))),
  endpoint('POST', '/Users', async ({ tx, connection, request, base }) =>
    made(shownUser(await createScimUser(tx, connection, request.body), base)),
  ),
  endpoint('GET', '/Users/:id', async (context) =>
    ok(oneUser(await findScimUser(context.tx, context.connection, context.id), context)),
  ),
  endpoint('PUT', '/Users/:id', async (context) => {
    const { tx, connection, id, request } = context
    return ok(oneUser(await replaceScimUser(tx, connection, id, request.body), context))
  }),
  endpoint('PATCH', '/Users/:id', async (context) => {
    const { tx, connection, id, request } = context
    return ok(oneUser(await patchScimUser(tx, connection, id, readPatch(request.body)), context))
  }),
  endpoint('DELETE', '/Users/:id', async ({ tx, connection, id }) => {
    await deleteScimUserOf(tx, connection, id)
    return gone
  }),

  endpoint('GET', '/Groups', (context) => listGroups(context, context.request.query)),
  endpoint('POST', '/Groups/.search', (context) => listGroups(context, readSearch(context.request.body))),
  endpoint('POST', '/Groups', async ({ tx, connection, request, base }) =>
    made(shownGroup(await createScimGroup(tx, connection, request.body), base)),
  ),
  endpoint('GET', '/Groups/:id', async (context) =>
    ok(oneGroup(await findScimGroup(context.tx, context.connection, context.id), context)),
  ),
  endpoint('PUT', '/Groups/:id', async (context) => {
    const { tx, connection, id, request } = context
    return ok(oneGroup(await replaceScimGroup(tx, connection, id, request.body), context))
  }),
  endpoint('PATCH', '/Groups/:id', async (context) => {
    const { tx, connection, id, request } = context
    return ok(oneGroup(await patchScimGroup(tx, connection, id, readPatch(request.body)), context))
  }),
  endpoint('DELETE', '/Groups/:id', async ({ tx, connection, id }) => {
    await deleteScimGroupOf(tx, connection, id)
    return gone
  }),
]
