import { AppError } from '../../../domain/errors.ts'
import { sha256 } from '../../../platform/crypto.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import type { ScimAnswer, ScimEndpoint, ScimRequest } from '../../../platform/http/scim.ts'
import { type ConnectionRow, selectConnection } from '../sso/queries.ts'
import { type Comparison, readFilter, selectAttributes } from './filters.ts'
import { scimGroups } from './groups.ts'
import {
  groupAttributes,
  lockConnectionOfToken,
  type Page,
  selectScimGroups,
  selectScimUsers,
  userAttributes,
} from './queries.ts'
import { describedAt, serviceProviderConfig, shownGroup, shownList, shownUser } from './resources.ts'
import { type Paging, readPaging, readPatch, readSearch } from './rules.ts'
import type { Resources } from './sync.ts'
import { scimUsers } from './users.ts'

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

/** A resource as it is answered. */
interface Made {
  meta: { location: string }
}

const ok = (body: object): ScimAnswer => ({ status: 200, body })
const made = (body: Made): ScimAnswer => ({ status: 201, body, location: body.meta.location })

function described(path: 'Schemas' | 'ResourceTypes', { base, request }: Context, id?: string): ScimAnswer {
  // RFC 7644, 4.
  if (request.query.filter) throw new AppError('FORBIDDEN', 'These documents cannot be filtered')
  const body = describedAt(path, id, base)
  if (!body) throw new AppError('ROUTE_NOT_FOUND', 'There is no such document')
  return ok(body)
}

interface Shown<Row> {
  attributes: readonly string[]
  select(tx: SystemTx, connectionId: string, query: Paging & { filter: readonly Comparison[] }): Promise<Page<Row>>
  shown(row: Row, base: string): Made
}

/** What can be done with users, and alike with groups. */
function endpointsOf<Row>(path: string, resources: Resources<Row>, { attributes, select, shown }: Shown<Row>) {
  const one = (row: Row, { base, request }: Context) => ok(selectAttributes(shown(row, base), request.query))
  async function list({ tx, connection, base }: Context, query: ScimRequest['query']): Promise<ScimAnswer> {
    const paging = readPaging(query)
    const filter = readFilter(query.filter, attributes)
    const page = await select(tx, connection.id, { filter, ...paging })
    return ok(shownList(page, paging, (row) => selectAttributes(shown(row, base), query)))
  }
  return [
    endpoint('GET', path, (context) => list(context, context.request.query)),
    endpoint('POST', `${path}/.search`, (context) => list(context, readSearch(context.request.body))),
    endpoint('POST', path, async ({ tx, connection, request, base }) =>
      made(shown(await resources.create(tx, connection, request.body), base)),
    ),
    endpoint('GET', `${path}/:id`, async (context) =>
      one(await resources.find(context.tx, context.connection, context.id), context),
    ),
    endpoint('PUT', `${path}/:id`, async (context) => {
      const { tx, connection, id, request } = context
      return one(await resources.replace(tx, connection, id, request.body), context)
    }),
    endpoint('PATCH', `${path}/:id`, async (context) => {
      const { tx, connection, id, request } = context
      return one(await resources.patch(tx, connection, id, readPatch(request.body)), context)
    }),
    endpoint('DELETE', `${path}/:id`, async ({ tx, connection, id }) => {
      await resources.remove(tx, connection, id)
      return { status: 204 }
    }),
  ]
}

/** Everything below /scim/v2. */
export const scimEndpoints: readonly ScimEndpoint[] = [
  endpoint('GET', '/ServiceProviderConfig', ({ base }) => ok(serviceProviderConfig(base))),
  endpoint('GET', '/Schemas', (context) => described('Schemas', context)),
  endpoint('GET', '/Schemas/:id', (context) => described('Schemas', context, context.id)),
  endpoint('GET', '/ResourceTypes', (context) => described('ResourceTypes', context)),
  endpoint('GET', '/ResourceTypes/:id', (context) => described('ResourceTypes', context, context.id)),
  ...endpointsOf('/Users', scimUsers, { attributes: userAttributes, select: selectScimUsers, shown: shownUser }),
  ...endpointsOf('/Groups', scimGroups, { attributes: groupAttributes, select: selectScimGroups, shown: shownGroup }),
]
