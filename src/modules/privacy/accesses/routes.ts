import { z } from 'zod'
import { accountScope } from '../../../domain/scopes.ts'
import { CSV, wantsCsv } from '../../../platform/http/csv.ts'
import { defineRoute } from '../../../platform/http/route.ts'
import { customerKey } from '../../customers/schema.ts'
import { accessesCsv, accessesOf } from './report.ts'
import { AccessesQuery, PersonalAccesses } from './schema.ts'

export const listCustomerAccesses = defineRoute({
  audience: 'business',
  method: 'GET',
  path: '/customers/:id/accesses',
  tag: 'Users',
  summary: 'List who saw the data of a customer',
  effects: ['sends-out'],
  description:
    'Newest first, of the record, the kits, orders, reports, files and e-mails, also where they were part of a list. What ' +
    'one caller did in the same way on one day is one row. `Accept: text/csv` gives a file to hand to the person.',
  scope: accountScope,
  params: z.object({ id: customerKey }),
  query: AccessesQuery,
  answers: { 200: PersonalAccesses },
  documents: [CSV],
  errors: ['CUSTOMER_NOT_FOUND'],
  acrossRealms: true,
  needsProof: (_, accept) => wantsCsv(accept),
  handler: async ({ tx, params, query, accept }) => {
    const body = await accessesOf(tx, params.id, query)
    const headers: Record<string, string> = { vary: 'Accept' }
    if (!wantsCsv(accept)) return { status: 200, body, headers }
    headers['content-disposition'] = `attachment; filename="accesses-${body.customerID}.csv"`
    return { status: 200, document: { contentType: `${CSV}; charset=utf-8`, body: accessesCsv(body) }, headers }
  },
})
