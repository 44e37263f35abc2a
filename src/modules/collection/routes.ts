import type { SystemTx } from '../../platform/database/tx.ts'
import { defineRoutes } from '../../platform/http/route.ts'
import { realmOfKit } from '../kits/locate.ts'
import { kitNotFound } from '../kits/records.ts'
import { kitParams } from '../kits/schema.ts'
import { CollectionInput, KitCollection } from './schema.ts'
import { find, give } from './service.ts'

async function liveRealmOf(tx: SystemTx, kitId: string) {
  const realm = await realmOfKit(tx, kitId)
  if (realm.mode !== 'live') throw kitNotFound()
  return realm
}

const tags = { business: 'Kits', operator: 'Operator: laboratory' } as const
const idsOf = ({ answers, kitID }: KitCollection) => (answers ? [kitID] : [])

const shared = {
  realmOf: (tx: SystemTx, { params }: { params: { kitID: string } }) => liveRealmOf(tx, params.kitID),
  path: '/kits/:kitID/collection',
  params: kitParams,
  answers: { 200: KitCollection },
} as const

export const { business: getCollection, operator: getCollectionOfAll } = defineRoutes({
  ...shared,
  audiences: {
    business: { tag: tags.business, scope: 'kits:read' },
    operator: { tag: tags.operator, scope: 'lab' },
  },
  method: 'GET',
  summary: 'Get what a person says of their sample',
  description: 'When it was taken, and the answers to the questions of the panel.',
  errors: ['KIT_NOT_FOUND'],
  accesses: { reads: 'kit', ids: idsOf },
  handler: async ({ tx, params, access }) => {
    const scopes: ReadonlySet<string> = access.scopes
    const withAnswers = scopes.has('reports:read') || scopes.has('lab')
    return { status: 200, body: await find(tx, params.kitID, { withAnswers }) }
  },
})

export const { business: giveCollection, operator: giveCollectionOfAll } = defineRoutes({
  ...shared,
  method: 'POST',
  summary: 'Say what a person says of their sample',
  description:
    'In place of what was said before. Once the laboratory has the sample, only the operator may, and its report is judged again. A time that clocks showed twice needs an offset as `zone`.',
  effects: [],
  audiences: {
    business: { tag: tags.business, scope: 'kits:write' },
    operator: { tag: tags.operator, scope: 'lab' },
  },
  body: CollectionInput,
  errors: ['KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  accesses: { changes: 'kit', ids: idsOf },
  handler: async ({ tx, params, body, access }) => {
    const scopes: ReadonlySet<string> = access.scopes
    return { status: 200, body: await give(tx, params.kitID, body, scopes.has('lab') ? 'operator' : 'business') }
  },
})
