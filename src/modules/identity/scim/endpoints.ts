import { AppError } from '../../../domain/errors.ts'
import { sha256 } from '../../../platform/crypto.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import type { ScimAnswer, ScimEndpoint, ScimRequest } from '../../../platform/http/scim.ts'
import { type ConnectionRow, selectConnection } from '../sso/queries.ts'
import { createScimGroup, deleteScimGroupOf, findScimGroup, patchScimGroup, replaceScimGroup } from './groups.ts'
import { groupAttributes, lockConnectionOfToken, selectScimGroups, selectScimUsers, userAttributes } from './queries.ts'
import { describedAt, serviceProviderConfig, shownGroup, shownList, shownUser } from './resources.ts'
import { readFilter, readPaging, readPatch } from './rules.ts'
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

function described(path: 'Schemas' | 'ResourceTypes', { base }: Context, id?: string): ScimAnswer {
  const body = describedAt(path, id, base)
  if (!body) throw new AppError('ROUTE_NOT_FOUND', 'There is no such document')
  return ok(body)
}

const withMembers = ({ query }: ScimRequest): boolean =>
  !/(^|,)\s*members\s*(,|$)/i.test(query.excludedAttributes ?? '')

/** Everything below /scim/v2. */
export const scimEndpoints: readonly ScimEndpoint[] = [
  endpoint('GET', '/ServiceProviderConfig', ({ base }) => ok(serviceProviderConfig(base))),
  endpoint('GET', '/Schemas', (context) => described('Schemas', context)),
  endpoint('GET', '/Schemas/:id', (context) => described('Schemas', context, context.id)),
  endpoint('GET', '/ResourceTypes', (context) => described('ResourceTypes', context)),
  endpoint('GET', '/ResourceTypes/:id', (context) => described('ResourceTypes', context, context.id)),

  endpoint('GET', '/Users', async ({ tx, connection, request: { query }, base }) => {
    const paging = readPaging(query)
    const filter = readFilter(query.filter, userAttributes)
    const page = await selectScimUsers(tx, connection.id, { filter, ...paging })
    return ok(shownList(page, paging, (row) => shownUser(row, base)))
  }),
  endpoint('POST', '/Users', async ({ tx, connection, request, base }) =>
    made(shownUser(await createScimUser(tx, connection, request.body), base)),
  ),
  endpoint('GET', '/Users/:id', async ({ tx, connection, id, base }) =>
    ok(shownUser(await findScimUser(tx, connection, id), base)),
  ),
  endpoint('PUT', '/Users/:id', async ({ tx, connection, id, request, base }) =>
    ok(shownUser(await replaceScimUser(tx, connection, id, request.body), base)),
  ),
  endpoint('PATCH', '/Users/:id', async ({ tx, connection, id, request, base }) =>
    ok(shownUser(await patchScimUser(tx, connection, id, readPatch(request.body)), base)),
  ),
  endpoint('DELETE', '/Users/:id', async ({ tx, connection, id }) => {
    await deleteScimUserOf(tx, connection, id)
    return gone
  }),

  endpoint('GET', '/Groups', async ({ tx, connection, request, base }) => {
    const paging = readPaging(request.query)
    const filter = readFilter(request.query.filter, groupAttributes)
    const page = await selectScimGroups(tx, connection.id, { filter, ...paging })
    return ok(shownList(page, paging, (row) => shownGroup(row, base, withMembers(request))))
  }),
  endpoint('POST', '/Groups', async ({ tx, connection, request, base }) =>
    made(shownGroup(await createScimGroup(tx, connection, request.body), base, true)),
  ),
  endpoint('GET', '/Groups/:id', async ({ tx, connection, id, request, base }) =>
    ok(shownGroup(await findScimGroup(tx, connection, id), base, withMembers(request))),
  ),
  endpoint('PUT', '/Groups/:id', async ({ tx, connection, id, request, base }) =>
    ok(shownGroup(await replaceScimGroup(tx, connection, id, request.body), base, true)),
  ),
  endpoint('PATCH', '/Groups/:id', async ({ tx, connection, id, request, base }) =>
    ok(shownGroup(await patchScimGroup(tx, connection, id, readPatch(request.body)), base, withMembers(request))),
  ),
  endpoint('DELETE', '/Groups/:id', async ({ tx, connection, id }) => {
    await deleteScimGroupOf(tx, connection, id)
    return gone
  }),
]
