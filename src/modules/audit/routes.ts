import { accountScope } from '../../domain/scopes.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { selectEntries } from './queries.ts'
import { AuditEntry, AuditQuery, filterOf, page, pageOf, shownEntry } from './schema.ts'

export const listAudit = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/audit',
  tag: 'Users',
  summary: 'List who did what in this mode, newest first',
  description: 'Every change, and every reading of health data. Users and invitations stand in the live mode.',
  scope: accountScope,
  query: AuditQuery,
  answers: { 200: pageOf(AuditEntry) },
  handler: async ({ tx, query }) => {
    const { entries, total } = await selectEntries(tx, { realmId: tx.realm.id }, filterOf(query))
    return { status: 200, body: page(entries.map(shownEntry), query, total) }
  },
})
